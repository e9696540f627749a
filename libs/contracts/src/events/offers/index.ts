export * from './offer-changed.v1.js';
