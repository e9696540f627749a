import { type Migration, tenantTable } from '@kontor/persistence';
import { fileLookup, VOUCHERS } from '@kontor/service-kit';

/** Columns that a document's number makes final; what happens to it later is in the others. */
const FINAL = [
  'type',
  'number',
  'source_type',
  'currency_code',
  'language',
  'created_at',
  'finalized_at',
  'due_at',
  'title',
  'introduction',
  'closing',
  'custom_fields',
  'invoice_address_id',
  'invoice_address',
  'net_minor',
  'discount_minor',
  'tax_minor',
  'gross_minor',
  'service_from',
  'service_last',
  'exchange_rates',
  'media_id',
  'e_invoice_type',
  'leitweg_id',
  'xml_media_id',
  'referenced_invoice_id',
  'referenced_invoices',
  'imported',
];
/** Their type has no equality. */
const JSON_COLUMNS = ['custom_fields', 'invoice_address', 'exchange_rates', 'referenced_invoices'];
const rowOf = (row: string): string =>
  FINAL.map((column) => `${row}.${column}${JSON_COLUMNS.includes(column) ? '::text' : ''}`).join(', ');

/** When a row's document was finalized. */
const FINALIZED = (row: string): string =>
  `(SELECT i.finalized_at FROM invoice i WHERE i.tenant_id = ${row}.tenant_id AND i.id = ${row}.invoice_id)`;

/**
 * The database itself refuses to change what was finalized, whoever asks. Only an erasure may delete it, and only when its term is over
 * (`may_erase`). The number of a document that is gone remains, so that none is missing.
 */
export const immutable: Migration = {
  name: 'invoicing_0160_immutable',
  sql: `
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% of % refused: finalized documents never change', TG_OP, TG_TABLE_NAME
    USING ERRCODE = 'integrity_constraint_violation';
END $$;

-- Numbers of documents that are gone.
CREATE TABLE erased_document (
  tenant_id uuid NOT NULL,
  number text NOT NULL,
  PRIMARY KEY (tenant_id, number)
);
${tenantTable('erased_document')}

CREATE FUNCTION refuse_early_erasure() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT may_erase(OLD.tenant_id, OLD.finalized_at, ${VOUCHERS.years}) THEN
    RAISE EXCEPTION '% of % refused: finalized documents never change', TG_OP, TG_TABLE_NAME
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  IF NOT OLD.imported AND NOT EXISTS (SELECT FROM tenant_erasure e WHERE e.tenant_id = OLD.tenant_id) THEN
    INSERT INTO erased_document (tenant_id, number) VALUES (OLD.tenant_id, OLD.number) ON CONFLICT DO NOTHING;
  END IF;
  RETURN OLD;
END $$;

CREATE FUNCTION refuse_change_of_parts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND may_erase(OLD.tenant_id, ${FINALIZED('OLD')}, ${VOUCHERS.years}) THEN RETURN OLD; END IF;
  RAISE EXCEPTION '% of % refused: finalized documents never change', TG_OP, TG_TABLE_NAME
    USING ERRCODE = 'integrity_constraint_violation';
END $$;

CREATE FUNCTION refuse_change_of_series() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM tenant_erasure e WHERE e.tenant_id = OLD.tenant_id AND may_erase(e.tenant_id, e.begun_at, ${VOUCHERS.years}))
  THEN RETURN OLD; END IF;
  RAISE EXCEPTION '% of % refused: finalized documents never change', TG_OP, TG_TABLE_NAME
    USING ERRCODE = 'integrity_constraint_violation';
END $$;

CREATE TRIGGER invoice_is_final BEFORE UPDATE ON invoice FOR EACH ROW
  WHEN (OLD.number IS NOT NULL AND (${rowOf('OLD')}) IS DISTINCT FROM (${rowOf('NEW')}))
  EXECUTE FUNCTION refuse_change();
CREATE TRIGGER invoice_stays BEFORE DELETE ON invoice FOR EACH ROW
  WHEN (OLD.number IS NOT NULL) EXECUTE FUNCTION refuse_early_erasure();

CREATE FUNCTION refuse_change_of_positions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (
    SELECT FROM changed c
    JOIN invoice i ON i.tenant_id = c.tenant_id AND i.id = c.invoice_id
    WHERE i.number IS NOT NULL AND NOT (TG_OP = 'DELETE' AND may_erase(i.tenant_id, i.finalized_at, ${VOUCHERS.years})))
  THEN
    RAISE EXCEPTION '% of % refused: finalized documents never change', TG_OP, TG_TABLE_NAME
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER positions_are_final_insert AFTER INSERT ON invoice_position
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION refuse_change_of_positions();
CREATE TRIGGER positions_are_final_update AFTER UPDATE ON invoice_position
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION refuse_change_of_positions();
CREATE TRIGGER positions_are_final_delete AFTER DELETE ON invoice_position
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION refuse_change_of_positions();

-- What a file is rendered from, with its SHA-256: the text is kept as it was written.
ALTER TABLE document_snapshot ADD COLUMN sha256 text;
ALTER TABLE document_snapshot NO FORCE ROW LEVEL SECURITY;
UPDATE document_snapshot SET sha256 = encode(sha256(convert_to(snapshot::text, 'UTF8')), 'hex');
ALTER TABLE document_snapshot FORCE ROW LEVEL SECURITY;
ALTER TABLE document_snapshot ALTER COLUMN sha256 SET NOT NULL;
CREATE FUNCTION hash_snapshot() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.sha256 := encode(sha256(convert_to(NEW.snapshot::text, 'UTF8')), 'hex');
  RETURN NEW;
END $$;
CREATE TRIGGER snapshot_is_hashed BEFORE INSERT ON document_snapshot FOR EACH ROW EXECUTE FUNCTION hash_snapshot();
CREATE TRIGGER snapshot_is_final BEFORE UPDATE OR DELETE ON document_snapshot FOR EACH ROW
  EXECUTE FUNCTION refuse_change_of_parts();

-- The key of stored bytes is their SHA-256. A preview is no document.
CREATE TRIGGER file_is_final BEFORE UPDATE OR DELETE ON media FOR EACH ROW
  WHEN (OLD.blob_key IS NOT NULL AND OLD.kind <> 'preview') EXECUTE FUNCTION refuse_change_of_parts();
${fileLookup('media', 'blob_key')}

CREATE TRIGGER history_is_final BEFORE UPDATE OR DELETE ON invoice_history FOR EACH ROW
  EXECUTE FUNCTION refuse_change_of_parts();

CREATE TRIGGER numbers_only_rise BEFORE UPDATE ON number_series FOR EACH ROW
  WHEN (NEW.next < OLD.next OR (NEW.series, NEW.year) IS DISTINCT FROM (OLD.series, OLD.year))
  EXECUTE FUNCTION refuse_change();
CREATE TRIGGER numbers_stay BEFORE DELETE ON number_series FOR EACH ROW EXECUTE FUNCTION refuse_change_of_series();
`,
};
