/** Names of the statements that connections keep, by their text. */
const names = new Map<string, string>();

/**
 * Has every connection keep a statement: it is parsed and rewritten once, and planned anew only until PostgreSQL sees that one plan
 * serves all values. For statements that are asked for all the time, with a text of their own, whose plan is always the same: by key, by
 * owner, by a batch's ids. Returns the text, with which it is asked for as any other.
 * @see docs/adr/0037-hot-statements-are-prepared.md
 */
export function prepared(sql: string): string {
  if (!names.has(sql)) names.set(sql, `kept_${names.size + 1}`);
  return sql;
}

export const preparedName = (sql: string): string | undefined => names.get(sql);

/** What PostgreSQL's driver is asked: a text, with its name where connections keep it. */
export function askedFor(sql: string): string | { text: string; name: string } {
  const name = preparedName(sql);
  return name === undefined ? sql : { text: sql, name };
}
