export * from './cart-changed.v1.js';
export * from './checkout-link-changed.v1.js';
export * from './offer-changed.v1.js';
export * from './offer-link-sent.v1.js';
