/** Runs as the owner, so that the app role can keep partitions without owning tables. */
export const MAINTENANCE = `
CREATE FUNCTION messaging_maintain(outbox_days integer, inbox_days integer) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM current AS $$
DECLARE
  parent text;
  first_day date := (now() AT TIME ZONE 'UTC')::date;
  wanted date;
  old record;
  dropped integer := 0;
BEGIN
  SET LOCAL lock_timeout = '2s';
  FOREACH parent IN ARRAY ARRAY['outbox', 'inbox'] LOOP
    FOR wanted IN SELECT first_day + n FROM generate_series(0, 3) AS n LOOP
      IF to_regclass(format('%I', parent || '_' || to_char(wanted, 'YYYYMMDD'))) IS NULL THEN
        BEGIN
          EXECUTE format('create table %I partition of %I for values from (%L) to (%L)',
            parent || '_' || to_char(wanted, 'YYYYMMDD'), parent, wanted, wanted + 1);
        EXCEPTION WHEN check_violation THEN
          NULL; -- rows of that day are in the default partition already: they stay there
        END;
      END IF;
    END LOOP;
    FOR old IN
      SELECT c.relname, to_date(right(c.relname, 8), 'YYYYMMDD') AS day FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
      WHERE i.inhparent = parent::regclass AND c.relname ~ ('^' || parent || '_[0-9]{8}$')
    LOOP
      CONTINUE WHEN old.day >= first_day - (CASE parent WHEN 'outbox' THEN outbox_days ELSE inbox_days END);
      IF parent = 'outbox' THEN
        DECLARE unpublished boolean;
        BEGIN
          EXECUTE format('select exists (select from %I where id > (select last_id from relay_state))', old.relname) INTO unpublished;
          CONTINUE WHEN unpublished;
        END;
      END IF;
      EXECUTE format('drop table %I', old.relname);
      dropped := dropped + 1;
    END LOOP;
  END LOOP;
  DELETE FROM inbox_default WHERE day < first_day - inbox_days;
  return dropped;
END $$;
SELECT messaging_maintain(30, 35);`;

/**
 * Events of a day that had no partition yet (what a service wrote as it started after days) go as those of other days do, and what a broker
 * refused stays until it takes it.
 */
export const MAINTENANCE_OF_ALL = `
CREATE OR REPLACE FUNCTION messaging_maintain(outbox_days integer, inbox_days integer) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM current AS $$
DECLARE
  parent text;
  first_day date := (now() AT TIME ZONE 'UTC')::date;
  wanted date;
  old record;
  dropped integer := 0;
BEGIN
  SET LOCAL lock_timeout = '2s';
  FOREACH parent IN ARRAY ARRAY['outbox', 'inbox'] LOOP
    FOR wanted IN SELECT first_day + n FROM generate_series(0, 3) AS n LOOP
      IF to_regclass(format('%I', parent || '_' || to_char(wanted, 'YYYYMMDD'))) IS NULL THEN
        BEGIN
          EXECUTE format('create table %I partition of %I for values from (%L) to (%L)',
            parent || '_' || to_char(wanted, 'YYYYMMDD'), parent, wanted, wanted + 1);
        EXCEPTION WHEN check_violation THEN
          NULL; -- rows of that day are in the default partition already: they stay there
        END;
      END IF;
    END LOOP;
    FOR old IN
      SELECT c.relname, to_date(right(c.relname, 8), 'YYYYMMDD') AS day FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
      WHERE i.inhparent = parent::regclass AND c.relname ~ ('^' || parent || '_[0-9]{8}$')
    LOOP
      CONTINUE WHEN old.day >= first_day - (CASE parent WHEN 'outbox' THEN outbox_days ELSE inbox_days END);
      IF parent = 'outbox' THEN
        DECLARE unpublished boolean;
        BEGIN
          EXECUTE format('select exists (select from %I where id > (select last_id from relay_state))
            or exists (select from outbox_quarantine q where exists (select from %I where id = q.outbox_id))',
            old.relname, old.relname) INTO unpublished;
          CONTINUE WHEN unpublished;
        END;
      END IF;
      EXECUTE format('drop table %I', old.relname);
      dropped := dropped + 1;
    END LOOP;
  END LOOP;
  DELETE FROM inbox_default WHERE day < first_day - inbox_days;
  DELETE FROM outbox_default o
  WHERE o.day < first_day - outbox_days AND o.id <= (SELECT last_id FROM relay_state)
    AND NOT EXISTS (SELECT FROM outbox_quarantine q WHERE q.outbox_id = o.id);
  return dropped;
END $$;`;

/**
 * Counts days on which the service ran: where everything stood still for longer, or a clock was wrong, what was published may not be read, and
 * what was applied may come again. Each such day has a partition.
 */
export const DAYS_THAT_IT_RAN = `
CREATE FUNCTION messaging_kept_from(parent text, days integer) RETURNS date
LANGUAGE sql STABLE SET search_path FROM current AS $$
  SELECT to_date(right(c.relname, 8), 'YYYYMMDD') AS day FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
  WHERE i.inhparent = parent::regclass AND c.relname ~ ('^' || parent || '_[0-9]{8}$')
    AND to_date(right(c.relname, 8), 'YYYYMMDD') <= (now() AT TIME ZONE 'UTC')::date
  ORDER BY day DESC OFFSET days LIMIT 1
$$;
CREATE OR REPLACE FUNCTION messaging_maintain(outbox_days integer, inbox_days integer) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM current AS $$
DECLARE
  parent text;
  first_day date := (now() AT TIME ZONE 'UTC')::date;
  wanted date;
  kept_from date;
  old record;
  dropped integer := 0;
BEGIN
  SET LOCAL lock_timeout = '2s';
  FOREACH parent IN ARRAY ARRAY['outbox', 'inbox'] LOOP
    FOR wanted IN SELECT first_day + n FROM generate_series(0, 3) AS n LOOP
      IF to_regclass(format('%I', parent || '_' || to_char(wanted, 'YYYYMMDD'))) IS NULL THEN
        BEGIN
          EXECUTE format('create table %I partition of %I for values from (%L) to (%L)',
            parent || '_' || to_char(wanted, 'YYYYMMDD'), parent, wanted, wanted + 1);
        EXCEPTION WHEN check_violation THEN
          NULL; -- rows of that day are in the default partition already: they stay there
        END;
      END IF;
    END LOOP;
    kept_from := messaging_kept_from(parent, CASE parent WHEN 'outbox' THEN outbox_days ELSE inbox_days END);
    FOR old IN
      SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
      WHERE i.inhparent = parent::regclass AND c.relname ~ ('^' || parent || '_[0-9]{8}$')
        AND to_date(right(c.relname, 8), 'YYYYMMDD') < kept_from
    LOOP
      IF parent = 'outbox' THEN
        DECLARE unpublished boolean;
        BEGIN
          EXECUTE format('select exists (select from %I where id > (select last_id from relay_state))
            or exists (select from outbox_quarantine q where exists (select from %I where id = q.outbox_id))',
            old.relname, old.relname) INTO unpublished;
          CONTINUE WHEN unpublished;
        END;
      END IF;
      EXECUTE format('drop table %I', old.relname);
      dropped := dropped + 1;
    END LOOP;
    IF parent = 'outbox' THEN
      DELETE FROM outbox_default o
      WHERE o.day < kept_from AND o.id <= (SELECT last_id FROM relay_state)
        AND NOT EXISTS (SELECT FROM outbox_quarantine q WHERE q.outbox_id = o.id);
    ELSE
      DELETE FROM inbox_default WHERE day < kept_from;
      -- As long as the inbox: nothing comes again after that.
      DELETE FROM counted_apart WHERE (counted_at AT TIME ZONE 'UTC')::date < kept_from;
    END IF;
  END LOOP;
  RETURN dropped;
END $$;`;
