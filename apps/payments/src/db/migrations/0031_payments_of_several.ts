import type { Migration } from '@kontor/persistence';

export const paymentsOfSeveral: Migration = {
  name: 'payments_0031_payments_of_several',
  sql: `
-- A payment for several documents goes back document by document, each once; or what is left of it at once.
DROP INDEX payment_transaction_returned_once;
CREATE UNIQUE INDEX payment_transaction_returned_once
  ON payment_transaction (tenant_id, returned_transaction_id, intent_id)
  NULLS NOT DISTINCT WHERE returned_transaction_id IS NOT NULL;
`,
};
