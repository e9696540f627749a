/** The beginning of a text as PostgreSQL can keep it: it has no place for the character 0. Messages of errors cite what they were given. */
export const storableText = (text: string, maxLength: number): string =>
  text.slice(0, maxLength).replaceAll('\0', '\uFFFD');
