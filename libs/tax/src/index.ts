export * from './category.js';
