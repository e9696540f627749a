import type { Tx } from '@kontor/kernel';
import type { RowTable } from '@kontor/persistence';
import type { ListQuery } from './list-query.js';
import { listSql, type ListSqlOptions } from './list-sql.js';

export interface ListedTable<R extends object> extends Pick<ListSqlOptions, 'columns' | 'defaultOrder'> {
  readonly table: RowTable<R>;
  /** Text columns that `search` looks into. */
  readonly search?: readonly string[];
  /** A further condition on the table `t`; `bind` returns the placeholder of a value. */
  readonly condition?: (bind: (value: unknown) => string) => string;
}

const escapeLike = (text: string): string => text.replace(/[\\%_]/g, '\\$&');

/** One page of a tenant's rows and the number of all that match: two statements, however long the page. */
export async function listRows<R extends object>(
  tx: Tx,
  list: ListQuery,
  { table, search = [], condition, ...options }: ListedTable<R>,
): Promise<{ rows: R[]; total: number }> {
  const { where, params, orderBy, limit, offset } = listSql(list, { ...options, usedParams: 1 });
  const bind = (value: unknown): string => `$${params.push(value) + 1}`;
  const conditions = [where];
  if (condition) conditions.push(condition(bind));
  if (list.search !== null && search.length > 0) {
    const pattern = bind(`%${escapeLike(list.search)}%`);
    conditions.push(`(${search.map((column) => `${column} ILIKE ${pattern}`).join(' OR ')})`);
  }
  const matching = conditions.join(' AND ');
  const [count] = await tx.query<{ n: number }>(
    `SELECT count(*)::int AS n FROM ${table.name} t WHERE t.tenant_id = $1 AND ${matching}`,
    [tx.tenantId, ...params],
  );
  const rows =
    limit === 0 ? [] : await table.where(tx, `${matching} ORDER BY ${orderBy} LIMIT ${limit} OFFSET ${offset}`, params);
  return { rows, total: count?.n ?? 0 };
}
