const PLAIN = /^[\w:.+-]+$/;

/**
 * A column of values as PostgreSQL's array literal. The driver quotes and escapes every element with regular expressions, which
 * was a third of the time that a batch takes here; ids, amounts and instants need no quotes.
 */
export function arrayLiteral(values: readonly unknown[]): string {
  return `{${values.map(element).join(',')}}`;
}

function element(value: unknown): string {
  if (value === null || value === undefined) return 'NULL';
  const text = value instanceof Date ? value.toISOString() : String(value);
  return PLAIN.test(text) && text.toUpperCase() !== 'NULL' ? text : `"${text.replace(/[\\"]/g, '\\$&')}"`;
}
