export * from './bank-transaction-changed.v1.js';
export * from './bank-transaction-imported.v1.js';
export * from './intent-changed.v1.js';
export * from './method-changed.v1.js';
export * from './method-link-created.v1.js';
export * from './wallet-auto-top-up-disabled.v1.js';
export * from './wallet-changed.v1.js';
export * from './wallet-top-up-changed.v1.js';
