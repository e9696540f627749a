export * from './fault-proxy.js';
export * from './fixed-clock.js';
export * from './kafka.js';
export * from './principals.js';
export * from './redis.js';
export * from './table-checks.js';
export * from './test-database.js';
export * from './test-service.js';
export { TEST_POSTGRES_URL } from './jest-global-setup.js';
