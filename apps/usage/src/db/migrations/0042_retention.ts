import type { Migration } from '@kontor/persistence';

/** Under a sandbox clock what is too old goes as time passes there: the first time that a clock is set makes it due. */
export const retention: Migration = {
  name: '0042_retention',
  sql: `
CREATE FUNCTION usage_clock_set() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO due_work (tenant_id, kind, ref, due_at, wall, poll_at) VALUES (NEW.tenant_id, 'usage.retention', NEW.tenant_id, NEW.now, false, now())
    ON CONFLICT (tenant_id, kind, ref) DO NOTHING;
  RETURN NULL;
END $$;
CREATE TRIGGER usage_clock_set AFTER INSERT ON tenant_clock FOR EACH ROW EXECUTE FUNCTION usage_clock_set();
`,
};
