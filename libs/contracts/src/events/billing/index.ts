export * from './catalogue-changed.v1.js';
export * from './charges-due.v1.js';
export * from './customer-changed.v1.js';
export * from './customer-payment-method-chosen.v1.js';
export * from './entitlement-changed.v1.js';
export * from './import-completed.v1.js';
export * from './settings-changed.v1.js';
export * from './subscription-changed.v1.js';
