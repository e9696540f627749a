import type { ListQuery } from './list-query.js';

export interface ListColumn {
  /** SQL expression of the column, with its alias where there is one. */
  readonly sql: string;
  /** How filter values compare; `text` by default. `when`: a condition for true, negated for false. */
  readonly type?: 'text' | 'uuid' | 'boolean' | 'bigint' | 'when';
  /** The column always holds something, so that an index has its order whatever it says about missing values. */
  readonly filled?: boolean;
}

export interface ListSqlOptions {
  /** Fields of filters, ranges and order to their columns; a plain string is the column's SQL. */
  readonly columns: Readonly<Record<string, string | ListColumn>>;
  /** After the asked order, always, and in its direction: makes pages stable. Default `created_at DESC, id DESC`. */
  readonly defaultOrder?: string;
  /** Number of parameters that the caller has used already: ours begin at the next. */
  readonly usedParams?: number;
}

export interface ListSql {
  /** A condition, `true` when nothing was asked. */
  readonly where: string;
  readonly params: unknown[];
  readonly orderBy: string;
  readonly limit: number;
  readonly offset: number;
}

/** Builds the variable parts of a list's SQL; every value travels as a parameter. Search is the caller's. */
export function listSql(list: ListQuery, options: ListSqlOptions | ListSqlOptions['columns']): ListSql {
  const settings: ListSqlOptions = isOptions(options) ? options : { columns: options };
  const params: unknown[] = [];
  const bind = (value: unknown): string => `$${(settings.usedParams ?? 0) + params.push(value)}`;
  const column = (field: string): ListColumn => {
    const found = settings.columns[field];
    if (found === undefined) throw new Error(`list field ${field} has no column`);
    return typeof found === 'string' ? { sql: found } : found;
  };
  const conditions: string[] = [];
  for (const [field, values] of Object.entries(list.filters)) {
    const { sql, type = 'text' } = column(field);
    if (type === 'when') conditions.push(values.at(-1) === 'true' ? `(${sql})` : `NOT (${sql})`);
    else if (type === 'boolean') conditions.push(`${sql} = ${bind(values.at(-1) === 'true')}`);
    else
      conditions.push(values.length === 1 ? `${sql} = ${bind(values[0])}` : `${sql} = ANY(${bind(values)}::${type}[])`);
  }
  for (const [field, { after, before }] of Object.entries(list.ranges)) {
    if (after) conditions.push(`${column(field).sql} >= ${bind(after)}`);
    if (before) conditions.push(`${column(field).sql} < ${bind(before)}`);
  }
  const asked = list.order.map(({ field, direction }) => {
    const { sql, filled } = column(field);
    if (filled) return `${sql} ${direction.toUpperCase()}`;
    return `${sql} ${direction === 'asc' ? 'ASC NULLS FIRST' : 'DESC NULLS LAST'}`;
  });
  const rest = settings.defaultOrder ?? 'created_at DESC, id DESC';
  return {
    where: conditions.length === 0 ? 'true' : conditions.join(' AND '),
    params,
    orderBy: [...asked, list.order[0]?.direction === 'asc' ? reversed(rest) : rest].join(', '),
    limit: list.limit,
    offset: (list.page - 1) * list.limit,
  };
}

/** An order that an index on the asked column has together with it, read from its other end. */
const reversed = (order: string): string =>
  order.replaceAll(/DESC( NULLS LAST)?/g, (_match, last) => (last ? 'ASC NULLS FIRST' : 'ASC'));

const isOptions = (options: ListSqlOptions | ListSqlOptions['columns']): options is ListSqlOptions =>
  typeof options.columns === 'object' && !('sql' in options.columns);

export interface Page<T> {
  data: T[];
  meta: {
    pagination: {
      totalItems: number;
      itemsPerPage: number;
      currentPage: number;
      lastPage: number;
      pageTotalItems: number;
      /** Only where there are more than are counted one by one. */
      totalIsEstimate?: true;
    };
  };
}

/** How many there are: counted, or estimated where they are very many. */
export interface Total {
  readonly items: number;
  readonly isEstimate: boolean;
}

/** The answer of a collection. @see docs/rules/api.md#collections */
export function page<T>(items: T[], total: number | bigint | Total, list: Pick<ListQuery, 'page' | 'limit'>): Page<T> {
  const { items: counted, isEstimate } =
    typeof total === 'object' ? total : { items: Number(total), isEstimate: false };
  // An estimate never contradicts what the page itself shows: a full page may have a next one, a short one is the last.
  const before = (list.page - 1) * list.limit;
  const isLast = items.length > 0 && items.length < list.limit;
  const isKnown = isEstimate && isLast;
  const atLeast = before + items.length + (items.length > 0 && items.length === list.limit ? 1 : 0);
  const totalItems = isKnown
    ? before + items.length
    : isEstimate && items.length > 0
      ? Math.max(counted, atLeast)
      : counted;
  return {
    data: items,
    meta: {
      pagination: {
        totalItems,
        itemsPerPage: list.limit,
        currentPage: list.page,
        lastPage: list.limit === 0 ? 1 : Math.max(1, Math.ceil(totalItems / list.limit)),
        pageTotalItems: items.length,
        ...(isEstimate && !isKnown ? { totalIsEstimate: true as const } : {}),
      },
    },
  };
}
