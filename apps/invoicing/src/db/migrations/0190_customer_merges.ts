import { customerMergeTables, type Migration } from '@kontor/persistence';

/** A finalized document keeps its customer, unless that was merged into another: then it is the other one's until that is undone. */
export const customerMerges: Migration = {
  name: 'invoicing_0190_customer_merges',
  sql: `
${customerMergeTables}

CREATE FUNCTION refuse_change_of_customer() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (
    SELECT FROM customer_merge m
    WHERE m.tenant_id = OLD.tenant_id AND m.source_customer_id = OLD.customer_id AND m.survivor_id = NEW.customer_id)
  AND NOT EXISTS (
    SELECT FROM customer_merge m
    JOIN customer_merge_object o ON o.tenant_id = m.tenant_id AND o.merge_id = m.merge_id
    WHERE m.tenant_id = OLD.tenant_id AND m.source_customer_id = NEW.customer_id AND m.survivor_id = OLD.customer_id
      AND m.status = 'undoing' AND o.object = 'invoice' AND o.object_id = OLD.id::text)
  THEN
    RAISE EXCEPTION '% of % refused: finalized documents never change', TG_OP, TG_TABLE_NAME
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER invoice_keeps_customer BEFORE UPDATE ON invoice FOR EACH ROW
  WHEN (OLD.number IS NOT NULL AND OLD.customer_id IS DISTINCT FROM NEW.customer_id)
  EXECUTE FUNCTION refuse_change_of_customer();
`,
};
