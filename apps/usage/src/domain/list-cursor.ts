/** 16 bytes in UUID form; those of a ULID are no RFC 9562 UUID. */
export const UUID_FORM = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

export type EventSort = 'timestamp' | 'createdAt';
export type SortDirection = 'ASC' | 'DESC';

/** Where a page ended: the sort value and the id of its last event. */
export interface ListCursor {
  readonly sort: EventSort;
  readonly direction: SortDirection;
  readonly at: Date;
  readonly id: string;
}

export const encodeCursor = (cursor: ListCursor): string =>
  Buffer.from([cursor.sort, cursor.direction, cursor.at.getTime(), cursor.id].join('|')).toString('base64url');

/** The cursor, or undefined when it is none of ours or of another order than asked now. */
export function decodeCursor(text: string, sort: EventSort, direction: SortDirection): ListCursor | undefined {
  const [of, towards, at, id] = Buffer.from(text, 'base64url').toString().split('|');
  if (of !== sort || towards !== direction || !/^-?\d{1,16}$/.test(at ?? '') || !UUID_FORM.test(id ?? '')) return undefined;
  const instant = new Date(Number(at));
  return Number.isNaN(instant.getTime()) ? undefined : { sort, direction, at: instant, id: id ?? '' };
}
