import type { Migration } from '@kontor/persistence';

/** Orders of a file that the bank has refused. */
export const rejectedOrders: Migration = {
  name: 'payments_0120_rejected_orders',
  sql: `
ALTER TABLE sepa_order DROP CONSTRAINT sepa_order_status_check, DROP CONSTRAINT sepa_order_check1;
ALTER TABLE sepa_order
  ADD CHECK (status IN ('waiting', 'exported', 'rejected', 'settled', 'returned', 'cancelled')),
  ADD CHECK ((file_id IS NOT NULL) = (status IN ('exported', 'rejected', 'settled', 'returned')));
`,
};
