import type { Database } from '../database.js';
import { type Claim, claimPolled, claimUpTo, giveBack, LEASE_SECONDS, renew, stillHeld } from './claims.js';
import { dueHandlerOf, type DueWorker } from './due-handler.js';
import { claimedOf, nextDueOf } from './due-work.js';

export interface DueRunnerOptions {
  /** Pause between two looks when nothing was due, in milliseconds. */
  readonly pollMs?: number;
  /** Batches worked on at once. */
  readonly parallel?: number;
  readonly onError?: (error: Error, claim: Claim) => void;
}

/** An item that failed while a sandbox clock was advanced. */
export interface DueFailure {
  readonly kind: string;
  readonly ref: string;
  readonly error: string;
}

const DEFAULT_BATCH = 100;
const CLAIM_LIMIT = 500;
const TRIES = 5;

/** Claims due work under leases and hands it to its workers: by polling on real time, by `runDue` on a sandbox clock. */
export class DueRunner {
  private readonly workers = new Map<string, { worker: DueWorker; batchSize: number }>();
  private readonly busy = new Set<Promise<unknown>>();
  private loop: Promise<void> | undefined;
  private stopping = false;
  private wake: () => void = () => undefined;
  private woken = false;

  constructor(
    private readonly database: Database,
    private readonly options: DueRunnerOptions = {},
  ) {
    database.dueSoon = () => {
      this.woken = true;
      this.wake();
    };
  }

  /** Makes a `@DueHandler` instance the worker of its kind; other objects are ignored. */
  register(instance: unknown): void {
    const options = dueHandlerOf(instance);
    if (!options) return;
    if (this.workers.has(options.kind)) throw new Error(`two workers for due work ${options.kind}`);
    this.workers.set(options.kind, { worker: instance as DueWorker, batchSize: options.batchSize ?? DEFAULT_BATCH });
  }

  get kinds(): string[] {
    return [...this.workers.keys()];
  }

  start(): void {
    if (this.loop || this.workers.size === 0) return;
    this.stopping = false;
    this.loop = this.poll();
  }

  /** Takes no new work and waits for what is being done. */
  async stop(): Promise<void> {
    this.stopping = true;
    this.wake();
    await this.loop;
    this.loop = undefined;
    await Promise.allSettled(this.busy);
  }

  /** Earliest due time of a tenant on its own clock, in this service. */
  async nextDue(tenantId: string): Promise<Date | null> {
    return nextDueOf({ query: (sql, params) => this.query(sql, params) }, tenantId);
  }

  /** Items of a tenant that are being worked on. */
  async claimed(tenantId: string): Promise<number> {
    return claimedOf({ query: (sql, params) => this.query(sql, params) }, tenantId);
  }

  /**
   * Works off what is due in a tenant up to and including `upTo`, in order, what comes up meanwhile included. Returns what
   * failed five times.
   */
  async runDue(tenantId: string, upTo: Date): Promise<DueFailure[]> {
    const failures = new Map<string, DueFailure>();
    for (let round = 1; !this.stopping; ) {
      const claims = await this.database.system((sql) => claimUpTo(sql, tenantId, this.kinds, upTo, CLAIM_LIMIT));
      for (const claim of claims) for (const failure of await this.track(this.work(claim))) failures.set(`${failure.kind}\n${failure.ref}`, failure);
      if (claims.length > 0) continue;
      if (failures.size === 0 || round === TRIES) break;
      // Failed items pause on real time; an advance does not wait for that.
      round++;
      failures.clear();
      await this.retryNow(tenantId);
    }
    return [...failures.values()];
  }

  private async retryNow(tenantId: string): Promise<void> {
    await this.query('UPDATE due_work SET retry_at = NULL WHERE tenant_id = $1 AND NOT wall AND retry_at IS NOT NULL', [tenantId]);
  }

  private async query<Row>(sql: string, params?: readonly unknown[]): Promise<Row[]> {
    return (await this.database.pool.query(sql, params as unknown[])).rows as Row[];
  }

  private async poll(): Promise<void> {
    while (!this.stopping) {
      this.woken = false;
      const claims = await this.database.system((sql) => claimPolled(sql, this.kinds, CLAIM_LIMIT)).catch(() => [] as Claim[]);
      const found = claims.reduce((n, claim) => n + claim.items.length, 0);
      await this.workAll(claims);
      if (found < CLAIM_LIMIT && !this.woken && !this.stopping) await this.pause();
    }
  }

  private pause(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, this.options.pollMs ?? 400);
      this.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  private async workAll(claims: readonly Claim[]): Promise<void> {
    const queue = [...claims];
    const renewal = setInterval(() => void this.renewAll(queue), (LEASE_SECONDS / 3) * 1000);
    const lane = async (): Promise<void> => {
      for (let claim = queue.shift(); claim; claim = queue.shift()) await this.track(this.work(claim));
    };
    await Promise.all(Array.from({ length: this.options.parallel ?? 2 }, lane));
    clearInterval(renewal);
  }

  private async renewAll(claims: readonly Claim[]): Promise<void> {
    for (const claim of claims) await this.database.system((sql) => renew(sql, claim)).catch(() => undefined);
  }

  private track<T>(work: Promise<T>): Promise<T> {
    this.busy.add(work);
    void work.finally(() => this.busy.delete(work)).catch(() => undefined);
    return work;
  }

  /** Hands a claim over in batches; never throws: what failed is given back. */
  private async work(claim: Claim): Promise<DueFailure[]> {
    const batchSize = this.workers.get(claim.kind)?.batchSize ?? DEFAULT_BATCH;
    const renewal = setInterval(() => void this.renewAll([claim]), (LEASE_SECONDS / 3) * 1000);
    const failures: DueFailure[] = [];
    try {
      for (let from = 0; from < claim.items.length; from += batchSize) {
        failures.push(...(await this.batch({ ...claim, items: claim.items.slice(from, from + batchSize) })));
      }
    } catch (error) {
      // The database went away while giving back: the leases run out by themselves.
      this.options.onError?.(error as Error, claim);
      failures.push(...claim.items.map((item) => ({ kind: claim.kind, ref: item.ref, error: (error as Error).message })));
    } finally {
      clearInterval(renewal);
    }
    return failures;
  }

  private async batch(claim: Claim): Promise<DueFailure[]> {
    const error = await this.attempt(claim);
    const left = await this.database.system((sql) => stillHeld(sql, claim));
    if (left.length === 0) return [];
    const rest: Claim = { ...claim, items: left };
    if (error && left.length > 1) {
      const failures: DueFailure[] = [];
      for (const item of left) failures.push(...(await this.batch({ ...claim, items: [item] })));
      return failures;
    }
    const reason = error ?? new Error(`the worker of ${claim.kind} did not end the item`);
    await this.database.system((sql) => giveBack(sql, rest, reason.message));
    this.options.onError?.(reason, rest);
    return left.map((item) => ({ kind: claim.kind, ref: item.ref, error: reason.message }));
  }

  private async attempt(claim: Claim): Promise<Error | undefined> {
    try {
      const now = claim.frozenAt ?? (await this.database.now(claim.tenantId));
      await this.workers.get(claim.kind)?.worker.handle({ tenantId: claim.tenantId, now, items: claim.items });
      return undefined;
    } catch (error) {
      return error as Error;
    }
  }
}
