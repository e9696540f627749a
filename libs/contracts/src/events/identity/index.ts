export * from './tenant-changed.v1.js';
