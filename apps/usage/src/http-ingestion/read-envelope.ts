import { isUtf8 } from 'node:buffer';
import { DomainError } from '@kontor/kernel';
import { invalidRequest, requireModest } from '@kontor/service-kit';

const MAX_EVENTS = 1000;
const LOOKED_AT_BYTES = 512 * 1024;
const JSON_TYPE = /^application\/json\s*(;|$)/i;

/**
 * The items of `POST /api/usage-events`, unread. Only the envelope can fail the request.
 * @throws DomainError 415 `unsupported_media_type`, 400 `invalid_request` or `unknown_field`, 422 `too_many_fields`
 */
export function readEnvelope(body: unknown, contentType: string | undefined): readonly unknown[] {
  const isEmpty = !Buffer.isBuffer(body) || body.length === 0;
  if (!isEmpty && !JSON_TYPE.test(contentType ?? '')) {
    throw new DomainError('unsupported_media_type', {
      kind: 'unsupported_media',
      detail: 'Send JSON with "Content-Type: application/json", or CloudEvents as application/cloudevents+json.',
    });
  }
  const envelope = parseBody(body);
  if (typeof envelope !== 'object' || envelope === null || Array.isArray(envelope))
    throw invalidRequest('The body must be a JSON object.');
  const refuse = (message: string, code: string): DomainError =>
    invalidRequest(message, [{ propertyPath: 'events', message, code }]);
  const { events } = envelope as { events?: unknown };
  if (events === undefined || events === null) throw refuse('The field events is required.', 'required');
  if (!Array.isArray(events)) throw refuse('The field events must be a list.', 'invalid_type');
  if (events.length < 1 || events.length > MAX_EVENTS)
    throw refuse(`The field events must have 1 to ${MAX_EVENTS} items.`, 'invalid_length');
  const unknown = Object.keys(envelope).find((name) => name !== 'events');
  if (unknown !== undefined) {
    const message = `The field ${unknown} is unknown.`;
    throw invalidRequest(message, [{ propertyPath: unknown, message, code: 'unknown_field' }], 'unknown_field');
  }
  return events;
}

/** @throws DomainError 400 `invalid_request`, 422 `too_many_fields` */
export function parseBody(body: unknown): unknown {
  if (!Buffer.isBuffer(body) || body.length === 0) throw invalidRequest('The body must be JSON.');
  // A smaller one is read at once, whatever is in it; what nests too deep is an error of its event.
  if (body.length > LOOKED_AT_BYTES) requireModest(body, Infinity);
  try {
    if (isUtf8(body)) return JSON.parse(body.toString('utf8'));
  } catch {
    // Below.
  }
  throw invalidRequest('The body is not readable JSON in UTF-8.');
}

/**
 * Whether text in a JSON body may hold a NUL character or half of a surrogate pair: both can only come from an escape.
 */
export const hasEscapes = (body: Buffer): boolean => body.includes('\\u');
