/** Real time since an id was made, in milliseconds: a UUIDv7 begins with its instant. */
export const ageMsOf = (id: string): number => Date.now() - Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
