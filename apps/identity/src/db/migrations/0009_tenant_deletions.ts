import { type Migration, tenantTable } from '@kontor/persistence';
import { BOOKS } from '@kontor/service-kit';

/** Tenants that are deleted. Their audit log goes when the term of what it explains is over, and not before. */
export const tenantDeletions: Migration = {
  name: '0009_tenant_deletions',
  sql: `
CREATE TABLE tenant_deletion (
  tenant_id uuid PRIMARY KEY,
  status text NOT NULL CHECK (status IN ('closing', 'waiting', 'revoking', 'erasing', 'kept', 'completed')),
  status_before text NOT NULL CHECK (status_before IN ('active', 'suspended')),
  wholly boolean NOT NULL,
  requested_at timestamptz NOT NULL,
  requested_by jsonb,
  erase_at timestamptz NOT NULL,
  erased_at timestamptz,
  completed_at timestamptz,
  parts jsonb NOT NULL,
  CHECK ((status = 'completed') = (completed_at IS NOT NULL))
);
${tenantTable('tenant_deletion')}

CREATE FUNCTION keep_audit_entry() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND EXISTS (SELECT FROM tenant_erasure e WHERE e.tenant_id = OLD.tenant_id)
    AND may_erase(OLD.tenant_id, OLD.at, ${BOOKS.years})
  THEN
    RETURN OLD;
  END IF;
  RAISE EXCEPTION '% of % refused: the audit log never changes', TG_OP, TG_TABLE_NAME
    USING ERRCODE = 'integrity_constraint_violation';
END $$;
DROP TRIGGER audit_entry_stays ON audit_entry;
CREATE TRIGGER audit_entry_stays BEFORE UPDATE OR DELETE ON audit_entry FOR EACH ROW EXECUTE FUNCTION keep_audit_entry();
`,
};
