import type { Migration } from '@kontor/persistence';

/** Other names under which files know an account. */
export const accountIdentifications: Migration = {
  name: 'payments_0061_account_identifications',
  sql: `ALTER TABLE bank_account ADD COLUMN account_identifications json NOT NULL DEFAULT '[]'`,
};
