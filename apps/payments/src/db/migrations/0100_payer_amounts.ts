import type { Migration } from '@kontor/persistence';

/** What waits for its payer, apart from what a gateway collects: invoices of the former are dunned. */
export const payerAmounts: Migration = {
  name: 'payments_0100_payer_amounts',
  sql: `
ALTER TABLE payment_intent ADD COLUMN payer_minor bigint NOT NULL DEFAULT 0 CHECK (payer_minor >= 0);
ALTER TABLE payment_intent NO FORCE ROW LEVEL SECURITY;
ALTER TABLE payment_transaction NO FORCE ROW LEVEL SECURITY;
UPDATE payment_intent i SET payer_minor = w.waiting
FROM (SELECT tenant_id, intent_id, sum(amount_minor) AS waiting FROM payment_transaction
  WHERE status = 'action_required' GROUP BY tenant_id, intent_id) w
WHERE i.tenant_id = w.tenant_id AND i.id = w.intent_id;
ALTER TABLE payment_transaction FORCE ROW LEVEL SECURITY;
ALTER TABLE payment_intent FORCE ROW LEVEL SECURITY;
`,
};
