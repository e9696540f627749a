import { invariant, type TenantId } from '@kontor/kernel';
import type pg from 'pg';
import { markLoop } from './loop-marks.js';
import { onCommit, type TenantTx } from './tx.js';

/** A query that is given up when it gets no answer for so long. */
export const within = (timeoutMs: number, text: string): pg.QueryConfig =>
  ({ text, query_timeout: timeoutMs }) as pg.QueryConfig;

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

/** One open transaction of a tenant, on a connection that is its own until {@link OpenTenantTx.end}. */
export class OpenTenantTx implements TenantTx {
  private ended = false;
  private begunAt: Date | undefined;
  /** While statements are collected for one packet. */
  private corked = false;
  private unanswered = 0;
  /** For each statement; absent: the connection's. */
  private readonly timeoutMs: number | undefined;
  private readonly pipelined: boolean;
  /** Statements still to come that wait for no answer: BEGIN and the first of the work. */
  private together: number;
  private last: Promise<void> = Promise.resolve();

  constructor(
    /** The service whose database it is open on, and what wakes that service's runner. */
    private readonly owner: { readonly serviceName: string; dueSoon(): void },
    readonly client: pg.PoolClient,
    readonly tenantId: TenantId,
    { pipelined, together, timeoutMs }: OpenOptions,
  ) {
    this.timeoutMs = timeoutMs;
    this.pipelined = pipelined;
    this.together = together ? 2 : 0;
    if (pipelined || together) this.wire.pipeline = true;
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
    const query = this.timeoutMs === undefined ? sql : within(this.timeoutMs, sql);
    markLoop();
    const { rows } = await this.send<pg.QueryResult>(query, params);
    markLoop();
    return rows as Row[];
  }

  send<T>(query: string | pg.QueryConfig, params?: readonly unknown[]): Promise<T> {
    const ask = () => this.client.query(query as string, params as unknown[] | undefined) as unknown as Promise<T>;
    if (this.pipelined) {
      this.collectPacket();
      return ask();
    }
    if (this.together > 0) {
      this.collectPacket();
      if (--this.together > 0) return ask();
      this.unanswered++;
      const first = ask();
      this.last = first.then(this.firstAnswered, this.firstAnswered);
      return first;
    }
    // What is asked for at once goes one after the other here, as the driver wants it.
    const answer = this.unanswered++ === 0 ? ask() : this.last.then(ask);
    this.last = answer.then(this.answered, this.answered);
    return answer;
  }

  end(): void {
    this.ended = true;
  }

  /** All is answered by now, in whatever order it failed: the connection's next user finds it as it was. */
  static endPipeline(client: pg.PoolClient): void {
    (client as unknown as PipelinedClient).pipeline = false;
  }

  private readonly firstAnswered = (): void => {
    this.unanswered--;
    if (!this.ended) this.wire.pipeline = false;
  };

  private readonly answered = (): void => void this.unanswered--;

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

  /** Wakes the runner after the commit: something is due already. */
  dueSoon(): void {
    onCommit(this, () => this.owner.dueSoon());
  }
}

/** The service on whose database a transaction is open; undefined for one that {@link Database.tenant} has not opened. */
export const serviceOf = (tx: object): string | undefined => (tx instanceof OpenTenantTx ? tx.serviceName : undefined);
