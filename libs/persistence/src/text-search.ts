export interface TextSearch {
  /** Name of the function and of the index. */
  readonly name: string;
  readonly table: string;
  /** Column with what is found; a uuid. */
  readonly id: string;
  /** Columns of the text, all of which the function may read. */
  readonly columns: readonly string[];
}

/** The text that is searched: the columns one after the other with blanks between them, in lower case. */
export const searchedText = ({ columns }: Pick<TextSearch, 'columns'>): string =>
  `lower(${columns.map((column) => `coalesce(${column}, '')`).join(" || ' ' || ")})`;

/** Of so many of the newest rows, so many must match for reading along to be cheaper than the index. */
const SAMPLED = 100;
const ALIKE = 90;

/**
 * SQL of a trigram index over text columns of a table, and of the function that searches it: ids of rows whose text contains
 * what is asked for, of the transaction's tenant alone. Under row-level security LIKE may not use an index, because it might report
 * what it was called with; so the function runs as the look-up role, and reads the tenant from where the policies do. What nearly all
 * rows contain is found along the key, as the index would gather all its entries first; the planner cannot know it, since it may not use
 * statistics there.
 */
export const textSearch = (search: TextSearch): string => {
  const { name, table, id, columns } = search;
  const text = searchedText(search);
  const newest = (limit: string): string => `
      FROM (SELECT t.${id} AS key, ${text} AS text FROM ${table} t WHERE t.tenant_id = tenant ORDER BY t.${id} DESC LIMIT ${limit}) n
      WHERE n.text LIKE wanted`;
  return `
CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE EXTENSION IF NOT EXISTS btree_gin;
CREATE INDEX ${name} ON ${table} USING gin (tenant_id, (${text}) gin_trgm_ops);
CREATE POLICY ${name}_lookup ON ${table} FOR SELECT TO {{lookup}} USING (true);
GRANT SELECT (${['tenant_id', id, ...columns].join(', ')}) ON ${table} TO {{lookup}};
CREATE FUNCTION ${name}(pattern text, most integer) RETURNS TABLE (id uuid)
  LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $search$
  DECLARE
    tenant CONSTANT uuid := nullif(current_setting('app.tenant', true), '')::uuid;
    wanted CONSTANT text := lower(pattern);
    near uuid[];
  BEGIN
    IF (SELECT count(*) ${newest(String(SAMPLED))}) >= ${ALIKE} THEN
      near := ARRAY(SELECT n.key ${newest('most * 5 / 4')} LIMIT most);
      -- Fewer may be all, or not: only the index knows.
      IF cardinality(near) = most THEN RETURN QUERY SELECT unnest(near); RETURN; END IF;
    END IF;
    RETURN QUERY SELECT t.${id} FROM ${table} t WHERE t.tenant_id = tenant AND ${text} LIKE wanted LIMIT most;
  END
  $search$;
ALTER FUNCTION ${name}(text, integer) OWNER TO {{lookup}};
REVOKE ALL ON FUNCTION ${name}(text, integer) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION ${name}(text, integer) TO {{app}};
`;
};
