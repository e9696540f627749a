import { randomBytes, randomUUID } from 'node:crypto';

const REQUEST_ID = /^[\w.:@/+=-]{1,128}$/;
const TRACEPARENT = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

/** The caller's X-Request-Id when it is short and plain, else a new one. */
export const requestIdFrom = (header: unknown): string =>
  typeof header === 'string' && REQUEST_ID.test(header) ? header : randomUUID();

/** A child span's traceparent of the caller's trace, or a new trace. */
export function traceparentFrom(header: unknown): string {
  const match = typeof header === 'string' ? TRACEPARENT.exec(header) : null;
  const trace = match?.[1] ?? randomBytes(16).toString('hex');
  return `00-${trace}-${randomBytes(8).toString('hex')}-${match?.[3] ?? '01'}`;
}

export const traceIdOf = (traceparent: string): string => traceparent.slice(3, 35);
