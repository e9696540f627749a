import { AsyncLocalStorage } from 'node:async_hooks';
import type { EventHeaders } from '@kontor/contracts';

const current = new AsyncLocalStorage<EventHeaders>();

/** Request id, trace and actor of the event in hand; bus positions are the event's own and are not inherited. */
export const currentEventHeaders = (): EventHeaders => current.getStore() ?? {};

export function withEventHeaders<T>(headers: EventHeaders | undefined, work: () => Promise<T>): Promise<T> {
  const { requestId, traceparent, actor } = headers ?? {};
  return current.run(
    { ...(requestId && { requestId }), ...(traceparent && { traceparent }), ...(actor && { actor }) },
    work,
  );
}
