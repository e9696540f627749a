import type { EventHeaders } from '@kontor/contracts';
import type { Sql, Tx } from '@kontor/kernel';

/** A session of its own for LISTEN and the leader's advisory lock: a connected `pg.Client` fits. */
export interface DedicatedConnection {
  query(sql: string | { text: string; name: string }, params?: unknown[]): Promise<{ rows: unknown[] }>;
  on(event: 'notification' | 'error' | 'end', listener: (...args: never[]) => void): unknown;
  end(): Promise<void>;
}

/** What messaging needs of one service's database; `Database` of persistence has the first three as they are. */
export interface MessagingDatabase {
  readonly serviceName: string;
  /** One transaction of one tenant, row-level security set, `tx.now` = `options.now`. */
  tenant<T>(tenantId: string, work: (tx: Tx) => Promise<T>, options?: { now?: Date }): Promise<T>;
  /** One transaction without a tenant, for the tables of this lib. */
  system<T>(work: (sql: Sql) => Promise<T>): Promise<T>;
  /** False while nothing can be stored: publishing, which keeps its progress there, waits. */
  hasRoom?(): boolean;
  /** It is older than what others know of it, and nothing may be written to it; null: it is not. */
  refuseWrites?(why: Error | null): void;
  /** Whether it is older is asked: requests that write wait for {@link refuseWrites}, or until this ends without. */
  holdWrites?(until: Promise<void>): void;
  /** One statement that is a transaction by itself, without a tenant. */
  statement<Row = Record<string, unknown>>(sql: string, params?: readonly unknown[]): Promise<Row[]>;
  /** A new session outside the pool, already connected. */
  connect(): Promise<DedicatedConnection>;
}

export interface MessagingLogger {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** What is not for consumers to know: process-wide hooks, set once by service-kit. */
export interface MessagingHooks {
  /** Runs `run` once the transaction has committed, never when it rolled back. */
  afterCommit?: (tx: Tx, run: () => void) => void;
  /** The service whose database `tx` is open on, so that its relay alone is woken. */
  serviceOf?: (tx: Tx) => string | undefined;
  /** Headers of the request that is being served: request id, trace, actor. */
  headers?: () => EventHeaders;
  /** Runs a consumer's work inside a request context made of the event's headers. */
  runWithHeaders?: <T>(headers: EventHeaders, work: () => Promise<T>) => Promise<T>;
}

const hooks: MessagingHooks = {};

/** Sets process-wide hooks; later calls replace single hooks. */
export function configureMessaging(next: MessagingHooks): void {
  Object.assign(hooks, next);
}
export const messagingHooks = (): Readonly<MessagingHooks> => hooks;

/** Says nothing; the default where no logger is given. */
export const silentLogger: MessagingLogger = { info: () => undefined, warn: () => undefined, error: () => undefined };
