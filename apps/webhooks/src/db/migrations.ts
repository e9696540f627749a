import { customerMergeTables, lookupFunction, type Migration, tenantTable } from '@kontor/persistence';

export const webhooksMigrations: Migration[] = [
  {
    name: 'webhooks_0001_event_log_and_deliveries',
    sql: `
CREATE TABLE webhook_endpoint (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  version integer NOT NULL,
  url text NOT NULL,
  events jsonb NOT NULL,
  enabled boolean NOT NULL,
  disabled_reason text,
  description text,
  secret text NOT NULL,
  failing_days integer NOT NULL DEFAULT 0,
  failing_day date,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id)
);
CREATE INDEX webhook_endpoint_created ON webhook_endpoint (tenant_id, created_at, id);
${tenantTable('webhook_endpoint')}

-- What happened, as receivers see it; data is JSON text, delivered byte for byte on every repeat.
CREATE TABLE webhook_event (
  tenant_id uuid NOT NULL,
  id text NOT NULL,
  type text NOT NULL,
  object_id text NOT NULL,
  sequence bigint NOT NULL,
  customer_id uuid,
  data text NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id)
);
CREATE INDEX webhook_event_created ON webhook_event (tenant_id, created_at DESC, id DESC);
CREATE INDEX webhook_event_type ON webhook_event (tenant_id, type, created_at DESC, id DESC);
CREATE INDEX webhook_event_object ON webhook_event (tenant_id, object_id, sequence);
CREATE INDEX webhook_event_customer ON webhook_event (tenant_id, customer_id, created_at DESC);
${tenantTable('webhook_event')}

-- One row per object ever announced: the last sequence given, and the lock under which its queue changes.
CREATE TABLE webhook_object (
  tenant_id uuid NOT NULL,
  object_id text NOT NULL,
  last_sequence bigint NOT NULL,
  PRIMARY KEY (tenant_id, object_id)
) WITH (fillfactor = 80);
${tenantTable('webhook_object')}

-- head: the first of its object's queue at this endpoint, the only one that may be attempted.
-- round: attempts since it was created or delivered again by hand.
CREATE TABLE delivery (
  tenant_id uuid NOT NULL,
  id text NOT NULL,
  endpoint_id uuid NOT NULL,
  event_id text NOT NULL,
  event_type text NOT NULL,
  object_id text NOT NULL,
  sequence bigint NOT NULL,
  status text NOT NULL CHECK (status IN ('pending', 'delivered', 'failed')),
  head boolean NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  round integer NOT NULL DEFAULT 0,
  next_attempt_at timestamptz,
  lease_until timestamptz,
  lease uuid,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, id),
  CHECK ((status = 'pending') = (next_attempt_at IS NOT NULL))
) WITH (fillfactor = 80);
CREATE INDEX delivery_due ON delivery (next_attempt_at) WHERE status = 'pending' AND head;
CREATE INDEX delivery_claim ON delivery (tenant_id, endpoint_id, next_attempt_at) WHERE status = 'pending' AND head;
CREATE INDEX delivery_queue ON delivery (tenant_id, endpoint_id, object_id, sequence) WHERE status = 'pending';
CREATE INDEX delivery_of_endpoint ON delivery (tenant_id, endpoint_id, created_at DESC, id DESC);
${tenantTable('delivery')}
${lookupFunction({
  name: 'due_webhook_endpoints',
  parameters: 'p_limit integer',
  table: 'delivery',
  columns: ['tenant_id', 'endpoint_id', 'status', 'head', 'next_attempt_at', 'lease_until', 'lease'],
  returns: 'tenant_id uuid, id uuid',
  body: `SELECT DISTINCT d.tenant_id, d.endpoint_id FROM delivery d
    WHERE d.status = 'pending' AND d.head AND d.next_attempt_at <= now()
      AND (d.lease_until IS NULL OR d.lease_until < now() OR NOT process_runs(d.lease))
    LIMIT p_limit`,
})}

CREATE TABLE delivery_attempt (
  tenant_id uuid NOT NULL,
  delivery_id text NOT NULL,
  n integer NOT NULL,
  at timestamptz NOT NULL,
  response_status integer,
  duration_ms integer NOT NULL,
  error text,
  PRIMARY KEY (tenant_id, delivery_id, n)
);
${tenantTable('delivery_attempt')}
`,
  },
  {
    name: 'webhooks_0002_activities',
    sql: `
CREATE TABLE activity (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  customer_id uuid,
  type text NOT NULL,
  at timestamptz NOT NULL,
  actor jsonb,
  metadata jsonb NOT NULL,
  pinned boolean NOT NULL DEFAULT false,
  PRIMARY KEY (tenant_id, id)
);
CREATE INDEX activity_of_customer ON activity (tenant_id, customer_id, pinned DESC, at DESC, id DESC);
${tenantTable('activity')}
`,
  },
  {
    name: 'webhooks_0003_lists',
    sql: `
-- Almost all are delivered: the rest is found by its status, those in the order of their time.
CREATE INDEX delivery_undelivered ON delivery (tenant_id, endpoint_id, status, created_at DESC, id DESC)
  WHERE status <> 'delivered';
CREATE INDEX delivery_of_type ON delivery (tenant_id, endpoint_id, event_type, created_at DESC, id DESC);
CREATE INDEX delivery_of_event ON delivery (tenant_id, event_id);
CREATE INDEX activity_of_type ON activity (tenant_id, customer_id, type, pinned DESC, at DESC, id DESC);
`,
  },
  { name: 'webhooks_0004_customer_merges', sql: customerMergeTables },
  {
    name: 'webhooks_0005_look_by_endpoint',
    sql: `
-- From endpoint to endpoint by one step in this index, however many deliveries wait for each of them.
DROP INDEX delivery_claim;
CREATE INDEX delivery_claim ON delivery (tenant_id, endpoint_id, next_attempt_at, id) WHERE status = 'pending' AND head;

DROP FUNCTION due_webhook_endpoints(integer);
DROP POLICY due_webhook_endpoints_lookup ON delivery;
DROP INDEX delivery_due;
-- Endpoints behind a given one with a delivery that may be attempted. It looks at p_limit of those that have any waiting, and names the
-- last of these whether it is due or not: whoever goes on behind the last row misses none.
${lookupFunction({
  name: 'endpoints_to_attempt',
  parameters: 'p_after_tenant uuid, p_after_endpoint uuid, p_limit integer',
  table: 'delivery',
  columns: ['tenant_id', 'endpoint_id', 'status', 'head', 'next_attempt_at', 'lease_until', 'lease'],
  returns: 'tenant_id uuid, id uuid',
  body: `
    WITH RECURSIVE walk AS (
      SELECT 0 AS step, p_after_tenant AS tenant_id, p_after_endpoint AS endpoint_id
      UNION ALL
      SELECT walk.step + 1, further.tenant_id, further.endpoint_id
      FROM walk CROSS JOIN LATERAL (
        SELECT d.tenant_id, d.endpoint_id FROM delivery d
        WHERE d.status = 'pending' AND d.head AND (d.tenant_id, d.endpoint_id) > (walk.tenant_id, walk.endpoint_id)
        ORDER BY d.tenant_id, d.endpoint_id LIMIT 1) further
      WHERE walk.step < p_limit)
    SELECT walk.tenant_id, walk.endpoint_id
    FROM walk LEFT JOIN LATERAL (
      SELECT true AS found FROM delivery d
      WHERE d.tenant_id = walk.tenant_id AND d.endpoint_id = walk.endpoint_id AND d.status = 'pending' AND d.head
        AND d.next_attempt_at <= now()
        AND (d.lease_until IS NULL OR d.lease_until < now() OR NOT process_runs(d.lease))
      ORDER BY d.next_attempt_at LIMIT 1) due ON true
    WHERE walk.step > 0 AND (due.found OR walk.step = p_limit)
    ORDER BY walk.step`,
})}
`,
  },
  {
    name: 'webhooks_0006_import_entries',
    sql: `
-- Entries stay, and files are named after people, too.
ALTER TABLE activity NO FORCE ROW LEVEL SECURITY;
UPDATE activity SET metadata = metadata - 'fileName' WHERE type = 'import.completed' AND metadata ? 'fileName';
ALTER TABLE activity FORCE ROW LEVEL SECURITY;
`,
  },
];
