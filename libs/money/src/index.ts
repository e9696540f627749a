export * from './allocate.js';
export * from './currency.js';
export * from './decimal.js';
export * from './money.js';
export * from './rounding.js';
