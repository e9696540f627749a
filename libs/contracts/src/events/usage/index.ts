export * from './correction.v1.js';
export * from './metric-changed.v1.js';
export * from './threshold-reached.v1.js';
