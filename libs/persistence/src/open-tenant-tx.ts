import { askedFor, invariant, preparedName, type TenantId } from '@kontor/kernel';
import type pg from 'pg';
import { markLoop } from './loop-marks.js';
import { onCommit, type TenantTx } from './tx.js';

/** A query that is given up when it gets no answer for so long. */
export function within(timeoutMs: number | undefined, text: string): pg.QueryConfig {
  const name = preparedName(text);
  return {
    text,
    ...(name && { name }),
    ...(timeoutMs !== undefined && { query_timeout: timeoutMs }),
  } as pg.QueryConfig;
}

/** What pg shows of a client whose statements are sent before the last one is answered. */
interface PipelinedClient {
  pipeline: boolean;
  readonly connection: { readonly stream: { cork(): void; uncork(): void } };
}

interface OpenOptions {
  readonly pipelined: boolean;
  /** BEGIN and the first statement are sent together. */
  readonly together: boolean;
  readonly timeoutMs: number | undefined;
}

/** PostgreSQL refuses it only because a statement before it had failed. */
const ABORTED = '25P02';
const isAborted = (error: unknown): boolean => (error as { code?: string } | null)?.code === ABORTED;

/** One open transaction of a tenant, on a connection that is its own until {@link OpenTenantTx.end}. */
export class OpenTenantTx implements TenantTx {
  private ended = false;
  /** Its COMMIT, once that was sent. */
  committed: Promise<unknown> | undefined;
  private begunAt: Date | undefined;
  /** While statements are collected for one packet. */
  private corked = false;
  /** While there are any, what is asked for follows them at once. */
  private unanswered = 0;
  /** Of the last statement that failed by itself. */
  private failure: unknown;
  /** For each statement; absent: the connection's. */
  private readonly timeoutMs: number | undefined;
  private readonly pipelined: boolean;
  /** BEGIN is still to come, and shares a packet with what comes next. */
  private together: boolean;

  constructor(
    /** The service whose database it is open on, and what wakes that service's runner. */
    private readonly owner: { readonly serviceName: string; dueSoon(): void; timeOf(at: Date): Date },
    readonly client: pg.PoolClient,
    readonly tenantId: TenantId,
    { pipelined, together, timeoutMs }: OpenOptions,
  ) {
    this.timeoutMs = timeoutMs;
    this.pipelined = pipelined;
    this.together = together;
  }

  get now(): Date {
    invariant(this.begunAt, 'a pipelined transaction knows the time from its first answer on');
    return this.begunAt;
  }

  begin(at: Date): void {
    this.begunAt = at;
  }

  async query<Row = Record<string, unknown>>(sql: string, params?: readonly unknown[]): Promise<Row[]> {
    // Of what ran side by side, one part may have failed and ended the transaction; its connection is somebody else's now.
    invariant(!this.ended, 'the transaction has ended');
    markLoop();
    const { rows } = await this.send<pg.QueryResult>(
      this.timeoutMs === undefined ? askedFor(sql) : within(this.timeoutMs, sql),
      params,
    );
    markLoop();
    return rows as Row[];
  }

  /** What is asked for at once is sent at once and answered one after the other; when one has failed, so does what follows it. */
  send<T>(query: string | pg.QueryConfig, params?: readonly unknown[]): Promise<T> {
    if (this.pipelined || this.together || this.unanswered > 0) {
      this.wire.pipeline = true;
      this.collectPacket();
    }
    this.together = false;
    this.unanswered++;
    const answer = this.client.query(query as string, params as unknown[] | undefined) as unknown as Promise<T>;
    answer.then(this.answered, this.failed);
    return answer;
  }

  end(): void {
    this.ended = true;
  }

  /**
   * Why the work failed, which decides whether it is tried again. Of what was asked for side by side, what was refused because of another
   * statement's failure may be heard of first.
   */
  causeOf(error: unknown): unknown {
    return isAborted(error) ? (this.failure ?? error) : error;
  }

  /** Sends COMMIT, with what was asked for in this turn of the event loop; its failure is met by who awaits it. */
  commit(): Promise<unknown> {
    this.committed ??= this.send(this.timeoutMs === undefined ? 'COMMIT' : within(this.timeoutMs, 'COMMIT'));
    this.committed.catch(() => undefined);
    return this.committed;
  }

  /** {@link lastAsked} */
  endsWithThis(): void {
    if (!this.pipelined) return;
    this.end();
    void this.commit();
  }

  /** All is answered by now, in whatever order it failed: the connection's next user finds it as it was. */
  static endPipeline(client: pg.PoolClient): void {
    (client as unknown as PipelinedClient).pipeline = false;
  }

  private readonly answered = (): void => {
    this.unanswered--;
    if (this.unanswered === 0 && !this.pipelined && !this.ended) this.wire.pipeline = false;
  };

  private readonly failed = (error: unknown): void => {
    if (!isAborted(error)) this.failure = error;
    this.answered();
  };

  /** What is asked for until this turn of the event loop ends is sent together. */
  private collectPacket(): void {
    if (this.corked) return;
    this.corked = true;
    const { stream } = this.wire.connection;
    stream.cork();
    process.nextTick(() => {
      this.corked = false;
      stream.uncork();
    });
  }

  private get wire(): PipelinedClient {
    return this.client as unknown as PipelinedClient;
  }

  get serviceName(): string {
    return this.owner.serviceName;
  }

  /** What a time of this machine is in the database. */
  timeOf(at: Date): Date {
    return this.owner.timeOf(at);
  }

  /** Wakes the runner after the commit: something is due already. */
  dueSoon(): void {
    onCommit(this, () => this.owner.dueSoon());
  }
}

/**
 * Nothing more will be asked in a transaction that only reads: it ends in the same packet, instead of by a round trip of its own.
 * In others this does nothing.
 */
export function lastAsked(tx: object): void {
  if (tx instanceof OpenTenantTx) tx.endsWithThis();
}

/** The service on whose database a transaction is open; undefined for one that {@link Database.tenant} has not opened. */
export const serviceOf = (tx: object): string | undefined => (tx instanceof OpenTenantTx ? tx.serviceName : undefined);
