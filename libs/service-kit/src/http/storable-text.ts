/** False for text that PostgreSQL cannot keep: a NUL character or half of a surrogate pair. */
export const isStorableText = (text: string): boolean => !/[\0\p{Surrogate}]/u.test(text);
