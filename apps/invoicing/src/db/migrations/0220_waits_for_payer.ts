import type { Migration } from '@kontor/persistence';

/** Invoices that no gateway collects before their payers have acted: these are dunned. */
export const waitsForPayer: Migration = {
  name: 'invoicing_0220_waits_for_payer',
  sql: 'ALTER TABLE invoice ADD COLUMN waits_for_payer boolean NOT NULL DEFAULT false;',
};
