import { invariant, type Tx } from '@kontor/kernel';
import { getMetadataArgsStorage } from 'typeorm';

interface ColumnOf {
  readonly property: string;
  readonly column: string;
  readonly type: string;
  readonly primary: boolean;
}

type RowClass<R> = new () => R;

const columns = new Map<Function, readonly ColumnOf[]>();
const tables = new Map<Function, string>();
const snake = (property: string): string => property.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Table, columns and types of a row class: one description for TypeORM and for set-based statements. */
function columnsOf(row: Function): readonly ColumnOf[] {
  const known = columns.get(row);
  if (known) return known;
  const found = getMetadataArgsStorage()
    .columns.filter((column) => column.target === row)
    .map((column) => ({
      property: column.propertyName,
      column: `"${snake(column.propertyName)}"`,
      type: String(column.options.type),
      primary: column.options.primary === true,
    }));
  invariant(found.length > 0, `${row.name} is a row class`);
  columns.set(row, found);
  return found;
}

export function tableOf(row: Function): string {
  let table = tables.get(row);
  if (table === undefined) {
    table = String(getMetadataArgsStorage().tables.find((entry) => entry.target === row)?.name);
    tables.set(row, table);
  }
  return table;
}

const toParameter = (type: string, value: unknown): unknown =>
  (type === 'jsonb' || type === 'json') && value !== null && value !== undefined ? JSON.stringify(value) : (value ?? null);

/** Inserts any number of rows by one statement. `conflict`: the SQL after `on conflict`. */
export async function insertRows<R extends object>(tx: Tx, row: RowClass<R>, rows: readonly R[], conflict?: string): Promise<void> {
  if (rows.length === 0) return;
  const spec = columnsOf(row);
  const names = spec.map((c) => c.column).join(', ');
  const arrays = spec.map((c, i) => `$${i + 1}::${c.type}[]`).join(', ');
  const params = spec.map((c) => rows.map((r) => toParameter(c.type, (r as Record<string, unknown>)[c.property])));
  await tx.query(
    `insert into ${tableOf(row)} (${names}) select * from unnest(${arrays})${conflict ? ` on conflict ${conflict}` : ''}`,
    params,
  );
}

/** Writes the named properties of any number of rows, found by their keys, by one statement. */
export async function updateRows<R extends object>(
  tx: Tx,
  row: RowClass<R>,
  rows: readonly R[],
  properties: readonly (keyof R & string)[],
): Promise<void> {
  if (rows.length === 0 || properties.length === 0) return;
  const spec = columnsOf(row);
  const used = spec.filter((c) => c.primary || properties.includes(c.property as keyof R & string));
  const arrays = used.map((c, i) => `$${i + 1}::${c.type}[]`).join(', ');
  const params = used.map((c) => rows.map((r) => toParameter(c.type, (r as Record<string, unknown>)[c.property])));
  const set = used.filter((c) => !c.primary).map((c) => `${c.column} = v.${c.column}`);
  const keys = used.filter((c) => c.primary).map((c) => `t.${c.column} = v.${c.column}`);
  await tx.query(
    `update ${tableOf(row)} t set ${set.join(', ')} from unnest(${arrays}) as v(${used.map((c) => c.column).join(', ')}) where ${keys.join(' and ')}`,
    params,
  );
}

/** Reads rows as objects of their class's properties. `where` may use the columns and `$`-parameters; RLS adds the tenant. */
export async function selectRows<R extends object>(tx: Tx, row: RowClass<R>, where: string, params: readonly unknown[] = []): Promise<R[]> {
  return tx.query<R>(`select ${selectList(row)} from ${tableOf(row)} t where ${where}`, params);
}

/** `t."net_minor" as "netMinor", …` */
export const selectList = (row: Function): string =>
  columnsOf(row)
    .map((c) => `t.${c.column} as "${c.property}"`)
    .join(', ');
