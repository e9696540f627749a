import type { EventEnvelope, Topic } from '@kontor/contracts';
import { isUuid } from '@kontor/kernel';
import { dayOfEvent } from './event-day.js';

/** A message in whose place no event lies. */
export interface Unreadable {
  readonly lane: string;
  readonly position: bigint;
  readonly topic: Topic;
  readonly text: string;
  readonly error: string;
}

/** What lies in an event's place is no event, whoever put it there. */
export class UnreadableEvent extends Error {}

/** Names stand in indexes, of which PostgreSQL takes 2.7 KB. */
const MAX_NAME_LENGTH = 255;
/** What is nested deeper can be read, but not written again. */
const MAX_DEPTH = 1_000;

/** It becomes the time of what its handlers write: PostgreSQL and JavaScript understand it alike, some years before and after it too. */
const YEARS = /^[12]\d{3}-.*Z$/;

const isName = (value: unknown): boolean =>
  typeof value === 'string' && value !== '' && value.length <= MAX_NAME_LENGTH && !value.includes('\0');
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What consumers and their tables rely on before a handler sees the event; the payload is the handler's to judge. */
const CHECKS: readonly [string, (event: Record<string, unknown>) => boolean][] = [
  ['eventId', ({ eventId }) => isUuid(eventId) && /^\d{4}-/.test(dayOfEvent(eventId))],
  ['tenantId', ({ tenantId }) => isUuid(tenantId)],
  ['type', ({ type }) => isName(type)],
  ['topic', ({ topic }) => isName(topic)],
  ['aggregateId', ({ aggregateId }) => isName(aggregateId)],
  ['aggregateSeq', ({ aggregateSeq }) => Number.isSafeInteger(aggregateSeq)],
  [
    'effectiveAt',
    ({ effectiveAt }) => typeof effectiveAt === 'string' && YEARS.test(effectiveAt) && !isNaN(Date.parse(effectiveAt)),
  ],
  ['headers', ({ headers }) => isObject(headers) && Number.isSafeInteger(headers['position'] ?? 0)],
  ['payload', ({ payload }) => payload !== undefined],
];

const QUOTE = 34;
const BACKSLASH = 92;
const OPENING: ReadonlySet<number> = new Set([...'[{'].map((bracket) => bracket.charCodeAt(0)));
const CLOSING: ReadonlySet<number> = new Set([...']}'].map((bracket) => bracket.charCodeAt(0)));

function isTooDeep(json: string): boolean {
  if (json.length <= 2 * MAX_DEPTH) return false;
  let depth = 0;
  let isInText = false;
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at);
    if (code === QUOTE) isInText = !isInText;
    else if (isInText) at += code === BACKSLASH ? 1 : 0;
    else if (OPENING.has(code)) {
      if (++depth > MAX_DEPTH) return true;
    } else if (CLOSING.has(code)) depth--;
  }
  return false;
}

/** The event in a message. @throws UnreadableEvent */
export function readEnvelope(text: string | undefined): EventEnvelope {
  if (text === undefined) throw new UnreadableEvent('The message is empty.');
  let event: unknown;
  try {
    event = JSON.parse(text);
  } catch {
    throw new UnreadableEvent('The message is no JSON.');
  }
  if (isTooDeep(text)) throw new UnreadableEvent('The message is nested too deeply.');
  if (!isObject(event)) throw new UnreadableEvent('The message is no event.');
  for (const [name, holds] of CHECKS)
    if (!holds(event)) throw new UnreadableEvent(`The field ${name} of the event cannot be read.`);
  return event as unknown as EventEnvelope;
}
