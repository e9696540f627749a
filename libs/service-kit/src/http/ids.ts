import { randomUUID } from 'node:crypto';

const REQUEST_ID = /^[\w.:@/+=-]{1,128}$/;
const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

/** The caller's X-Request-Id when it is short and plain, else a new one. */
export const requestIdFrom = (header: unknown): string =>
  typeof header === 'string' && REQUEST_ID.test(header) ? header : randomUUID();

/** A child span's traceparent of the caller's trace, or a new trace. Made of UUIDs, whose random bytes are drawn for many at once. */
export function traceparentFrom(header: unknown): string {
  const match = typeof header === 'string' ? TRACEPARENT.exec(header) : null;
  const trace = match?.[1] ?? randomUUID().replaceAll('-', '');
  return `00-${trace}-${newSpanId()}-${match?.[3] ?? '01'}`;
}

export const traceIdOf = (traceparent: string): string => traceparent.slice(3, 35);

/** The random digits of a UUID, without those that say its version and variant. */
function newSpanId(): string {
  const random = randomUUID();
  return random.slice(0, 8) + random.slice(28);
}
