import type { Migration } from '@kontor/persistence';

/**
 * Under a sandbox clock what is too old goes as time passes there. It is looked at when the clock is set for the first time and when
 * the setting changes; from then on the work knows itself when something is too old next.
 */
export const retention: Migration = {
  name: '0042_retention',
  sql: `
CREATE FUNCTION usage_look_at_retention() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO due_work AS d (tenant_id, kind, ref, due_at, wall, poll_at)
    SELECT tenant_id, 'usage.retention', tenant_id, now, false, now() FROM tenant_clock WHERE tenant_id = NEW.tenant_id
    ON CONFLICT (tenant_id, kind, ref) DO UPDATE SET due_at = excluded.due_at, poll_at = excluded.poll_at, retry_at = NULL, attempts = 0,
      last_error = NULL, rescheduled = coalesce(d.lease_until > now(), false), lease_until = CASE WHEN d.lease_until > now() THEN d.lease_until END;
  RETURN NULL;
END $$;
CREATE TRIGGER usage_clock_set AFTER INSERT ON tenant_clock FOR EACH ROW EXECUTE FUNCTION usage_look_at_retention();
CREATE TRIGGER usage_retention_known AFTER INSERT ON replica FOR EACH ROW WHEN (NEW.kind = 'settings') EXECUTE FUNCTION usage_look_at_retention();
CREATE TRIGGER usage_retention_changed AFTER UPDATE ON replica FOR EACH ROW
  WHEN (NEW.kind = 'settings' AND NEW.data->'usageRetentionDays' IS DISTINCT FROM OLD.data->'usageRetentionDays') EXECUTE FUNCTION usage_look_at_retention();
`,
};
