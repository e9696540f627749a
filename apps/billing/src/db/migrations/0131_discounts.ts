import type { Migration } from '@kontor/persistence';

/**
 * Discounts lie with the item that they are for: rating an item reads and moves them without further queries. Runs write
 * only the short column; what follows it in the row is the same before and after, so it is not logged again.
 */
export const discounts: Migration = {
  name: 'billing_0131_discounts',
  sql: `
-- How far each of the discounts is used, in the same order.
ALTER TABLE subscription_item ADD COLUMN discount_uses json;
-- In the order in which they were applied, removed and used up ones too; null: never any.
ALTER TABLE subscription_item ADD COLUMN discounts json;
`,
};
