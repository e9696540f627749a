import { type Migration, tenantTable } from '@kontor/persistence';

const ms = (from: string, to: string): string => `(extract(epoch FROM (${to} - ${from})) * 1000)`;
const later = '(excluded.last_at, excluded.last_id) > (r.last_at, r.last_id)';
/**
 * Buckets and groups come once each, rows name them by position: to read a thousand equal timestamps would cost more
 * than to add them.
 */
const CHANGES = `tenant uuid, rollup_ids uuid[], widths text[], froms timestamptz[], tos timestamptz[],
    keys uuid[], groups text[],
    buckets int[], customers uuid[], grps int[], counts bigint[], sums numeric[], mins numeric[], maxs numeric[],
    firsts timestamptz[], lasts timestamptz[], last_ids uuid[], last_values numeric[], integrals numeric[]`;
/** A list that is null is null for each row. */
const ROWS = `unnest(
      buckets, customers, grps, counts, sums, mins, maxs, firsts, lasts, last_ids, last_values, integrals)
    AS x (bucket, customer_id, grp, count, sum, min, max, first_at, last_at, last_id, last_value, integral)`;
const newest = (column: string): string =>
  `CASE WHEN r.last_at IS NULL OR ${later} THEN excluded.${column} ELSE r.${column} END`;

/**
 * Metrics and their rollups. A rollup row holds what one bucket (a day, where asked also an hour) of one customer and
 * group adds up to; it changes in the transaction that stores or voids the events. Rows belong to a `rollup_id`, which
 * a metric changes with its definition: old rows are then unused and are removed in the background.
 */
export const metrics: Migration = {
  name: 'usage_0020_metrics',
  sql: `
CREATE TABLE usage_metric (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  version integer NOT NULL,
  code text NOT NULL,
  name text NOT NULL,
  description text,
  event_name text NOT NULL,
  aggregation_type text NOT NULL,
  property text,
  percentile text,
  filters jsonb NOT NULL,
  group_by jsonb NOT NULL,
  unit text,
  rounding jsonb,
  rollup text NOT NULL CHECK (rollup IN ('day', 'hour')),
  status text NOT NULL CHECK (status IN ('active', 'archived')),
  rollup_id uuid NOT NULL,
  -- Zone of the day buckets.
  bucket_zone text NOT NULL,
  -- While the rollups are being built: events from (built_from, built_from_id) on are in them, earlier ones are not
  -- yet. Null: all are.
  built_from timestamptz,
  built_from_id uuid,
  -- What arrived before was partly removed by retention when the rollups were begun. Null: nothing was.
  counts_from timestamptz,
  -- Some threshold waits for it: changes of its rollups are noted.
  watched boolean NOT NULL DEFAULT false,
  -- Begin of the month for which thresholds of held levels were checked.
  levels_seen timestamptz,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id),
  CONSTRAINT usage_metric_code UNIQUE (tenant_id, code)
);
CREATE INDEX usage_metric_created ON usage_metric (tenant_id, created_at, id);
CREATE INDEX usage_metric_event ON usage_metric (tenant_id, event_name);
CREATE INDEX usage_metric_status ON usage_metric (tenant_id, status);
CREATE INDEX usage_metric_type ON usage_metric (tenant_id, aggregation_type);
${tenantTable('usage_metric')}

CREATE TABLE usage_metric_version (tenant_id uuid PRIMARY KEY, version bigint NOT NULL);
${tenantTable('usage_metric_version')}

CREATE TABLE usage_rollup (
  tenant_id uuid NOT NULL,
  rollup_id uuid NOT NULL,
  width text NOT NULL,
  customer_id uuid NOT NULL,
  bucket_from timestamptz NOT NULL,
  bucket_to timestamptz NOT NULL,
  grp_key uuid NOT NULL,
  grp text NOT NULL,
  count bigint NOT NULL,
  sum numeric,
  min numeric,
  max numeric,
  first_at timestamptz,
  last_at timestamptz,
  last_id uuid,
  last_value numeric,
  -- weighted_sum: Σ level × milliseconds from first_at to bucket_to.
  integral numeric,
  -- The numbers beside count and sum are no longer true: whoever needs them reads the bucket's events, until it is
  -- repaired.
  stale boolean NOT NULL DEFAULT false,
  PRIMARY KEY (tenant_id, rollup_id, width, customer_id, bucket_from, grp_key)
) WITH (fillfactor = 70);
-- For questions about all customers only: a predicate that is always true, and that the planner finds where a query
-- says the same. Without statistics (just after an import) it would take this index for one customer too, and read
-- everybody's rows: 150 times slower.
CREATE INDEX usage_rollup_time ON usage_rollup (tenant_id, rollup_id, width, bucket_from) WHERE (stale OR NOT stale);
CREATE INDEX usage_rollup_stale ON usage_rollup (tenant_id, rollup_id) WHERE stale;
${tenantTable('usage_rollup')}

-- The tenant of this transaction; functions that run with the owner's rights act for no other.
CREATE FUNCTION usage_acting_tenant(tenant uuid) RETURNS uuid LANGUAGE plpgsql STABLE AS $$
BEGIN
  IF tenant IS DISTINCT FROM nullif(current_setting('app.tenant', true), '')::uuid THEN
    RAISE EXCEPTION 'the transaction belongs to another tenant' USING ERRCODE = 'insufficient_privilege';
  END IF;
  RETURN tenant;
END $$;

-- Begins the keeping of rollups in a transaction that adds or voids events: definitions do not change until it ends.
-- Returns their version, 0 for a tenant without metrics. A volatile function reads anew after the lock.
CREATE FUNCTION usage_metrics_begin(tenant uuid) RETURNS bigint
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE found bigint;
BEGIN
  PERFORM pg_advisory_xact_lock_shared(hashtextextended('usage_metrics ' || tenant, 0));
  SELECT version INTO found FROM usage_metric_version WHERE tenant_id = usage_acting_tenant(tenant);
  RETURN coalesce(found, 0);
END $$;

-- Waits for everybody who is adding events and keeps others from beginning until this transaction ends.
CREATE FUNCTION usage_metrics_lock(tenant uuid) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('usage_metrics ' || tenant, 0));
END $$;

CREATE FUNCTION usage_metrics_changed(tenant uuid) RETURNS bigint LANGUAGE sql AS $$
  INSERT INTO usage_metric_version AS v (tenant_id, version) VALUES (tenant, 1)
  ON CONFLICT (tenant_id) DO UPDATE SET version = v.version + 1 RETURNING version
$$;

CREATE FUNCTION usage_metric_definitions(tenant uuid) RETURNS SETOF usage_metric
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT * FROM usage_metric WHERE tenant_id = usage_acting_tenant(tenant)
$$;

CREATE FUNCTION usage_metrics_building(tenant uuid)
  RETURNS TABLE (rollup_id uuid, built_from timestamptz, built_from_id uuid)
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT rollup_id, built_from, built_from_id
  FROM usage_metric
  WHERE tenant_id = usage_acting_tenant(tenant) AND built_from IS NOT NULL
$$;

-- Makes closings due whose period is touched by changes of these customers' buckets: see where closings are made.
CREATE FUNCTION usage_closings_touched(
  tenant uuid, rollup_ids uuid[], froms timestamptz[], tos timestamptz[], buckets int[], customers uuid[])
  RETURNS void LANGUAGE plpgsql AS $$ BEGIN END $$;

-- Both return whether a bucket became stale.
CREATE FUNCTION usage_rollups_add(${CHANGES})
  RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE became boolean;
BEGIN
  WITH kept AS (INSERT INTO usage_rollup AS r (
    tenant_id, rollup_id, width, customer_id, bucket_from, bucket_to, grp_key, grp,
    count, sum, min, max, first_at, last_at, last_id, last_value, integral)
  SELECT usage_acting_tenant(tenant), rollup_ids[x.bucket], widths[x.bucket], x.customer_id,
    froms[x.bucket], tos[x.bucket], keys[x.grp], groups[x.grp],
    x.count, x.sum, x.min, x.max, x.first_at, x.last_at, x.last_id, x.last_value, x.integral
  FROM ${ROWS}
  ON CONFLICT (tenant_id, rollup_id, width, customer_id, bucket_from, grp_key) DO UPDATE SET
    count = r.count + excluded.count,
    sum = r.sum + excluded.sum,
    min = least(r.min, excluded.min),
    max = greatest(r.max, excluded.max),
    -- Two stretches of levels join when one lies wholly before the other; the earlier one's last level ends where the
    -- later begins.
    integral = CASE
      WHEN r.integral IS NULL THEN excluded.integral
      WHEN excluded.integral IS NULL THEN r.integral
      WHEN excluded.first_at > r.last_at
        THEN r.integral - r.last_value * ${ms('excluded.first_at', 'r.bucket_to')} + excluded.integral
      ELSE excluded.integral - excluded.last_value * ${ms('r.first_at', 'r.bucket_to')} + r.integral END,
    stale = r.stale OR coalesce(r.integral IS NOT NULL AND excluded.integral IS NOT NULL
      AND NOT (excluded.first_at > r.last_at OR excluded.last_at < r.first_at), false),
    first_at = least(r.first_at, excluded.first_at),
    last_value = ${newest('last_value')},
    last_at = ${newest('last_at')},
    last_id = ${newest('last_id')}
  RETURNING r.stale) SELECT coalesce(bool_or(stale), false) INTO became FROM kept;
  PERFORM usage_closings_touched(tenant, rollup_ids, froms, tos, buckets, customers);
  RETURN became;
END $$;

CREATE FUNCTION usage_rollups_remove(${CHANGES})
  RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE became boolean;
BEGIN
  WITH kept AS (UPDATE usage_rollup r SET
    count = r.count - x.count,
    sum = r.sum - x.sum,
    stale = r.count > x.count AND (r.stale OR coalesce(x.min <= r.min, false) OR coalesce(x.max >= r.max, false)
      OR x.integral IS NOT NULL OR coalesce((x.last_at, x.last_id) >= (r.last_at, r.last_id), false)),
    min = CASE WHEN r.count > x.count THEN r.min END,
    max = CASE WHEN r.count > x.count THEN r.max END,
    first_at = CASE WHEN r.count > x.count THEN r.first_at END,
    last_at = CASE WHEN r.count > x.count THEN r.last_at END,
    last_id = CASE WHEN r.count > x.count THEN r.last_id END,
    last_value = CASE WHEN r.count > x.count THEN r.last_value END,
    integral = CASE WHEN r.count > x.count THEN r.integral END
  FROM ${ROWS}
  WHERE r.tenant_id = usage_acting_tenant(tenant) AND r.rollup_id = rollup_ids[x.bucket] AND r.width = widths[x.bucket]
    AND r.customer_id = x.customer_id AND r.bucket_from = froms[x.bucket] AND r.grp_key = keys[x.grp]
  RETURNING r.stale) SELECT coalesce(bool_or(stale), false) INTO became FROM kept;
  PERFORM usage_closings_touched(tenant, rollup_ids, froms, tos, buckets, customers);
  RETURN became;
END $$;

DO $$ DECLARE f regprocedure; BEGIN
  FOR f IN
    SELECT oid
    FROM pg_proc
    WHERE pronamespace = 'public'::regnamespace AND prosecdef
      AND proname IN ('usage_metrics_begin', 'usage_metric_definitions', 'usage_metrics_building',
        'usage_rollups_add', 'usage_rollups_remove')
  LOOP
    EXECUTE format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', f);
    EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO {{app}}, {{ingest}}', f);
  END LOOP;
END $$;
`,
};
