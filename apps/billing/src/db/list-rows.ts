import type { TenantTx } from '@kontor/persistence';
import { type ListColumn, type ListQuery, listSql } from '@kontor/service-kit';
import { In } from 'typeorm';

export interface ListedTable<R> {
  readonly row: new () => R;
  readonly table: string;
  /** Fields of filters and order to their columns, as `listSql` takes them. */
  readonly columns: Readonly<Record<string, string | ListColumn>>;
  /** Text columns that `search` looks into. */
  readonly search?: readonly string[];
}

const escapeLike = (text: string): string => text.replace(/[\\%_]/g, '\\$&');

/** One page of a tenant's rows and the number of all that match: three statements, however long the page. */
export async function listRows<R extends { id: string }>(
  tx: TenantTx,
  list: ListQuery,
  options: ListedTable<R>,
): Promise<{ rows: R[]; total: number }> {
  const { where, params, orderBy, limit, offset } = listSql(list, { columns: options.columns, usedParams: 1 });
  const bound: unknown[] = [tx.tenantId, ...params];
  let condition = `tenant_id = $1 and ${where}`;
  if (list.search !== null && options.search) {
    const pattern = `$${bound.push(`%${escapeLike(list.search)}%`)}`;
    condition += ` and (${options.search.map((column) => `${column} ilike ${pattern}`).join(' or ')})`;
  }
  const [count] = await tx.query<{ n: number }>(`select count(*)::int as n from ${options.table} where ${condition}`, bound);
  if (limit === 0) return { rows: [], total: count?.n ?? 0 };
  const ids = await tx.query<{ id: string }>(
    `select id from ${options.table} where ${condition} order by ${orderBy} limit ${limit} offset ${offset}`,
    bound,
  );
  const found =
    ids.length === 0
      ? []
      : await tx.manager.findBy(options.row as never, { tenantId: tx.tenantId, id: In(ids.map(({ id }) => id)) } as never);
  const byId = new Map((found as R[]).map((row) => [row.id, row]));
  return { rows: ids.flatMap(({ id }) => byId.get(id) ?? []), total: count?.n ?? 0 };
}
