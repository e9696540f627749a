import type { RowTable, TenantTx } from '@kontor/persistence';

const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

/** The next rows of a table by id, for copies that are made page by page; null: from the beginning. */
export const rowsAfter = <R extends { id: string }>(
  tx: TenantTx,
  table: RowTable<R>,
  after: string | null,
  limit: number,
): Promise<R[]> => table.where(tx, 't.id > $2 ORDER BY t.id LIMIT $3', [after ?? BEFORE_ALL, limit]);
