/** A text as PostgreSQL can keep it: it has no place for the character 0, nor for half of a pair that is one character. */
export const storable = (text: string): string => text.replaceAll('\0', '\uFFFD').toWellFormed();

/** The beginning of a text, cut between characters, as PostgreSQL can keep it. */
export const storableText = (text: string, maxLength: number): string =>
  storable(text.length > maxLength ? text.slice(0, maxLength).replace(/[\ud800-\udbff]$/, '') : text);
