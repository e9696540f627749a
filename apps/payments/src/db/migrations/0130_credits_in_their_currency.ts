import type { Migration } from '@kontor/persistence';

const READ = ['payment_intent', 'wallet_lot', 'payment_transaction'];

/** Credits of runs that are about an invoice in another currency are none of its money, and nothing of its payments. */
export const creditsInTheirCurrency: Migration = {
  name: 'payments_0130_credits_in_their_currency',
  sql: `
${READ.map((table) => `ALTER TABLE ${table} NO FORCE ROW LEVEL SECURITY;`).join('\n')}
UPDATE wallet_lot l SET source_transaction_id = NULL
FROM payment_intent d, payment_transaction t
WHERE d.tenant_id = l.tenant_id AND d.id = l.source_intent_id
  AND t.tenant_id = l.tenant_id AND t.id = l.source_transaction_id AND t.currency_code <> d.currency_code;
UPDATE payment_intent d SET referenced_invoice_id = NULL
FROM payment_intent i
WHERE i.tenant_id = d.tenant_id AND i.invoice_id = d.referenced_invoice_id AND i.currency_code <> d.currency_code;
${READ.map((table) => `ALTER TABLE ${table} FORCE ROW LEVEL SECURITY;`).join('\n')}
`,
};
