import type { Migration } from '@kontor/persistence';

/** Rates of countries in which the tenant is registered, beside those that follow from the group's type. */
export const taxGroupRates: Migration = {
  name: 'billing_0150_tax_group_rates',
  sql: `ALTER TABLE tax_group ADD COLUMN taxes json NOT NULL DEFAULT '[]'`,
};
