/** One event as a client sent it, well-formed; the customer is still what the client calls it. */
export interface ReceivedEvent {
  /** Position in the request. */
  readonly index: number;
  readonly transactionId: string;
  readonly eventName: string;
  readonly occurredAt: Date;
  readonly customerReference: string;
  readonly properties: Readonly<Record<string, unknown>>;
}

export type ItemErrorCode =
  'missing_field' | 'invalid_type' | 'unknown_field' | 'invalid_timestamp' | 'timestamp_in_future' | 'unknown_customer';

/** Why one item was not taken; the others are. */
export interface ItemError {
  readonly index: number;
  /** Null when the item carries none that can be read. */
  readonly transactionId: string | null;
  readonly code: ItemErrorCode;
  readonly message: string;
}

const MAX_TEXT = 255;
const MAX_DEPTH = 16;
const MAX_AHEAD_MS = 24 * 3_600_000;
const REQUIRED = ['transactionId', 'eventName', 'timestamp', 'customerId'] as const;
/** Set by the service; a client may send them back and they are ignored. */
const READ_ONLY = new Set(['id', 'createdAt']);
const KNOWN = new Set<string>([...REQUIRED, 'properties']);
const UNSTORABLE = /[\0\p{Surrogate}]/u;
const INSTANT = /^(\d{4})-(\d{2})-(\d{2})T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,9})?)?(Z|[+-]([01]\d|2[0-3]):?[0-5]\d)$/;

/**
 * Reads one item of `POST /api/usage-events`. An item never fails the request: what is wrong with it comes back as its error.
 * @see decisions.md, Usage
 */
export function readUsageEvent(item: unknown, index: number, now: Date): ReceivedEvent | ItemError {
  if (typeof item !== 'object' || item === null || Array.isArray(item))
    return refused(index, null, 'invalid_type', 'An event must be an object.');
  const fields = item as Record<string, unknown>;
  const transactionId =
    typeof fields.transactionId === 'string' && fields.transactionId !== '' ? fields.transactionId.slice(0, MAX_TEXT) : null;
  const refuse = (code: ItemErrorCode, message: string): ItemError => refused(index, transactionId, code, message);

  for (const name of REQUIRED) {
    const value = fields[name];
    if (value === undefined || value === null || value === '') return refuse('missing_field', `The field ${name} is required.`);
    if (typeof value !== 'string') return refuse('invalid_type', `The field ${name} must be a string.`);
    if (value.length > MAX_TEXT) return refuse('invalid_type', `The field ${name} may have at most ${MAX_TEXT} characters.`);
  }
  const properties = fields.properties ?? {};
  if (typeof properties !== 'object' || Array.isArray(properties)) return refuse('invalid_type', 'The field properties must be an object.');
  for (const name of Object.keys(fields)) {
    if (!KNOWN.has(name) && !READ_ONLY.has(name)) return refuse('unknown_field', `The field ${name} is unknown.`);
  }
  if (!isStorable(fields)) return refuse('invalid_type', 'The event contains a character that cannot be stored, or nests too deep.');

  const occurredAt = instantOf(fields.timestamp as string);
  if (!occurredAt) return refuse('invalid_timestamp', 'The field timestamp must be an ISO 8601 date-time with a zone.');
  if (occurredAt.getTime() > now.getTime() + MAX_AHEAD_MS)
    return refuse('timestamp_in_future', 'The timestamp lies more than 24 hours in the future.');
  return {
    index,
    transactionId: fields.transactionId as string,
    eventName: fields.eventName as string,
    occurredAt,
    customerReference: fields.customerId as string,
    properties: properties as Record<string, unknown>,
  };
}

export const isItemError = (result: ReceivedEvent | ItemError): result is ItemError => 'code' in result;

const refused = (index: number, transactionId: string | null, code: ItemErrorCode, message: string): ItemError => ({
  index,
  transactionId,
  code,
  message,
});

/** An existing instant with a zone, in milliseconds; undefined for anything else (30 February among it). */
export function instantOf(text: string): Date | undefined {
  const match = INSTANT.exec(text);
  if (!match) return undefined;
  const [, year, month, day] = match.map(Number);
  const date = new Date(Date.UTC(year ?? 0, (month ?? 0) - 1, day));
  if (date.getUTCMonth() + 1 !== month || date.getUTCDate() !== day) return undefined;
  const instant = new Date(text);
  return Number.isNaN(instant.getTime()) ? undefined : instant;
}

/** A NUL character or half of a surrogate pair is JSON, but no text that a database takes. Such text comes from an escape only. */
function isStorable(value: unknown, depth = 0): boolean {
  if (typeof value === 'string') return !UNSTORABLE.test(value);
  if (typeof value !== 'object' || value === null) return true;
  if (depth > MAX_DEPTH) return false;
  if (Array.isArray(value)) return value.every((item) => isStorable(item, depth + 1));
  return Object.entries(value).every(([name, item]) => isStorable(name) && isStorable(item, depth + 1));
}
