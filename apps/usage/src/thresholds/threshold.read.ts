import { notFound } from '@kontor/kernel';
import { decimal, formatDecimal } from '@kontor/money';
import type { TenantTx } from '@kontor/persistence';
import { type ListQuery, listSql, type Page, page } from '@kontor/service-kit';
import { type TSchema, Type } from '@sinclair/typebox';

export interface ThresholdRow {
  id: string;
  metric_id: string;
  customer_id: string | null;
  value: string;
  created_at: Date;
  metric_code: string;
  metric_name: string;
  metric_unit: string | null;
}

export const representThreshold = (row: ThresholdRow) => ({
  id: row.id,
  metric: { id: row.metric_id, code: row.metric_code, name: row.metric_name, unit: row.metric_unit },
  customerId: row.customer_id,
  value: formatDecimal(decimal(row.value)),
  createdAt: row.created_at.toISOString(),
});
export type UsageThresholdJson = ReturnType<typeof representThreshold>;

const orNull = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()]);

export const UsageThreshold = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    metric: Type.Object({ id: Type.String({ format: 'uuid' }), code: Type.String(), name: Type.String(), unit: orNull(Type.String()) }),
    customerId: orNull(Type.String({ format: 'uuid', description: 'Null: each customer by itself.' })),
    value: Type.String({ description: 'Decimal; usage of a calendar month that is as much or more reaches it.' }),
    createdAt: Type.String({ format: 'date-time' }),
  },
  { $id: 'UsageThreshold' },
);

export const THRESHOLD_LIST = { filters: { metric: 'uuid', customerId: 'uuid' }, order: ['createdAt'] } as const;

const NAMED = `SELECT t.*, m.code AS metric_code, m.name AS metric_name, m.unit AS metric_unit
  FROM usage_threshold t JOIN usage_metric m ON m.tenant_id = t.tenant_id AND m.id = t.metric_id`;

/** @throws DomainError 404 `not_found`. */
export async function getThreshold(tx: TenantTx, id: string): Promise<UsageThresholdJson> {
  const [row] = await tx.query<ThresholdRow>(`${NAMED} WHERE t.tenant_id = $1 AND t.id = $2`, [tx.tenantId, id]);
  if (!row) throw notFound('The usage threshold');
  return representThreshold(row);
}

/** Thresholds by id, for their notices. */
export async function getThresholds(tx: TenantTx, ids: readonly string[]): Promise<Map<string, UsageThresholdJson>> {
  const rows = await tx.query<ThresholdRow>(`${NAMED} WHERE t.tenant_id = $1 AND t.id = ANY($2::uuid[])`, [tx.tenantId, ids]);
  return new Map(rows.map((row) => [row.id, representThreshold(row)]));
}

export async function listThresholds(tx: TenantTx, list: ListQuery): Promise<Page<UsageThresholdJson>> {
  const columns = { metric: { sql: 'metric_id', type: 'uuid' }, customerId: { sql: 'customer_id', type: 'uuid' }, createdAt: 'created_at' } as const; // prettier-ignore
  const { where, params, orderBy, limit, offset } = listSql(list, { columns, usedParams: 1 });
  const values = [tx.tenantId, ...params];
  const rows = await tx.query<{ id: string }>(
    `SELECT id FROM usage_threshold WHERE tenant_id = $1 AND ${where} ORDER BY ${orderBy} LIMIT ${limit} OFFSET ${offset}`,
    values,
  );
  const [count] = await tx.query<{ n: bigint }>(`SELECT count(*) AS n FROM usage_threshold WHERE tenant_id = $1 AND ${where}`, values);
  const found = await getThresholds(tx, rows.map((row) => row.id)); // prettier-ignore
  return page(rows.map((row) => found.get(row.id)!), count!.n, list); // prettier-ignore
}
