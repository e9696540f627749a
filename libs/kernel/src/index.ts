export * from './banking-days.js';
export * from './branded-ids.js';
export * from './calendar.js';
export * from './errors.js';
export * from './ids.js';
export * from './interval.js';
export * from './leitweg-id.js';
export * from './tx.js';
