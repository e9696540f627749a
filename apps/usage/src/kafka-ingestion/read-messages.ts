import { isUtf8 } from 'node:buffer';
import { isUuid } from '@kontor/kernel';
import {
  isItemError,
  type ItemErrorCode,
  MAX_EVENT_BYTES,
  readUsageEvent,
  type ReceivedEvent,
} from '../domain/event-store/read-usage-event.js';
import type { IngestRequest } from '../event-store/ingest-request.js';

/** Kafka header that names the tenant whose event a message is. */
export const TENANT_HEADER = 'tenant-id';

/** What of a Kafka message is read. */
export interface IntakeMessage {
  readonly offset: string;
  readonly value: Buffer | null;
  readonly headers?: Readonly<Record<string, Buffer | string | (Buffer | string)[] | undefined>> | undefined;
}

export type ParkCode = ItemErrorCode | 'unreadable' | 'tenant_missing' | 'tenant_not_allowed';

/** Why a message was set aside; the ones behind it go on. */
export interface Refusal {
  /** Position among the messages that were read together. */
  readonly index: number;
  readonly code: ParkCode;
  readonly message: string;
}

export interface ReadMessages {
  /** One request per tenant; the index of an event is its message's position. */
  readonly requests: readonly IngestRequest[];
  readonly refused: readonly Refusal[];
}

/** Whose events the topic may carry: the brokers' access rules say who may write to it. */
export type Allowed = '*' | ReadonlySet<string>;

/** Reads messages of the intake topic; each is one item as in `POST /api/usage-events`. */
export function readMessages(messages: readonly IntakeMessage[], allowed: Allowed): ReadMessages {
  const byTenant = new Map<string, ReceivedEvent[]>();
  const refused: Refusal[] = [];
  messages.forEach((message, index) => {
    const tenantId = tenantOf(message);
    if (tenantId === undefined) {
      refused.push({
        index,
        code: 'tenant_missing',
        message: `The header ${TENANT_HEADER} must be the id of a tenant.`,
      });
    } else if (allowed !== '*' && !allowed.has(tenantId)) {
      refused.push({
        index,
        code: 'tenant_not_allowed',
        message: `Events of tenant ${tenantId} are not accepted from this topic.`,
      });
    } else {
      const event = eventOf(message, index);
      if ('code' in event) refused.push(event);
      else if (byTenant.has(tenantId)) byTenant.get(tenantId)!.push(event);
      else byTenant.set(tenantId, [event]);
    }
  });
  const requests = [...byTenant]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([tenantId, events]) => ({ tenantId, events, errors: [] }));
  return { requests, refused };
}

export function tenantOf({ headers }: IntakeMessage): string | undefined {
  const header = headers?.[TENANT_HEADER];
  const tenantId = (Array.isArray(header) ? header[0] : header)?.toString().toLowerCase();
  return isUuid(tenantId) ? tenantId : undefined;
}

function eventOf({ value }: IntakeMessage, index: number): ReceivedEvent | Refusal {
  const unreadable = (message: string): Refusal => ({ index, code: 'unreadable', message });
  if (!value || value.length > MAX_EVENT_BYTES)
    return unreadable(`The value must be JSON of 1 to ${MAX_EVENT_BYTES} bytes.`);
  if (!isUtf8(value)) return unreadable('The value is not UTF-8.');
  let item: unknown;
  try {
    item = JSON.parse(value.toString());
  } catch {
    return unreadable('The value is not readable JSON.');
  }
  const read = readUsageEvent(item, index, !value.includes('\\u'));
  return isItemError(read) ? { index, code: read.code, message: read.message } : read;
}
