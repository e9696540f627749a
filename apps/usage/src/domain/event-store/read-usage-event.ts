import { hasAtMost } from '@kontor/kernel';
import { instantMsOf } from './instants.js';

/** One event as a client sent it, well-formed; the customer is still what the client calls it. */
export interface ReceivedEvent {
  /** Position in the request. */
  readonly index: number;
  readonly transactionId: string;
  readonly eventName: string;
  /** Milliseconds since 1970. */
  readonly occurredAtMs: number;
  readonly customerReference: string;
  readonly properties: Readonly<Record<string, unknown>>;
}

export type ItemErrorCode =
  | 'missing_field'
  | 'invalid_type'
  | 'unknown_field'
  | 'invalid_timestamp'
  | 'timestamp_in_future'
  | 'unknown_customer'
  | 'customer_anonymized'
  | 'too_large';

/** Why an item was refused; the others are stored. */
export interface ItemError {
  readonly index: number;
  /** Null when the item carries none that can be read. */
  readonly transactionId: string | null;
  readonly code: ItemErrorCode;
  readonly message: string;
}

/** Of an event, or of its properties alone, as JSON. */
export const MAX_EVENT_BYTES = 256 * 1024;
const MAX_TEXT = 255;
const MAX_DEPTH = 16;
const MAX_AHEAD_MS = 24 * 3_600_000;
const REQUIRED = ['transactionId', 'eventName', 'timestamp', 'customerId'] as const;
/** `id` and `createdAt` are set by the service; a client may send them back and they are ignored. */
const KNOWN = new Set<string>([...REQUIRED, 'properties', 'id', 'createdAt', 'voidedAt']);
const UNSTORABLE = /[\0\p{Surrogate}]/u;

/**
 * Reads one item of `POST /api/usage-events`. An item never fails the request: what is wrong with it comes back as its
 * error. `plainText`: the caller knows that no text holds a character that cannot be stored.
 * @see docs/rules/usage.md#events
 */
export function readUsageEvent(item: unknown, index: number, plainText = false): ReceivedEvent | ItemError {
  if (typeof item !== 'object' || item === null || Array.isArray(item))
    return refused(index, null, 'invalid_type', 'An event must be an object.');
  const fields = item as Record<string, unknown>;
  const refuse = (code: ItemErrorCode, message: string): ItemError =>
    refused(index, fields['transactionId'], code, message);

  for (const name of REQUIRED) {
    const value = fields[name];
    if (value === undefined || value === null || value === '')
      return refuse('missing_field', `The field ${name} is required.`);
    if (typeof value !== 'string') return refuse('invalid_type', `The field ${name} must be a string.`);
    if (!hasAtMost(value, MAX_TEXT))
      return refuse('invalid_type', `The field ${name} may have at most ${MAX_TEXT} characters.`);
    if (!plainText && UNSTORABLE.test(value))
      return refuse('invalid_type', `The field ${name} contains a character that cannot be stored.`);
  }
  const { transactionId, eventName, timestamp, customerId, properties = null } = fields as Record<string, string>;
  if (properties !== null && (typeof properties !== 'object' || Array.isArray(properties)))
    return refuse('invalid_type', 'The field properties must be an object.');
  for (const name in fields)
    if (!KNOWN.has(name)) return refuse('unknown_field', `The field ${name.slice(0, MAX_TEXT)} is unknown.`);
  const unstorable = properties === null ? null : whyUnstorable(properties, plainText, 1);
  if (unstorable !== null) return refuse('invalid_type', `The field properties ${unstorable}.`);

  const occurredAtMs = instantMsOf(timestamp!);
  if (Number.isNaN(occurredAtMs))
    return refuse(
      'invalid_timestamp',
      'The field timestamp must be an ISO 8601 date-time with a zone, from 1900 to 2200.',
    );
  return {
    index,
    transactionId: transactionId!,
    eventName: eventName!,
    occurredAtMs,
    customerReference: customerId!,
    properties: (properties ?? {}) as unknown as Record<string, unknown>,
  };
}

export const isItemError = (result: ReceivedEvent | ItemError): result is ItemError => 'code' in result;

/** The error of an event that claims to happen more than 24 hours after `nowMs`; undefined for any other. */
export const aheadError = (event: ReceivedEvent, nowMs: number): ItemError | undefined =>
  event.occurredAtMs > nowMs + MAX_AHEAD_MS
    ? refused(
        event.index,
        event.transactionId,
        'timestamp_in_future',
        'The timestamp lies more than 24 hours in the future.',
      )
    : undefined;

/** The error of an event that is too large; undefined for any other. */
export const sizeError = ({ index, transactionId, properties }: ReceivedEvent): ItemError | undefined =>
  Buffer.byteLength(JSON.stringify(properties)) > MAX_EVENT_BYTES
    ? refused(index, transactionId, 'too_large', `The properties are larger than ${MAX_EVENT_BYTES / 1024} KiB.`)
    : undefined;

export const unknownCustomerError = ({ index, transactionId, customerReference }: ReceivedEvent): ItemError =>
  refused(index, transactionId, 'unknown_customer', `There is no customer ${customerReference}.`);

export const anonymizedCustomerError = ({ index, transactionId, customerReference }: ReceivedEvent): ItemError =>
  refused(index, transactionId, 'customer_anonymized', `The customer ${customerReference} was anonymized.`);

function refused(index: number, transactionId: unknown, code: ItemErrorCode, message: string): ItemError {
  const shown = typeof transactionId === 'string' && transactionId !== '' ? transactionId.slice(0, MAX_TEXT) : null;
  return { index, transactionId: shown, code, message };
}

/** JSON can hold what a database or a double cannot: a NUL character, half of a surrogate pair (escapes), 1e400. */
function whyUnstorable(value: unknown, plainText: boolean, depth: number): string | null {
  if (typeof value === 'number') return Number.isFinite(value) ? null : 'contain a number that is too large';
  if (typeof value === 'string')
    return plainText || !UNSTORABLE.test(value) ? null : 'contain a character that cannot be stored';
  if (typeof value !== 'object' || value === null) return null;
  if (depth > MAX_DEPTH) return 'nest too deep';
  if (Array.isArray(value)) {
    for (const item of value) {
      const why = whyUnstorable(item, plainText, depth + 1);
      if (why !== null) return why;
    }
    return null;
  }
  for (const name in value) {
    if (!plainText && UNSTORABLE.test(name)) return 'contain a character that cannot be stored';
    const why = whyUnstorable((value as Record<string, unknown>)[name], plainText, depth + 1);
    if (why !== null) return why;
  }
  return null;
}
