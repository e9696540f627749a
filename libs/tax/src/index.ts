export * from './category.js';
export * from './decide-tax.js';
export * from './legal-note.js';
export * from './line.js';
export * from './tax-as-billed.js';
export * from './tax-bounds.js';
export * from './totals.js';
export * from './vat-rates.js';
