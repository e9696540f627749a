import { type Migration, tenantTable } from '@kontor/persistence';

export const billingRuns: Migration = {
  name: '0101_billing_runs',
  sql: `
-- One row per customer with subscriptions. A change of what is billed locks it first, and its version shows a run that
-- rated outside of a transaction whether what it read still holds.
CREATE TABLE billing_account (
  tenant_id uuid NOT NULL,
  customer_id uuid NOT NULL,
  version bigint NOT NULL DEFAULT 1,
  charges_seq bigint NOT NULL DEFAULT 0,
  due_on text,
  requested_run_id uuid,
  requested_date text,
  PRIMARY KEY (tenant_id, customer_id),
  FOREIGN KEY (tenant_id, customer_id) REFERENCES customer (tenant_id, id) ON DELETE CASCADE
) WITH (fillfactor = 80);
${tenantTable('billing_account')}

CREATE TABLE billing_run (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  date text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('daily', 'requested')),
  status text NOT NULL CHECK (status IN ('running', 'completed')),
  due int NOT NULL,
  accounts_open int NOT NULL,
  batches_open int NOT NULL CHECK (batches_open >= 0),
  opened_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL,
  completed_at timestamptz,
  PRIMARY KEY (tenant_id, id)
);
CREATE INDEX billing_run_created ON billing_run (tenant_id, created_at, id);
CREATE INDEX billing_run_status ON billing_run (tenant_id, status, created_at);
CREATE UNIQUE INDEX billing_run_daily ON billing_run (tenant_id, date) WHERE kind = 'daily';
${tenantTable('billing_run')}

CREATE TABLE billing_run_failure (
  tenant_id uuid NOT NULL,
  run_id uuid NOT NULL,
  subscription_id uuid NOT NULL,
  reason text NOT NULL,
  PRIMARY KEY (tenant_id, run_id, subscription_id),
  FOREIGN KEY (tenant_id, run_id) REFERENCES billing_run (tenant_id, id) ON DELETE CASCADE
);
${tenantTable('billing_run_failure')}

CREATE TABLE charge_batch (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  run_id uuid,
  customer_id uuid NOT NULL,
  billing_day text NOT NULL,
  grouping_key text NOT NULL,
  batch text NOT NULL,
  subscription_ids jsonb NOT NULL,
  settled_at timestamptz,
  invoice_id uuid,
  blocked_reason text,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id),
  CONSTRAINT charge_batch_once UNIQUE (tenant_id, customer_id, billing_day, grouping_key, batch)
);
CREATE INDEX charge_batch_run ON charge_batch (tenant_id, run_id) WHERE run_id IS NOT NULL;
${tenantTable('charge_batch')}

CREATE TABLE charge (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  batch_id uuid,
  subscription_id uuid NOT NULL,
  item_id uuid NOT NULL,
  kind text NOT NULL CHECK (kind IN ('regular', 'credit', 'correction', 'setup')),
  price_plan_id uuid NOT NULL,
  quantity text NOT NULL,
  currency_code text NOT NULL,
  due_on text NOT NULL,
  service_from text NOT NULL,
  service_to text NOT NULL,
  interval_from text NOT NULL,
  interval_to text NOT NULL,
  net_minor bigint NOT NULL,
  discount_minor bigint NOT NULL CHECK (discount_minor >= 0),
  used_to text NOT NULL,
  used_minor bigint NOT NULL,
  credited_charge_id uuid,
  revision int NOT NULL,
  explanation jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  -- The promise that nothing is charged twice: one line of a kind per period of an item and re-rating.
  PRIMARY KEY (tenant_id, item_id, kind, service_from, revision),
  CHECK (service_from < service_to)
);
${tenantTable('charge')}
`,
};
