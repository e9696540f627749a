import type { Migration } from '@kontor/persistence';

/** Only credit that was given ends; lots of money that was paid in had got a last day, too. */
export const paidInCreditStays: Migration = {
  name: 'payments_0060_paid_in_credit_stays',
  sql: `
ALTER TABLE wallet_lot NO FORCE ROW LEVEL SECURITY;
UPDATE wallet_lot SET expires_at = NULL WHERE source_intent_id IS NOT NULL AND expires_at IS NOT NULL;
ALTER TABLE wallet_lot FORCE ROW LEVEL SECURITY;
`,
};
