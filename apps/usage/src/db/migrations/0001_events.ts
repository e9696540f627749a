import { type Migration, tenantTable } from '@kontor/persistence';

export const events: Migration = {
  name: 'usage_0001_events',
  sql: `
CREATE TABLE usage_event (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  digest uuid NOT NULL,
  transaction_id text NOT NULL,
  event_name text NOT NULL,
  customer_id uuid NOT NULL,
  occurred_at timestamptz NOT NULL,
  properties jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id)
);
CREATE UNIQUE INDEX usage_event_digest ON usage_event (digest);
CREATE INDEX usage_event_time ON usage_event (tenant_id, occurred_at, id);
CREATE INDEX usage_event_created ON usage_event (tenant_id, created_at, id);
CREATE INDEX usage_event_name ON usage_event (tenant_id, event_name, occurred_at, id);
CREATE INDEX usage_event_customer ON usage_event (tenant_id, customer_id, occurred_at, id);
${tenantTable('usage_event')}

-- Events name a customer by its id, external id or number. Plain columns, because an index over data->>'externalId' is not
-- used under row-level security (the operator is not leakproof).
ALTER TABLE replica
  ADD COLUMN external_id text GENERATED ALWAYS AS (CASE WHEN kind = 'customer' THEN data->>'externalId' END) STORED,
  ADD COLUMN customer_number text GENERATED ALWAYS AS (CASE WHEN kind = 'customer' THEN data->>'customerNumber' END) STORED;
CREATE INDEX replica_external_id ON replica (tenant_id, external_id) WHERE external_id IS NOT NULL;
CREATE INDEX replica_customer_number ON replica (tenant_id, customer_number) WHERE customer_number IS NOT NULL;
`,
};
