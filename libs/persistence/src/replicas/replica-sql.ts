import { lookupFunction } from '../tenant-table.js';

/** A field of one kind of copies that a service searches by. */
export interface ReplicaColumn {
  /** Name of the column: `external_id`. */
  readonly name: string;
  readonly kind: string;
  /** Field of the copy's data: `externalId`. */
  readonly field: string;
}

/**
 * SQL that keeps a field of copies in a column with an index, for `ReplicaReader.idsByColumn`: operators on jsonb are not
 * leakproof, so no index over an expression serves them under row-level security.
 */
export const replicaColumn = ({ name, kind, field }: ReplicaColumn): string => `
ALTER TABLE replica
  ADD COLUMN ${name} text GENERATED ALWAYS AS (CASE WHEN kind = '${kind}' THEN data->>'${field}' END) STORED;
CREATE INDEX replica_${name} ON replica (tenant_id, ${name}) WHERE ${name} IS NOT NULL;
`;

/**
 * SQL of a look-up of copies by a field, whatever its case, in all tenants: for who names no tenant. Its function `<name>(wanted text, page_size
 * integer)` wants lower case and returns `tenant_id uuid, id uuid`.
 */
export const replicaLookup = ({ name, kind, field }: ReplicaColumn): string => `
ALTER TABLE replica
  ADD COLUMN ${name} text GENERATED ALWAYS AS (CASE WHEN kind = '${kind}' AND NOT deleted THEN lower(data->>'${field}') END) STORED;
CREATE INDEX replica_${name} ON replica (${name}, tenant_id, id) WHERE ${name} IS NOT NULL;
${lookupFunction({
  name,
  parameters: 'wanted text, page_size integer',
  table: 'replica',
  columns: ['tenant_id', 'id', name],
  returns: 'tenant_id uuid, id uuid',
  body: `SELECT r.tenant_id, r.id::uuid FROM replica r WHERE r.${name} = wanted ORDER BY r.tenant_id, r.id LIMIT page_size`,
})}
`;

/** SQL that calls a trigger function after each statement on copies; it finds their rows (`tenant_id, kind, id`) as `changed`. */
export const onCopiesChanged = (trigger: string, call: string): string => `
CREATE TRIGGER ${trigger}_inserted AFTER INSERT ON replica
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION ${call}();
CREATE TRIGGER ${trigger}_updated AFTER UPDATE ON replica
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION ${call}();
CREATE TRIGGER ${trigger}_deleted AFTER DELETE ON replica
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION ${call}();
`;

/** SQL that calls a trigger function for each copy of a kind that is new, or in which one field has changed. */
export const onCopyFieldChanged = (
  trigger: string,
  { kind, field }: Omit<ReplicaColumn, 'name'>,
  call: string,
): string => `
CREATE TRIGGER ${trigger}_known AFTER INSERT ON replica FOR EACH ROW
  WHEN (NEW.kind = '${kind}') EXECUTE FUNCTION ${call}();
CREATE TRIGGER ${trigger}_changed AFTER UPDATE ON replica FOR EACH ROW
  WHEN (NEW.kind = '${kind}' AND NEW.data->'${field}' IS DISTINCT FROM OLD.data->'${field}') EXECUTE FUNCTION ${call}();
`;
