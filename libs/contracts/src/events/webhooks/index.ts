export * from './endpoint-changed.v1.js';
