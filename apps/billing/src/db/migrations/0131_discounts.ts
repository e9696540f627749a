import type { Migration } from '@kontor/persistence';

/**
 * Discounts lie with the item that they are for: rating an item reads and moves them without further queries. Runs write
 * only the short column.
 */
export const discounts: Migration = {
  name: 'billing_0131_discounts',
  sql: `
-- In the order in which they were applied, removed and used up ones too; null: never any.
ALTER TABLE subscription_item ADD COLUMN discounts jsonb;
-- How far each of them is used, in the same order.
ALTER TABLE subscription_item ADD COLUMN discount_uses jsonb;
`,
};
