import type { Migration } from '@kontor/persistence';

const READ = ['bank_assignment', 'bank_transaction', 'sepa_order', 'payment_intent'];
const SETTLED = `SELECT o.* FROM payment_intent i
  JOIN sepa_order o ON o.tenant_id = i.tenant_id AND o.intent_id = i.id AND o.status IN ('settled', 'returned')
  WHERE i.top_up_id IS NOT NULL`;

/** Lines show the money of top-ups, too: noted are those of debits that were settled so far, alone or in the sum of their batch. */
export const topUpLines: Migration = {
  name: 'payments_0110_top_up_lines',
  sql: `
ALTER TABLE bank_assignment ALTER COLUMN invoice_id DROP NOT NULL;
${READ.map((table) => `ALTER TABLE ${table} NO FORCE ROW LEVEL SECURITY;`).join('\n')}
INSERT INTO bank_assignment (tenant_id, id, bank_transaction_id, customer_id, transaction_id, amount_minor, created_at)
SELECT tenant_id, gen_random_uuid(), line, customer_id, id, amount, created_at FROM (
  SELECT o.tenant_id, b.id AS line, o.customer_id, o.id, b.amount_minor AS amount, b.created_at FROM (${SETTLED}) o
  JOIN bank_transaction b ON b.tenant_id = o.tenant_id AND lower(b.end_to_end_id) = o.end_to_end_id
    AND b.status = 'STATUS_BOOKED' AND abs(b.amount_minor) = o.amount_minor
  UNION ALL
  SELECT o.tenant_id, b.id, o.customer_id, o.id, o.amount_minor, b.created_at FROM (${SETTLED}) o
  JOIN bank_transaction b ON b.tenant_id = o.tenant_id AND b.batch_ids ->> 'paymentInformationId' = o.payment_information_id
    AND b.status = 'STATUS_BOOKED' AND b.amount_minor > 0 AND b.end_to_end_id IS NULL
) shown;
${READ.map((table) => `ALTER TABLE ${table} FORCE ROW LEVEL SECURITY;`).join('\n')}
`,
};
