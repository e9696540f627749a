import type { Tx } from '@kontor/kernel';
import type { RowTable } from '@kontor/persistence';
import { countMatching, MAX_COUNTED } from './count-matching.js';
import type { ListQuery } from './list-query.js';
import { type ListColumn, type ListSql, listSql, type ListSqlOptions, type Total } from './list-sql.js';

export interface ListedTable<R extends object> extends Pick<ListSqlOptions, 'columns' | 'defaultOrder'> {
  readonly table: RowTable<R>;
  /** What `search` looks into: text columns of a small table, or the index of a large one. */
  readonly search?: readonly string[] | SearchIndex;
  /** A further condition on the table `t`; `bind` returns the placeholder of a value. */
  readonly condition?: (bind: (value: unknown) => string) => string;
  /** Where rows may be long: SQL of the bytes of the row `t`, and what is thrown when a page of more than one has too many. */
  readonly long?: { readonly bytes: string; readonly refusal: (rows: number) => Error };
}

/** A text of each row that a trigram index covers. @see textSearch of persistence, which makes both */
export interface SearchIndex {
  /** The function: ids of the tenant's rows whose text is like a pattern, up to a number. */
  readonly ids: string;
  /** SQL of the text of the row `t`, in lower case. */
  readonly text: string;
}

/** So many matches are sorted; of more, the page is looked for in the list's own order, where they lie close. */
const MAX_FOUND = 2_000;
/** Of a page of more than one row, where rows may be long. */
const MAX_PAGE_BYTES = 20_000_000;

const escapeLike = (text: string): string => text.replace(/[\\%_]/g, '\\$&');

/**
 * One page of a tenant's rows and the number of all that match: two statements that do not wait for each other, however long the
 * page. A search is one before them.
 */
export async function listRows<R extends object>(
  tx: Tx,
  list: ListQuery,
  { table, search = [], condition, long, ...options }: ListedTable<R>,
): Promise<{ rows: R[]; total: Total }> {
  const columns = withNullability(table, options.columns);
  const { where, params, ...place } = listSql(list, { ...options, columns, usedParams: 1 });
  const bind = (value: unknown): string => `$${params.push(value) + 1}`;
  const conditions = [where];
  if (condition) conditions.push(condition(bind));
  let counted: number | undefined;
  if (list.search !== null && 'ids' in search) {
    const found = await find(tx, list.search, search);
    conditions.push(found.condition(bind));
    if (where === 'true' && !condition) counted = found.count;
  } else if (list.search !== null && 'length' in search && search.length > 0) {
    const pattern = bind(`%${escapeLike(list.search)}%`);
    conditions.push(`(${search.map((column) => `${column} ILIKE ${pattern}`).join(' OR ')})`);
  }
  const matching = conditions.join(' AND ');
  const from = `FROM ${table.name} t WHERE t.tenant_id = $1 AND ${matching}`;
  if (long) await requireModestPage(tx, long, { from, params: [tx.tenantId, ...params], place });
  const [total, rows] = await Promise.all([
    countMatching(tx, from, [tx.tenantId, ...params], counted),
    place.limit === 0 ? [] : table.page(tx, matching, params, place),
  ]);
  return { rows, total };
}

interface PageOf {
  readonly from: string;
  readonly params: readonly unknown[];
  readonly place: Pick<ListSql, 'orderBy' | 'limit' | 'offset'>;
}

/** @throws what is given for a page that is too large: it would be read, and written as JSON, while everybody else waits */
async function requireModestPage(
  tx: Tx,
  { bytes, refusal }: NonNullable<ListedTable<object>['long']>,
  { from, params, place: { orderBy, limit, offset } }: PageOf,
): Promise<void> {
  const [found] = await tx.query<{ rows: number; isLarge: boolean | null }>(
    `SELECT count(*)::int AS rows, sum(s.bytes) > ${MAX_PAGE_BYTES} AS "isLarge"
     FROM (SELECT ${bytes} AS bytes ${from} ORDER BY ${orderBy} LIMIT ${limit} OFFSET ${offset}) s`,
    params,
  );
  const { rows, isLarge } = found!;
  if (rows > 1 && isLarge) throw refusal(rows);
}

interface Found {
  /** How many match by the search alone, up to one more than is counted. */
  readonly count: number;
  readonly condition: (bind: (value: unknown) => string) => string;
}

async function find(tx: Tx, text: string, { ids, text: searched }: SearchIndex): Promise<Found> {
  const pattern = `%${escapeLike(text)}%`;
  const [found] = await tx.query<{ count: number; ids: string[] | null }>(
    `SELECT count(*)::int AS count, CASE WHEN count(*) <= ${MAX_FOUND} THEN array_agg(f.id) END AS ids
     FROM ${ids}($1, ${MAX_COUNTED + 1}) f`,
    [pattern],
  );
  const { count, ids: few } = found!;
  if (count > MAX_FOUND) return { count, condition: (bind) => `${searched} LIKE lower(${bind(pattern)})` };
  return { count, condition: (bind) => `t.id = ANY(${bind(few ?? [])}::uuid[])` };
}

/** Columns that always hold something are ordered as any index has them. */
function withNullability<R extends object>(
  table: RowTable<R>,
  columns: ListSqlOptions['columns'],
): Record<string, ListColumn> {
  return Object.fromEntries(
    Object.entries(columns).map(([field, given]) => {
      const column = typeof given === 'string' ? { sql: given } : given;
      const name = /^(?:t\.)?([a-z_]+)$/.exec(column.sql)?.[1];
      return [field, { filled: name !== undefined && !table.isNullable(name), ...column }];
    }),
  );
}
