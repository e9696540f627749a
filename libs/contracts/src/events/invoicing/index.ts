export * from './charges-settled.v1.js';
export * from './invoice-changed.v1.js';
export * from './invoice-closed.v1.js';
export * from './invoice-finalizing.v1.js';
export * from './invoice-payment-method-chosen.v1.js';
export * from './invoice-send-requested.v1.js';
export * from './media-ready.v1.js';
export * from './template-changed.v1.js';
