import type { Migration } from '@kontor/persistence';
import { VOUCHERS } from '@kontor/service-kit';

/**
 * An erasure takes away what belongs to a draft, or to one that was removed, as it takes the draft: neither has a term that could be over,
 * and a deletion of a tenant that has had a draft would never end.
 */
export const partsOfDrafts: Migration = {
  name: 'invoicing_0230_parts_of_drafts',
  sql: `
CREATE OR REPLACE FUNCTION refuse_change_of_parts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND current_setting('app.erasing', true) = 'on' AND NOT EXISTS (
    SELECT FROM invoice i WHERE i.tenant_id = OLD.tenant_id AND i.id = OLD.invoice_id AND i.finalized_at IS NOT NULL
      AND NOT may_erase(i.tenant_id, i.finalized_at, ${VOUCHERS.years}))
  THEN RETURN OLD; END IF;
  RAISE EXCEPTION '% of % refused: finalized documents never change', TG_OP, TG_TABLE_NAME
    USING ERRCODE = 'integrity_constraint_violation';
END $$;
`,
};
