import { type Migration, tenantTable } from '@kontor/persistence';

export const recurringMovements: Migration = {
  name: '0200_recurring_movements',
  sql: `
-- What subscriptions bring in a year, as differences: a sum up to a day is the level of that day. Written from the events of
-- subscriptions, and only when a level changes: a renewal writes nothing.
CREATE TABLE recurring_movement (
  tenant_id uuid NOT NULL,
  subscription_id uuid NOT NULL,
  day text NOT NULL,
  currency_code text NOT NULL,
  kind text NOT NULL
    CHECK (kind IN ('new', 'expansion', 'contraction', 'churn', 'reactivation', 'transfer_in', 'transfer_out')),
  plan_id uuid,
  annual_minor bigint NOT NULL,
  subscriptions int NOT NULL CHECK (subscriptions BETWEEN -1 AND 1),
  PRIMARY KEY (tenant_id, subscription_id, day, currency_code, kind),
  FOREIGN KEY (tenant_id, subscription_id) REFERENCES subscription (tenant_id, id) ON DELETE CASCADE
);
${tenantTable('recurring_movement')}
`,
};
