import type { LoggerService } from '@nestjs/common';
import { type DestinationStream, type Logger, pino } from 'pino';
import { requestContext } from '../http/request-context.js';
import { traceIdOf } from '../http/ids.js';

/** JSON lines, each with the service and, inside a request or an event, its request and trace id. */
export abstract class Log {
  abstract debug(fields: object, message: string): void;
  abstract info(fields: object, message: string): void;
  abstract warn(fields: object, message: string): void;
  abstract error(fields: object, message: string): void;
}

const REDACTED = ['authorization', 'cookie', 'token', 'secret', 'password', 'apiKey', 'headers.authorization'];

/** Of one text of an error: what others answered may be in it. */
const MAX_TEXT = 4_000;
const MAX_CAUSES = 5;

const cut = (text: unknown): unknown =>
  typeof text === 'string' && text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text;

/**
 * Class, code, message, stack and those causes that are errors. What else hangs on an error is left out: drivers put whole connections
 * there, and libraries what they were sent, with tokens and people's names.
 */
function describeError(value: unknown, depth = 0): unknown {
  if (typeof value !== 'object' || value === null) return cut(value);
  if (!('stack' in value)) return `no error, ${Object.prototype.toString.call(value)}`;
  const { name, code, message, stack, cause } = value as Error & { code?: unknown };
  const hasCause = typeof cause === 'object' && cause !== null && 'stack' in cause && depth < MAX_CAUSES;
  return {
    type: name,
    code,
    message: cut(message),
    stack: cut(stack),
    ...(hasCause ? { cause: describeError(cause, depth + 1) } : {}),
  };
}

const MAX_WAITING_BYTES = 4_000_000;

/** With the descriptor that is written to, which its types leave out. */
export type LogDestination = ReturnType<typeof pino.destination> & { readonly fd: number };

/**
 * A file or descriptor for log lines whose disk may be full, which must neither end nor hold up the process: lines wait in
 * memory up to a bound, later ones are dropped until there is room.
 */
export function logDestination(options: { dest: string | number; minLength?: number; mode?: number }): LogDestination {
  const destination = pino.destination({ ...options, sync: false, maxLength: MAX_WAITING_BYTES }) as LogDestination;
  let isRefused = false;
  destination.on('error', () => (isRefused = true));
  destination.on('drain', () => (isRefused = false));
  // Called when the process exits; without room it would try for ever.
  const flushSync = destination.flushSync.bind(destination);
  destination.flushSync = () => {
    if (!isRefused) flushSync();
  };
  return destination;
}

/** `stream` is the process's standard output unless given (the embedded shape writes to a file). */
export function createLog(service: string, level: string, stream?: DestinationStream): Log & Logger {
  return pino(
    {
      level,
      base: { service },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: (value) => describeError(value), error: (value) => describeError(value) },
      redact: { paths: REDACTED, censor: '***' },
      mixin() {
        const context = requestContext();
        return context
          ? {
              requestId: context.requestId,
              traceId: traceIdOf(context.traceparent),
              tenantId: context.principal?.tenantId,
            }
          : {};
      },
    },
    stream ?? logDestination({ dest: 1 }),
  ) as Log & Logger;
}

/** How Nest calls what it catches while an application is made. */
const AT_THE_START = 'ExceptionHandler';

/** Nest's own messages as our lines; its start-up chatter is debug. */
export class NestLog implements LoggerService {
  constructor(private readonly sink: Log) {}

  log(message: unknown, context?: unknown): void {
    this.sink.debug({ context }, String(message));
  }
  warn(message: unknown, context?: unknown): void {
    this.sink.warn({ context }, String(message));
  }
  error(message: unknown, ...rest: unknown[]): void {
    // What keeps an application from starting is thrown as well, and said by who starts it.
    if (rest.at(-1) === AT_THE_START) return;
    this.sink.error(
      {
        context: rest.at(-1),
        err: message instanceof Error ? message : undefined,
        stack: rest.length > 1 ? rest[0] : undefined,
      },
      String(message),
    );
  }
  debug(): void {
    // Nest's details are of no use to an operator.
  }
  verbose(): void {
    // As above.
  }
}
