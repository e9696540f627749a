import { type Migration, tenantTable } from '@kontor/persistence';

/**
 * Who signed in, and who changed what somebody may do. The database numbers the entries of a tenant without a gap, chains them by
 * their hashes, and refuses to change or delete one, whoever asks. Times are real time.
 */
export const auditLog: Migration = {
  name: '0007_audit_log',
  sql: `
CREATE TABLE audit_entry (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  number bigint NOT NULL,
  type text NOT NULL,
  at timestamptz NOT NULL,
  actor jsonb,
  subject jsonb,
  address text,
  user_agent text,
  metadata jsonb NOT NULL,
  previous_hash bytea NOT NULL,
  hash bytea NOT NULL,
  PRIMARY KEY (tenant_id, id),
  UNIQUE (tenant_id, number)
);
CREATE INDEX audit_entry_type ON audit_entry (tenant_id, type, number DESC);
${tenantTable('audit_entry')}

CREATE FUNCTION audit_entry_hash(e audit_entry) RETURNS bytea LANGUAGE sql IMMUTABLE AS $$
  SELECT sha256(e.previous_hash || convert_to(jsonb_build_array(
    e.tenant_id, e.id, e.number, e.type, (extract(epoch FROM e.at) * 1000)::bigint, e.actor, e.subject, e.address, e.user_agent, e.metadata
  )::text, 'UTF8'))
$$;

CREATE FUNCTION chain_audit_entry() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  last record;
BEGIN
  -- One after the other: the next entry is chained to this one when this one is committed.
  PERFORM pg_advisory_xact_lock(hashtextextended('audit_entry ' || NEW.tenant_id, 0));
  SELECT e.number, e.hash INTO last FROM audit_entry e
    WHERE e.tenant_id = NEW.tenant_id ORDER BY e.number DESC LIMIT 1;
  NEW.number := coalesce(last.number, 0) + 1;
  NEW.previous_hash := coalesce(last.hash, '\\x'::bytea);
  NEW.hash := audit_entry_hash(NEW);
  RETURN NEW;
END $$;
CREATE TRIGGER audit_entry_is_chained BEFORE INSERT ON audit_entry FOR EACH ROW EXECUTE FUNCTION chain_audit_entry();

CREATE FUNCTION keep_audit_log() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% of % refused: the audit log never changes', TG_OP, TG_TABLE_NAME
    USING ERRCODE = 'integrity_constraint_violation';
END $$;
CREATE TRIGGER audit_entry_stays BEFORE UPDATE OR DELETE ON audit_entry FOR EACH ROW EXECUTE FUNCTION keep_audit_log();
CREATE TRIGGER audit_log_stays BEFORE TRUNCATE ON audit_entry EXECUTE FUNCTION keep_audit_log();
`,
};
