export * from './tenant-changed.v1.js';
export * from './login-links-made.v1.js';
export * from './user-changed.v1.js';
export * from './user-mail-requested.v1.js';
