import {
  ingestReadsClocks,
  type Migration,
  onCopiesChanged,
  PARENT_CUSTOMER,
  replicaColumn,
  tenantTable,
} from '@kontor/persistence';

/**
 * Events lie in day partitions by their id, a ULID whose time is the real time of arrival: whatever time an event
 * claims, it goes to the end of today's leaf, and a leaf that is no longer needed is dropped whole. What makes a
 * transactionId count once is apart, because a unique index cannot span partitions by time. Leaves are written by the
 * ingest role with COPY, which does not work under row-level security; they are only read through their parent.
 */
export const events: Migration = {
  name: 'usage_0001_events',
  sql: `
CREATE TABLE usage_event (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  customer_id uuid NOT NULL,
  occurred_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL,
  voided_at timestamptz,
  transaction_id text NOT NULL,
  event_name text NOT NULL,
  properties jsonb NOT NULL,
  PRIMARY KEY (tenant_id, id)
) PARTITION BY RANGE (id);
-- The id ends them, because a page has to be found among a million events of one timestamp too (an exporter that stamps
-- midnight).
CREATE INDEX usage_event_time ON usage_event (tenant_id, occurred_at, id);
CREATE INDEX usage_event_name ON usage_event (tenant_id, event_name, occurred_at, id);
CREATE INDEX usage_event_customer ON usage_event (tenant_id, customer_id, occurred_at, id);
CREATE INDEX usage_event_span ON usage_event USING brin (occurred_at) WITH (autosummarize = on);
${tenantTable('usage_event')}

-- One row per transactionId for ever: 16 bytes of SHA-256 over tenant and transactionId. One leaf, so that COPY reaches
-- it.
CREATE TABLE usage_event_key (
  digest uuid PRIMARY KEY,
  tenant_id uuid NOT NULL
) PARTITION BY RANGE (digest);
${tenantTable('usage_event_key')}
CREATE TABLE usage_event_key_all PARTITION OF usage_event_key FOR VALUES FROM (MINVALUE) TO (MAXVALUE);
REVOKE ALL ON usage_event_key_all FROM {{app}};
GRANT INSERT ON usage_event_key_all TO {{ingest}};

-- What ingestion relies on per tenant, as versions: a batch that was prepared with others is prepared again. No
-- tenant's data.
CREATE TABLE usage_tenant (
  tenant_id uuid PRIMARY KEY,
  customers_version bigint NOT NULL DEFAULT 0,
  raw_from timestamptz
);
GRANT SELECT ON usage_tenant TO {{ingest}};
${ingestReadsClocks}

-- The smallest id of an event that arrives at an instant.
CREATE FUNCTION usage_id_floor(at timestamptz) RETURNS uuid LANGUAGE sql IMMUTABLE AS $$
  SELECT (lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0') || '00000000000000000000')::uuid
$$;

-- Makes the leaf of a day (UTC). ATTACH lets readers and writers of the table go on, which PARTITION OF would not.
CREATE FUNCTION usage_make_leaf(day date) RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp SET timezone = 'UTC' AS $$
DECLARE leaf text := 'usage_event_' || to_char(day, 'YYYYMMDD');
BEGIN
  IF to_regclass(leaf) IS NOT NULL THEN RETURN false; END IF;
  PERFORM pg_advisory_xact_lock(hashtextextended('usage_leaves', 0));
  IF to_regclass(leaf) IS NOT NULL THEN RETURN false; END IF;
  EXECUTE format('CREATE TABLE %I (LIKE usage_event INCLUDING ALL)', leaf);
  EXECUTE format('REVOKE ALL ON %I FROM {{app}}', leaf);
  EXECUTE format('GRANT INSERT ON %I TO {{ingest}}', leaf);
  EXECUTE format('ALTER TABLE usage_event ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)',
    leaf, usage_id_floor(day::timestamp AT TIME ZONE 'UTC'), usage_id_floor((day + 1)::timestamp AT TIME ZONE 'UTC'));
  RETURN true;
END $$;

-- Drops the leaf of a day. It waits for locks only for a moment: while the table is busy, the caller tries again later.
CREATE FUNCTION usage_drop_leaf(day date) RETURNS void LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp SET lock_timeout = '500ms' AS $$
BEGIN
  EXECUTE format('DROP TABLE IF EXISTS %I', 'usage_event_' || to_char(day, 'YYYYMMDD'));
END $$;

-- What ingestion knows of a tenant: the version of its customers, that of its metrics (0: none), its sandbox clock.
-- Reading it locks the metrics against a change until the transaction ends. A volatile function looks anew after each
-- lock, so it sees what the holder of the exclusive one has committed.
CREATE FUNCTION usage_versions(tenant uuid) RETURNS TABLE (customers bigint, metrics bigint, clock timestamptz)
  LANGUAGE plpgsql AS $$
BEGIN
  metrics := usage_metrics_begin(tenant);
  SELECT coalesce((SELECT t.customers_version FROM usage_tenant t WHERE t.tenant_id = tenant), 0),
    tenant_frozen_at(tenant) INTO customers, clock;
  RETURN NEXT;
END $$;

-- Refuses by SQLSTATE KU001 a batch that relies on something that has changed meanwhile.
CREATE FUNCTION usage_guard(tenants uuid[], versions bigint[], metric_versions bigint[], clocks timestamptz[])
  RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  metrics bigint;
  customers bigint;
  clock timestamptz;
BEGIN
  FOR i IN 1 .. cardinality(tenants) LOOP
    PERFORM set_config('app.tenant', tenants[i]::text, true);
    metrics := usage_metrics_begin(tenants[i]);
    SELECT t.customers_version INTO customers FROM usage_tenant t WHERE t.tenant_id = tenants[i];
    clock := tenant_frozen_at(tenants[i]);
    IF metrics <> metric_versions[i] OR coalesce(customers, 0) <> versions[i] OR clock IS DISTINCT FROM clocks[i]
    THEN RAISE EXCEPTION 'what the batch relies on has changed' USING ERRCODE = 'KU001'; END IF;
  END LOOP;
END $$;
GRANT EXECUTE ON FUNCTION usage_versions(uuid), usage_guard(uuid[], bigint[], bigint[], timestamptz[]) TO {{ingest}};

-- Events name a customer by its id, external id or number. Plain columns, because an index over data->>'externalId' is
-- not used under row-level security (the operator is not leakproof).
${replicaColumn({ name: 'external_id', kind: 'customer', field: 'externalId' })}
${replicaColumn({ name: 'customer_number', kind: 'customer', field: 'customerNumber' })}
-- Events are listed of a customer with all below it.
${replicaColumn(PARENT_CUSTOMER)}
CREATE FUNCTION usage_customers_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO usage_tenant AS t (tenant_id, customers_version)
    SELECT DISTINCT tenant_id, 1 FROM changed WHERE kind = 'customer' ORDER BY tenant_id
    ON CONFLICT (tenant_id) DO UPDATE SET customers_version = t.customers_version + 1;
  RETURN NULL;
END $$;
${onCopiesChanged('usage_customers', 'usage_customers_changed')}
`,
};
