import type { Migration } from '@kontor/persistence';

/** Closings of one item and period follow each other: where its events are gone, a correction finds what was billed. */
export const closingsOfItems: Migration = {
  name: 'usage_0063_closings_of_items',
  sql: 'CREATE INDEX usage_closing_item ON usage_closing (tenant_id, item_id, from_at)',
};
