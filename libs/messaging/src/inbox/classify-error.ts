import { DomainError, storableText } from '@kontor/kernel';

/** Codes of sockets, of undici and of pg's own pool that say "not now". */
const NETWORK = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ABORT_ERR',
  'ERR_SOCKET_CLOSED',
]);
const PHRASES = new RegExp(
  [
    'connection (terminated|ended|closed|timeout|refused)',
    'client has encountered a connection error',
    'timeout exceeded when trying to connect',
    'Cannot use a pool after calling end',
    'not queryable',
    'query read timeout',
    'socket hang up',
    'fetch failed',
  ].join('|'),
  'i',
);

/**
 * Transient: the same event will succeed later without anybody's help (a connection, a deadlock, a service away);
 * poison: it will not (a rule, a schema, a bug).
 */
export function isTransient(error: unknown): boolean {
  for (
    let cause = error, depth = 0;
    cause && depth < 5;
    cause = (cause as { cause?: unknown }).cause ?? (cause as { driverError?: unknown }).driverError, depth++
  ) {
    if (cause instanceof DomainError)
      return (
        cause.kind === 'unavailable' ||
        cause.kind === 'storage_full' ||
        cause.kind === 'too_many' ||
        cause.reason === 'request_in_progress'
      );
    const { code, name, message } = cause as { code?: unknown; name?: unknown; message?: unknown };
    if (
      name === 'ServiceUnavailable' ||
      name === 'OutcomeUnknown' ||
      name === 'TimeoutError' ||
      name === 'AbortError' ||
      name === 'LeaseLost'
    )
      return true;
    if (typeof code === 'string' && (NETWORK.has(code) || code.startsWith('UND_ERR_') || isTransientSqlState(code)))
      return true;
    if (typeof message === 'string' && PHRASES.test(message)) return true;
  }
  return false;
}

/**
 * Connection lost, user or database not accepted (a password that was changed), resources short, server stopping, disk unreadable,
 * serialization, deadlock, lock not available, query cancelled, a transaction that the server ends by its time.
 */
function isTransientSqlState(code: string): boolean {
  if (!/^[0-9A-Z]{5}$/.test(code)) return false;
  return (
    /^(08|28|3D|53|57P|58)/.test(code) || ['40001', '40P01', '55P03', '57014', '25006', '25P03', '25P04'].includes(code)
  );
}

/** What is kept of an error beside a parked message: class, message, first lines of the stack. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return storableText(String(error), 4_000);
  const details = error instanceof DomainError ? ` (${error.reason})` : '';
  const stack = (error.stack ?? '').split('\n').slice(1, 6).join('\n');
  return storableText(`${error.name}${details}: ${error.message}\n${stack}`, 4_000);
}
