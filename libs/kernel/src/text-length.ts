/**
 * True for a text of at most `max` characters, as JSON Schema's `maxLength` and PostgreSQL's `varchar` count them: an
 * emoji is one of them, though JavaScript's `length` says two.
 */
export const hasAtMost = (text: string, max: number): boolean =>
  text.length <= max || (text.length <= max * 2 && Array.from(text).length <= max);
