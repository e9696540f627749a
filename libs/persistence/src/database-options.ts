import type { StorageGuard } from './storage/storage-guard.js';

export interface DatabaseOptions {
  readonly serviceName: string;
  /** Connects as the app role, so that row-level security binds every statement. */
  readonly appUrl: string;
  readonly rows: readonly Function[];
  /** Connections of this process. */
  readonly poolSize?: number;
  /** A statement that got no answer for so long is taken for lost, with its connection. Default two minutes. */
  readonly queryTimeoutMs?: number;
  /** Default eight seconds: what answers neither a new connection nor BEGIN in that time, which wait for no lock, is away. */
  readonly answerTimeoutMs?: number;
  /** So long nothing passes on a connection that owes an answer before the server is asked whether it works on it. Default five seconds. */
  readonly silenceMs?: number;
  /** Real time; replaced in tests. */
  readonly clock?: () => Date;
  /** Hears how many seconds the machine's clock is behind the database's, when that is remarkable. */
  readonly onClockDifference?: (secondsBehind: number) => void;
  /** Knows whether there is room to write. */
  readonly storage?: StorageGuard;
  /** Called with broken idle connections and other errors that nobody awaits. */
  readonly onError?: (error: Error) => void;
}

export interface TenantOptions {
  /** The time at which the work happens (an event's, a batch's) where it is not the tenant's present. */
  readonly now?: Date;
  /** Reads only, all of it from one snapshot: a list and its total agree. */
  readonly readOnly?: boolean;
  /**
   * Reads only, and sends at once what is asked for at once: the transaction begins in the same packet as the first statement, and statements
   * that do not wait for each other share one. `tx.now` is known from the first answer on.
   */
  readonly pipelined?: boolean;
  /**
   * Pipelined, and nothing is asked for that waits for an answer: the transaction begins, asks and ends in one packet. What is asked for later
   * fails.
   */
  readonly atOnce?: boolean;
}
