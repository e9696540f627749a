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
  const text = textOf(value);
  return PLAIN.test(text) && text.toUpperCase() !== 'NULL' ? text : `"${text.replace(/[\\"]/g, '\\$&')}"`;
}

function textOf(value: unknown): string {
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Uint8Array) return `\\x${Buffer.from(value).toString('hex')}`;
  return Array.isArray(value) ? arrayLiteral(value) : String(value);
}
