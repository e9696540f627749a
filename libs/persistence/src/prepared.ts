/** Names of the statements that connections keep, by their text. */
const names = new Map<string, string>();

/**
 * Has every connection keep a statement of a tenant's transaction: it is parsed and rewritten once, and planned anew only until PostgreSQL
 * sees that one plan serves all values. For statements with a text of their own, whose plan is always the same: by key, by owner. Returns the
 * text, with which it is asked for as any other.
 * @see docs/adr/0037-hot-reads-are-prepared.md
 */
export function prepared(sql: string): string {
  if (!names.has(sql)) names.set(sql, `kept_${names.size + 1}`);
  return sql;
}

export const preparedName = (sql: string): string | undefined => names.get(sql);
