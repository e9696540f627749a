import { invariant } from '@kontor/kernel';
import { arrayLiteral } from './array-literal.js';
import type { RowColumn } from './row-shape.js';

/** Values that columns must have: one value, any of several, or null for none. All of them must match. */
export type Match<R> = {
  readonly [P in Exclude<keyof R, 'tenantId'>]?: R[P] | readonly NonNullable<R[P]>[] | null;
};

export interface FindOptions<R> {
  /** Columns in the order of the object's keys. */
  readonly orderBy?: { readonly [P in keyof R]?: 'asc' | 'desc' };
  readonly limit?: number;
  readonly offset?: number;
  /** Holds the rows until the transaction ends: against any change (`share`), or for changing them (`update`). */
  readonly lock?: 'update' | 'share';
  /** Connections keep the statement. @see prepared */
  readonly prepared?: boolean;
}

export interface Condition {
  /** Begins with the tenant, `$1`. */
  readonly sql: string;
  readonly params: unknown[];
}

/** The condition that finds the tenant's rows that match. */
export function conditionOf(
  columns: ReadonlyMap<string, RowColumn>,
  tenantId: string,
  match: Readonly<Record<string, unknown>>,
): Condition {
  const params: unknown[] = [tenantId];
  let sql = 'tenant_id = $1';
  for (const [property, value] of Object.entries(match)) {
    const column = columnOf(columns, property);
    invariant(!column.isJson && !column.isArray, `${property} is a column of single values`);
    // An undefined value would find all rows where its writer meant some.
    invariant(value !== undefined, `${property} has a value`);
    if (value === null) sql += ` AND ${column.name} IS NULL`;
    else if (Array.isArray(value))
      sql += ` AND ${column.name} = ANY($${params.push(arrayLiteral(value))}::${column.type}[])`;
    else sql += ` AND ${column.name} = $${params.push(value)}`;
  }
  return { sql, params };
}

/** What follows the condition; `params` gets the limits. */
export function tailOf(
  columns: ReadonlyMap<string, RowColumn>,
  params: unknown[],
  { orderBy = {}, limit, offset, lock }: FindOptions<object>,
): string {
  const order = Object.entries(orderBy).map(
    ([property, direction]) => `${columnOf(columns, property).name} ${direction === 'desc' ? 'DESC' : 'ASC'}`,
  );
  let sql = order.length > 0 ? ` ORDER BY ${order.join(', ')}` : '';
  if (limit !== undefined) sql += ` LIMIT $${params.push(limit)}`;
  if (offset !== undefined) sql += ` OFFSET $${params.push(offset)}`;
  return lock ? `${sql} FOR ${lock === 'update' ? 'UPDATE' : 'SHARE'}` : sql;
}

function columnOf(columns: ReadonlyMap<string, RowColumn>, property: string): RowColumn {
  const column = columns.get(property);
  invariant(column, `${property} is a column`);
  return column;
}
