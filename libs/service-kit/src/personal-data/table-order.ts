import type { Sql } from '@kontor/kernel';

/** Columns by which rows of a table name others. */
export interface Reference {
  readonly child: string;
  readonly parent: string;
  readonly columns: readonly string[];
  readonly parentColumns: readonly string[];
}

export async function references(sql: Sql): Promise<Reference[]> {
  return sql.query<Reference>(
    `SELECT k.conrelid::regclass::text AS child, k.confrelid::regclass::text AS parent,
       ARRAY(SELECT a.attname::text FROM unnest(k.conkey) WITH ORDINALITY c (n, place)
         JOIN pg_attribute a ON a.attrelid = k.conrelid AND a.attnum = c.n ORDER BY c.place) AS columns,
       ARRAY(SELECT a.attname::text FROM unnest(k.confkey) WITH ORDINALITY c (n, place)
         JOIN pg_attribute a ON a.attrelid = k.confrelid AND a.attnum = c.n ORDER BY c.place) AS "parentColumns"
     FROM pg_constraint k
     WHERE k.contype = 'f' AND k.conparentid = 0 AND k.connamespace = 'public'::regnamespace
     ORDER BY k.conname`,
  );
}

/** Tables in an order in which they can be emptied: what names others goes before them. */
export function emptyingOrder(tables: readonly string[], known: readonly Reference[]): string[] {
  const left = new Set(tables);
  const order: string[] = [];
  const isNamed = (table: string): boolean =>
    known.some(({ child, parent }) => parent === table && child !== table && left.has(child));
  while (left.size > 0) {
    const free = [...left].filter((table) => !isNamed(table));
    // Tables that name each other in a circle: whichever comes first.
    const next = free.length > 0 ? free : [...left].slice(0, 1);
    for (const table of next) left.delete(table);
    order.push(...next);
  }
  return order;
}

/** SQL that is true for a row `t` that no other row of its own table names: such go first. */
export const isNotNamed = (table: string, known: readonly Reference[]): string =>
  known
    .filter(({ child, parent }) => child === table && parent === table)
    .map(({ columns, parentColumns }) => {
      const same = columns.map((column, place) => `named.${column} = t.${parentColumns[place]}`).join(' AND ');
      return `NOT EXISTS (SELECT FROM ${table} named WHERE ${same})`;
    })
    .join(' AND ') || 'true';
