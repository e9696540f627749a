import { type Migration, tenantTable } from '@kontor/persistence';

export const topUps: Migration = {
  name: 'payments_0040_top_ups',
  sql: `
CREATE TABLE auto_top_up_rule (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  customer_id uuid NOT NULL,
  currency_code text NOT NULL,
  threshold_minor bigint NOT NULL CHECK (threshold_minor > 0),
  top_up_minor bigint NOT NULL CHECK (top_up_minor > 0),
  payment_method_id uuid,
  enabled boolean NOT NULL,
  consecutive_failures integer NOT NULL,
  version integer NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id)
);
CREATE UNIQUE INDEX auto_top_up_rule_wallet ON auto_top_up_rule (tenant_id, customer_id, currency_code);
CREATE INDEX auto_top_up_rule_date ON auto_top_up_rule (tenant_id, created_at DESC, id DESC);

CREATE TABLE top_up (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  intent_id uuid,
  customer_id uuid NOT NULL,
  currency_code text NOT NULL,
  requested_minor bigint NOT NULL CHECK (requested_minor > 0),
  credited_minor bigint,
  status text NOT NULL CHECK (status IN ('pending', 'completed', 'failed')),
  payment_method_id uuid,
  fail_reason text,
  reference text NOT NULL,
  rule_id uuid,
  completed_at timestamptz,
  version integer NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id),
  CHECK ((status = 'completed') = (credited_minor IS NOT NULL)),
  CHECK ((status = 'completed') = (completed_at IS NOT NULL))
);
CREATE INDEX top_up_customer ON top_up (tenant_id, customer_id, created_at DESC, id DESC);
CREATE INDEX top_up_date ON top_up (tenant_id, created_at DESC, id DESC);
-- Never two automatic top-ups under way for one wallet.
CREATE UNIQUE INDEX top_up_in_flight ON top_up (tenant_id, customer_id, currency_code)
  WHERE rule_id IS NOT NULL AND status = 'pending';

${tenantTable('auto_top_up_rule')}
${tenantTable('top_up')}
`,
};
