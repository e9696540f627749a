import { DomainError, saysOutage, storableText } from '@kontor/kernel';

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
    if (typeof code === 'string' && (saysOutage(code) || code === 'ABORT_ERR' || code.startsWith('UND_ERR_')))
      return true;
    if (typeof message === 'string' && PHRASES.test(message)) return true;
  }
  return false;
}

/** What is kept of an error beside a parked message: class, message, first lines of the stack. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return storableText(String(error), 4_000);
  const details = error instanceof DomainError ? ` (${error.reason})` : '';
  const stack = (error.stack ?? '').split('\n').slice(1, 6).join('\n');
  return storableText(`${error.name}${details}: ${error.message}\n${stack}`, 4_000);
}
