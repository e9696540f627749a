// Also what a start needs before anything else is loaded: no more than this.
export * from './embedded-postgres.js';
export { isAlive } from './postmaster.js';
export { PostgresStartError } from './server-process.js';
export type { ServerEnd, Supervision } from './supervise-server.js';
export { emptyFile, madeOnce, writeWhole } from './write-whole.js';
