import { type Migration, tenantTable } from '@kontor/persistence';

/**
 * Closings: frozen usage of the periods that are billed. A period is written down first and measured after everybody
 * who was storing events has ended; from then on whoever changes its rollups finds it and sees to it that it is looked
 * at again. So an event is either in the amount or noticed, and never both.
 */
export const closings: Migration = {
  name: 'usage_0030_closings',
  sql: `
CREATE TABLE usage_closing (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  item_id uuid NOT NULL,
  customer_id uuid NOT NULL,
  metric_id uuid NOT NULL,
  -- What the metric meant when the period was closed: another definition corrects nothing.
  meaning text NOT NULL,
  -- weighted_sum: events before the period count too.
  carries boolean NOT NULL,
  from_at timestamptz NOT NULL,
  to_at timestamptz NOT NULL,
  group_by jsonb NOT NULL,
  -- The frozen amounts; null until they are measured.
  value text,
  groups jsonb,
  measured_at timestamptz,
  -- Until a change of it was published: afterwards the closing that follows is watched.
  watched boolean NOT NULL DEFAULT true,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (tenant_id, id),
  CHECK (from_at < to_at),
  CHECK ((value IS NULL) = (measured_at IS NULL) AND (value IS NULL) = (groups IS NULL))
);
CREATE INDEX usage_closing_watched ON usage_closing (tenant_id, metric_id, customer_id, to_at) WHERE watched;
CREATE INDEX usage_closing_latest ON usage_closing (tenant_id, to_at) WHERE watched;
${tenantTable('usage_closing')}

-- Two definitions of one meaning count the same events in the same way, whatever their rollups.
CREATE FUNCTION usage_metric_meaning(m usage_metric) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT md5(jsonb_build_array(
    m.event_name, m.aggregation_type, m.property, m.percentile, m.filters, m.group_by, m.rounding)::text)
$$;

-- Runs in the transaction that stores or voids events. What happens now lies after all closed periods, so it mostly
-- ends after one look.
CREATE OR REPLACE FUNCTION usage_closings_touched(
  tenant uuid, rollup_ids uuid[], froms timestamptz[], tos timestamptz[], buckets int[], customers uuid[])
  RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  earliest timestamptz := (SELECT min(f) FROM unnest(froms) f);
  touched text[];
BEGIN
  IF NOT EXISTS (SELECT FROM usage_closing WHERE tenant_id = tenant AND watched AND to_at > earliest) THEN
    RETURN;
  END IF;
  SELECT array_agg(DISTINCT c.id::text) INTO touched
  FROM unnest(buckets, customers) AS r (bucket, customer_id)
  JOIN usage_metric m ON m.tenant_id = tenant AND m.rollup_id = rollup_ids[r.bucket]
  JOIN usage_closing c ON c.tenant_id = tenant AND c.watched AND c.metric_id = m.id AND c.customer_id = r.customer_id
    AND c.to_at > froms[r.bucket] AND (c.carries OR c.from_at < tos[r.bucket])
    AND c.meaning = usage_metric_meaning(m);
  PERFORM schedule_due_now(tenant, 'usage.closing', touched);
END $$;
`,
};
