import { createHmac, timingSafeEqual } from 'node:crypto';

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

/** To whom a cursor was given, and the key that vouches for it. */
export interface CursorSeal {
  readonly tenantId: string;
  readonly secret: string;
}

const MAC_BYTES = 12;

/** An opaque text that only the tenant it was given to can use, and that cannot be made up or changed. */
export function encodeCursor(cursor: ListCursor, seal: CursorSeal): string {
  const text = [cursor.sort, cursor.direction, cursor.at.getTime(), cursor.id].join('|');
  return Buffer.concat([macOf(text, seal), Buffer.from(text)]).toString('base64url');
}

/** The cursor; undefined when it was not issued here, is another tenant's, or belongs to another order. */
export function decodeCursor(
  text: string,
  sort: EventSort,
  direction: SortDirection,
  seal: CursorSeal,
): ListCursor | undefined {
  const bytes = Buffer.from(text, 'base64url');
  const given = bytes.subarray(MAC_BYTES).toString();
  const expected = macOf(given, seal);
  if (
    bytes.length <= MAC_BYTES ||
    bytes.toString('base64url') !== text ||
    !timingSafeEqual(bytes.subarray(0, MAC_BYTES), expected)
  )
    return undefined;
  const [of, towards, at, id] = given.split('|') as [string, string, string, string];
  return of === sort && towards === direction ? { sort, direction, at: new Date(Number(at)), id } : undefined;
}

const macOf = (text: string, { tenantId, secret }: CursorSeal): Buffer =>
  createHmac('sha256', secret).update(`usage-events cursor\n${tenantId}\n${text}`).digest().subarray(0, MAC_BYTES);
