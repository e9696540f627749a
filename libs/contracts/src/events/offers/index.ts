export * from './cancellation-notice-received.v1.js';
export * from './cart-changed.v1.js';
export * from './cart-reminder-due.v1.js';
export * from './checkout-link-changed.v1.js';
export * from './offer-changed.v1.js';
export * from './offer-link-sent.v1.js';
export * from './order-confirmed.v1.js';
