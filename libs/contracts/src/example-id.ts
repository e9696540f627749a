/** Ids of examples, the same wherever the same object is meant. */
export const exampleId = (n: number): string => `0199f000-0000-7000-8000-${String(n).padStart(12, '0')}`;
