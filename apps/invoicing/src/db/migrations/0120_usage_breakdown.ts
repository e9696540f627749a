import type { Migration } from '@kontor/persistence';

/** Lines remember where they were measured, documents whether they have a page about it. */
export const usageBreakdown: Migration = {
  name: 'invoicing_0120_usage_breakdown',
  sql: `
ALTER TABLE invoice_position ADD COLUMN usage json;
ALTER TABLE invoice ADD COLUMN usage_breakdown boolean NOT NULL DEFAULT false;
`,
};
