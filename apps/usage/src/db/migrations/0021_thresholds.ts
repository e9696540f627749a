import { type Migration, tenantTable } from '@kontor/persistence';

/** Thresholds, what they wait for and when they were reached. */
export const thresholds: Migration = {
  name: 'usage_0021_thresholds',
  sql: `
CREATE TABLE usage_threshold (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  -- Counts the events published about it.
  version integer NOT NULL,
  metric_id uuid NOT NULL,
  customer_id uuid,
  value numeric NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id),
  FOREIGN KEY (tenant_id, metric_id) REFERENCES usage_metric (tenant_id, id)
);
CREATE INDEX usage_threshold_created ON usage_threshold (tenant_id, created_at, id);
CREATE INDEX usage_threshold_metric ON usage_threshold (tenant_id, metric_id);
CREATE INDEX usage_threshold_customer ON usage_threshold (tenant_id, customer_id);
${tenantTable('usage_threshold')}

-- Once per threshold, customer and month.
CREATE TABLE usage_threshold_hit (
  tenant_id uuid NOT NULL,
  threshold_id uuid NOT NULL,
  customer_id uuid NOT NULL,
  period_from timestamptz NOT NULL,
  period_to timestamptz NOT NULL,
  value numeric NOT NULL,
  reached_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, threshold_id, customer_id, period_from),
  FOREIGN KEY (tenant_id, threshold_id) REFERENCES usage_threshold (tenant_id, id) ON DELETE CASCADE
);
${tenantTable('usage_threshold_hit')}

-- Usage of a watched metric that changed and was not looked at. Rows are only added and taken away: who adds waits for
-- nobody, and what is added while others are looked at is looked at later.
CREATE TABLE usage_touched (
  tenant_id uuid NOT NULL,
  id bigint GENERATED ALWAYS AS IDENTITY,
  metric_id uuid NOT NULL,
  customer_id uuid NOT NULL,
  -- Some instant of the changed bucket.
  at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id)
);
${tenantTable('usage_touched')}

CREATE FUNCTION usage_touch(tenant uuid, metrics uuid[], customers uuid[], ats timestamptz[])
  RETURNS void LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  INSERT INTO usage_touched (tenant_id, metric_id, customer_id, at)
  SELECT usage_acting_tenant(tenant), * FROM unnest(metrics, customers, ats)
$$;
REVOKE ALL ON FUNCTION usage_touch(uuid, uuid[], uuid[], timestamptz[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION usage_touch(uuid, uuid[], uuid[], timestamptz[]) TO {{app}}, {{ingest}};
`,
};
