/**
 * SQL that puts a table under forced row-level security: a transaction sees and writes only rows of `app.tenant`, and a
 * transaction without a tenant sees nothing, the owner included. The table's first key column must be `tenant_id uuid`.
 */
export const tenantTable = (table: string): string => `
ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY;
ALTER TABLE ${table} FORCE ROW LEVEL SECURITY;
CREATE POLICY ${table}_tenant ON ${table} TO {{app}}, {{owner}}
  USING (tenant_id = nullif(current_setting('app.tenant', true), '')::uuid)
  WITH CHECK (tenant_id = nullif(current_setting('app.tenant', true), '')::uuid);
`;

export interface LookupFunction {
  readonly name: string;
  /** `api_key_by_digest(digest bytea)`: the parameter list as SQL. */
  readonly parameters: string;
  /** Table that is read across tenants, and the columns that the body reads. */
  readonly table: string;
  readonly columns: readonly string[];
  /** Columns that come back; by rule `tenant_id uuid, id uuid` and nothing more. */
  readonly returns: string;
  /** One SELECT, with the parameters by name. */
  readonly body: string;
}

/**
 * SQL of a look-up before the tenant is known (API key, public token). It runs as a role that can log in nowhere and may
 * read the named columns of this one table across tenants; the app role may only call it.
 */
export const lookupFunction = (f: LookupFunction): string => {
  const types = f.parameters
    .split(',')
    .map((parameter) => parameter.trim().split(/\s+/).slice(1).join(' '))
    .join(', ');
  return `
CREATE POLICY ${f.name}_lookup ON ${f.table} FOR SELECT TO {{lookup}} USING (true);
GRANT SELECT (${f.columns.join(', ')}) ON ${f.table} TO {{lookup}};
CREATE FUNCTION ${f.name}(${f.parameters}) RETURNS TABLE (${f.returns})
  LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $lookup$ ${f.body} $lookup$;
ALTER FUNCTION ${f.name}(${types}) OWNER TO {{lookup}};
REVOKE ALL ON FUNCTION ${f.name}(${types}) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION ${f.name}(${types}) TO {{app}};
`;
};
