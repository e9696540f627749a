import type { Database, TenantTx } from '@kontor/persistence';
import { type CustomerTable, isLegalTerm, isOver, type LegalTerm, rowsOf } from './customer-table.js';
import { assignments, countRemoved, ERASING, type Whose } from './erase-rows.js';
import { keepFilesInMind } from './remove-files.js';

/** Rows in one transaction, what goes together with them not counted. */
const PORTION = 500;

/** Takes away a portion of what was kept of a customer in a table and whose term is over. Returns how many rows there were. */
export async function endTerms(
  database: Database,
  { tenantId, customerId }: Whose,
  table: CustomerTable,
  tables: readonly CustomerTable[],
): Promise<number> {
  const { erasure } = table;
  if (!isLegalTerm(erasure) || erasure.then === 'together') return 0;
  return database.tenant(tenantId, async (tx) => {
    await tx.query(ERASING);
    const { then } = erasure;
    const count =
      typeof then === 'object'
        ? await blank(tx, customerId, table, erasure, then.set)
        : await remove(tx, customerId, table, erasure, tables);
    if (count > 0) await countRemoved(tx, customerId, table.table, count);
    return count;
  });
}

const ended = (table: CustomerTable, term: LegalTerm): string =>
  `${rowsOf(table)} AND (${table.where ?? 'true'}) AND ${isOver(term)}`;

async function blank(
  tx: TenantTx,
  customerId: string,
  table: CustomerTable,
  term: LegalTerm,
  values: Readonly<Record<string, string>>,
): Promise<number> {
  const { table: name, key = 'id' } = table;
  const { isOpen, set } = assignments(values);
  const rows = await tx.query(
    `UPDATE ${name} SET ${set} WHERE tenant_id = $1 AND ${key} = ANY(ARRAY(
       SELECT t.${key} FROM ${name} t WHERE ${ended(table, term)} AND (${isOpen}) LIMIT ${PORTION}))
     RETURNING 1`,
    [tx.tenantId, customerId],
  );
  return rows.length;
}

/** What belongs to the rows goes first: what refuses to let it go asks these for their term. */
async function remove(
  tx: TenantTx,
  customerId: string,
  table: CustomerTable,
  term: LegalTerm,
  tables: readonly CustomerTable[],
): Promise<number> {
  const { table: name, key = 'id', files } = table;
  const keys = await tx.query<{ key: string }>(
    `SELECT t.${key}::text AS key FROM ${name} t WHERE ${ended(table, term)} LIMIT ${PORTION} FOR UPDATE`,
    [tx.tenantId, customerId],
  );
  if (keys.length === 0) return 0;
  const found = keys.map((row) => row.key);
  for (const { table: part, column } of term.together ?? []) {
    const file = tables.find((entry) => entry.table === part && entry.files)?.files?.key;
    const gone = await tx.query<{ file: string | null }>(
      `DELETE FROM ${part} WHERE tenant_id = $1 AND ${column}::text = ANY($2::text[]) RETURNING ${file ?? 'NULL::text'} AS file`,
      [tx.tenantId, found],
    );
    await keepFilesInMind(tx, gone);
    if (gone.length > 0) await countRemoved(tx, customerId, part, gone.length);
  }
  const gone = await tx.query<{ file: string | null }>(
    `DELETE FROM ${name} WHERE tenant_id = $1 AND ${key}::text = ANY($2::text[]) RETURNING ${files?.key ?? 'NULL::text'} AS file`,
    [tx.tenantId, found],
  );
  await keepFilesInMind(tx, gone);
  return gone.length;
}
