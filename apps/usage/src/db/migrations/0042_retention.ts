import { type Migration, onClockFrozen, onCopyFieldChanged } from '@kontor/persistence';

/**
 * Under a sandbox clock what is too old is removed as time passes there. Retention is scheduled when the clock is set
 * for the first time and when the setting changes; from then on the work itself knows when something is too old next.
 */
export const retention: Migration = {
  name: '0042_retention',
  sql: `
CREATE FUNCTION usage_schedule_retention() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF tenant_frozen_at(NEW.tenant_id) IS NOT NULL THEN
    PERFORM schedule_due_now(NEW.tenant_id, 'usage.retention', ARRAY[NEW.tenant_id::text]);
  END IF;
  RETURN NULL;
END $$;
${onClockFrozen('usage_clock_set', 'usage_schedule_retention')}
${onCopyFieldChanged('usage_retention', { kind: 'settings', field: 'usageRetentionDays' }, 'usage_schedule_retention')}
`,
};
