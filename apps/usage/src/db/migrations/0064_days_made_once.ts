import type { Migration } from '@kontor/persistence';

/**
 * Replicas that start at once make a day once. A session hears of tables that others make when it locks one, not when it waits for an advisory
 * lock: `to_regclass` still said then that there is none, and the second process ended.
 */
export const daysMadeOnce: Migration = {
  name: 'usage_0064_days_made_once',
  sql: `
CREATE OR REPLACE FUNCTION usage_make_leaf(day date) RETURNS boolean LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp SET timezone = 'UTC' AS $$
DECLARE leaf text := 'usage_event_' || to_char(day, 'YYYYMMDD');
BEGIN
  IF to_regclass(leaf) IS NOT NULL THEN RETURN false; END IF;
  PERFORM pg_advisory_xact_lock(hashtextextended('usage_leaves', 0));
  IF EXISTS (SELECT FROM pg_class WHERE relname = leaf AND relnamespace = 'public'::regnamespace) THEN RETURN false; END IF;
  EXECUTE format('CREATE TABLE %I (LIKE usage_event INCLUDING ALL)', leaf);
  EXECUTE format('REVOKE ALL ON %I FROM {{app}}', leaf);
  EXECUTE format('GRANT INSERT ON %I TO {{ingest}}', leaf);
  EXECUTE format('ALTER TABLE usage_event ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)',
    leaf, usage_id_floor(day::timestamp AT TIME ZONE 'UTC'), usage_id_floor((day + 1)::timestamp AT TIME ZONE 'UTC'));
  RETURN true;
END $$;`,
};
