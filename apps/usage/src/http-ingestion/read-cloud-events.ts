import { invalidRequest } from '@kontor/service-kit';
import { mapCloudEvent } from '../domain/http-ingestion/cloud-event.js';
import type { ItemError } from '../domain/event-store/read-usage-event.js';
import type { IngestResult } from '../event-store/ingest-request.js';
import { parseBody } from './read-envelope.js';

const MAX_EVENTS = 1000;
const STRUCTURED = 'application/cloudevents+json';
const BATCH = 'application/cloudevents-batch+json';
const ATTRIBUTE = /^ce-([a-z0-9]{1,20})$/;

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** CloudEvents as items of a usage request; `indexes[i]` is where item `i` stood in the body. */
export interface ReadCloudEvents {
  readonly items: readonly unknown[];
  readonly indexes: readonly number[];
  /** What is wrong with the others. */
  readonly errors: readonly ItemError[];
}

/**
 * The events of a body in one of the three modes of the CloudEvents HTTP binding (structured, batched, binary);
 * undefined when it is none of them.
 * @throws DomainError 400 `invalid_request` when the body is no event or no list of 1 to 1000
 * @see https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/bindings/http-protocol-binding.md
 */
export function readCloudEvents(body: unknown, headers: Headers): ReadCloudEvents | undefined {
  const type = headers['content-type']?.toString().split(';', 1)[0]!.trim().toLowerCase();
  if (type === BATCH) {
    const events = parseBody(body);
    if (!Array.isArray(events) || events.length < 1 || events.length > MAX_EVENTS)
      throw invalidRequest(`The body must be a list of 1 to ${MAX_EVENTS} events.`);
    return mapAll(events);
  }
  if (type === STRUCTURED) return mapAll([objectOf(body)]);
  if (type === 'application/json' && headers['ce-specversion'] !== undefined)
    return mapAll([{ ...attributesOf(headers), data: parseBody(body) }]);
  return undefined;
}

function objectOf(body: unknown): object {
  const event = parseBody(body);
  if (typeof event !== 'object' || event === null || Array.isArray(event))
    throw invalidRequest('The body must be one event.');
  return event;
}

function mapAll(events: readonly unknown[]): ReadCloudEvents {
  const items: unknown[] = [];
  const indexes: number[] = [];
  const errors: ItemError[] = [];
  for (const [index, event] of events.entries()) {
    const mapped = mapCloudEvent(event);
    if ('code' in mapped) errors.push({ index, ...mapped });
    else indexes[items.push(mapped.item) - 1] = index;
  }
  return { items, indexes, errors };
}

/** Attributes in headers, with what is outside ASCII percent-encoded. */
function attributesOf(headers: Headers): Record<string, string> {
  const attributes: Record<string, string> = {};
  for (const [header, value] of Object.entries(headers)) {
    const name = ATTRIBUTE.exec(header)?.[1];
    if (!name || typeof value !== 'string') continue;
    try {
      attributes[name] = decodeURIComponent(value);
    } catch {
      throw invalidRequest(`The header ${header} cannot be read.`);
    }
  }
  return attributes;
}

/** The answer for all events of the body. */
export function answerFor({ indexes, errors }: ReadCloudEvents, result: IngestResult): IngestResult {
  const all = [...errors, ...result.errors.map((error) => ({ ...error, index: indexes[error.index]! }))];
  return { ...result, failed: result.failed + errors.length, errors: all.sort((a, b) => a.index - b.index) };
}
