export * from './clock.js';
export * from './customer-references.js';
export * from './identity.js';
export * from './invoicing.js';
export * from './payments.js';
export * from './sales.js';
export * from './stored-notices.js';
export * from './usage.js';
