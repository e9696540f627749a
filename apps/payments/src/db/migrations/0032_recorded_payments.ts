import type { Migration } from '@kontor/persistence';

export const recordedPayments: Migration = {
  name: 'payments_0032_recorded_payments',
  sql: `
-- Payments that somebody recorded and no statement line has confirmed yet.
CREATE INDEX payment_transaction_recorded ON payment_transaction (tenant_id, customer_id, amount_minor)
  WHERE operation_id IS NOT NULL AND bank_transaction_id IS NULL;
`,
};
