import { setTimeout as sleep } from 'node:timers/promises';
import type { Sql } from '@kontor/kernel';
import type { Database } from '../database.js';
import { type Claim, claimUpTo, releaseFailed, LEASE_SECONDS, release, renew, stillHeld } from './claims.js';
import { within } from '../open-tenant-tx.js';
import { dueHandlerOf, type DueWorker } from './due-handler.js';
import { claimedOf, nextDueOf, NotYet } from './due-work.js';
import { claimForLanes, type Lane, restingOf } from './lane.js';
import { requestScope } from '../request-scope.js';

export interface DueRunnerOptions {
  /** Pause between two looks when nothing was due, in milliseconds. */
  readonly pollMs?: number;
  /** No other process works on this database: leases that are found at the start are a dead process's, and are lifted. */
  readonly alone?: boolean;
  readonly onError?: (error: Error, claim: Claim) => void;
}

/** An item that failed while a sandbox clock was advanced. */
export interface DueFailure {
  readonly kind: string;
  readonly ref: string;
  readonly error: string;
}

/** Of a kind, at once. */
const CLAIM_LIMIT = 500;
const TRIES = 5;
/** Between two looks at whether a tenant still rests. */
const REST_MS = 25;
/** What claims and renews takes milliseconds: without an answer for so long it is lost, and asked for again. */
const ANSWER_TIMEOUT_MS = 15_000;

/** Claims due work under leases and hands it to its workers: by polling on real time, by `runDue` on a sandbox clock. */
export class DueRunner {
  private readonly lanes = new Map<string, Lane>();
  private readonly held = new Set<Claim>();
  /** Ended, but not released, because the database was away. */
  private readonly unreleased: Claim[] = [];
  private readonly busy = new Set<Promise<unknown>>();
  private loop: Promise<void> | undefined;
  private renewal: NodeJS.Timeout | undefined;
  private renewing = false;
  private stopping = new AbortController();
  private wake: () => void = () => undefined;
  private woken = false;
  private readonly sql: Sql;

  constructor(
    private readonly database: Database,
    private readonly options: DueRunnerOptions = {},
  ) {
    this.sql = {
      query: async <Row>(text: string, params?: readonly unknown[]) =>
        (await database.pool.query(within(ANSWER_TIMEOUT_MS, text), params as unknown[])).rows as Row[],
    };
    database.dueSoon = () => this.wakeUp();
  }

  /** Makes a `@DueHandler` instance the worker of its kind; other objects are ignored. */
  register(instance: unknown): void {
    const options = dueHandlerOf(instance);
    if (!options) return;
    const { kind, batchSize = 100, parallel = 2 } = options;
    if (this.lanes.has(kind)) throw new Error(`two workers for due work ${kind}`);
    const worker = instance as DueWorker;
    this.lanes.set(kind, {
      kind,
      worker,
      batchSize,
      parallel,
      waiting: [],
      running: 0,
      turnAfter: undefined,
      resting: new Map(),
    });
  }

  get kinds(): string[] {
    return [...this.lanes.keys()];
  }

  start(): void {
    if (this.loop || this.lanes.size === 0) return;
    this.stopping = new AbortController();
    this.loop = this.poll();
  }

  /** Claims no new work, signals long work to give up, and waits for what is being done. */
  async stop(): Promise<void> {
    this.stopping.abort();
    this.wake();
    await this.loop;
    this.loop = undefined;
    while (this.busy.size > 0) await Promise.allSettled(this.busy);
    clearInterval(this.renewal);
    this.renewal = undefined;
  }

  /** Earliest due time of a tenant on its own clock, in this service. */
  nextDue(tenantId: string): Promise<Date | null> {
    return nextDueOf(this.sql, tenantId);
  }

  /** Items of a tenant that are being worked on. */
  claimed(tenantId: string): Promise<number> {
    return claimedOf(this.sql, tenantId);
  }

  /**
   * Works off what is due in a tenant up to and including `upTo`, in order, what comes up meanwhile included. Returns what
   * failed five times.
   */
  runDue(tenantId: string, upTo: Date): Promise<DueFailure[]> {
    // It is work, whoever asks for it: as a part of that request it would go before what others ask for.
    const asking = requestScope.getStore();
    if (!asking) return this.workOff(tenantId, upTo);
    const scope = { ...asking, turn: undefined, idempotency: undefined };
    return requestScope.run(scope, () => this.workOff(tenantId, upTo));
  }

  private async workOff(tenantId: string, upTo: Date): Promise<DueFailure[]> {
    const failures = new Map<string, DueFailure>();
    for (let round = 1; !this.stopping.signal.aborted;) {
      await this.roomOrStop();
      const restsIn = (lane: Lane): boolean => restingOf(lane).includes(tenantId);
      const kinds = [...this.lanes.values()].filter((lane) => !restsIn(lane)).map(({ kind }) => kind);
      const claims = await claimUpTo(this.sql, tenantId, kinds, upTo, CLAIM_LIMIT);
      for (const batch of claims.flatMap((claim) => this.batches(claim))) {
        for (const failure of await this.work(batch)) failures.set(`${failure.kind}\n${failure.ref}`, failure);
      }
      if (claims.length > 0) continue;
      if (kinds.length < this.lanes.size) {
        await sleep(REST_MS);
        continue;
      }
      if (failures.size === 0 || round === TRIES) break;
      // Failed items pause on real time; an advance does not wait for that.
      round++;
      failures.clear();
      await this.sql.query(
        'UPDATE due_work SET retry_at = NULL WHERE tenant_id = $1 AND NOT wall AND retry_at IS NOT NULL',
        [tenantId],
      );
    }
    return [...failures.values()];
  }

  private async poll(): Promise<void> {
    if (this.options.alone)
      await this.sql
        .query('UPDATE due_work SET lease_until = NULL, rescheduled = false WHERE lease_until IS NOT NULL')
        .catch(() => []);
    while (!this.stopping.signal.aborted) {
      this.woken = false;
      await this.roomOrStop();
      await this.releaseLate();
      const free = [...this.lanes.values()].filter((lane) => lane.waiting.length === 0 && lane.running < lane.parallel);
      if (this.stopping.signal.aborted) break;
      const { claims, more } = await claimForLanes(this.sql, free, CLAIM_LIMIT);
      this.enqueue(claims);
      for (const lane of this.lanes.values()) this.fill(lane);
      if (!more && !this.woken && !this.stopping.signal.aborted) await this.pause();
    }
    for (const lane of this.lanes.values()) {
      for (const claim of lane.waiting.splice(0)) {
        this.held.delete(claim);
        await release(this.sql, claim).catch(() => undefined);
      }
    }
  }

  /** A batch of each tenant, then the second of each, so that none waits for all of another's. */
  private enqueue(claims: readonly Claim[]): void {
    const batches = claims.map((claim) => this.batches(claim));
    const rounds = Math.max(0, ...batches.map(({ length }) => length));
    for (let round = 0; round < rounds; round++)
      for (const { [round]: batch } of batches) if (batch) this.lanes.get(batch.kind)?.waiting.push(batch);
  }

  /** What nobody works on any more is free as soon as the database is back, and not only when its lease runs out. */
  private async releaseLate(): Promise<void> {
    try {
      for (let claim; (claim = this.unreleased[0]); this.unreleased.shift()) await release(this.sql, claim);
    } catch {
      // It is still away.
    }
  }

  private async roomOrStop(): Promise<void> {
    const { signal } = this.stopping;
    const { storage } = this.database;
    if (!storage.isFull || signal.aborted) return;
    const stopped = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
    await Promise.race([storage.room(), stopped]);
  }

  private fill(lane: Lane): void {
    while (lane.running < lane.parallel && lane.waiting.length > 0 && !this.stopping.signal.aborted) {
      lane.running++;
      void this.work(lane.waiting.shift()!).then(() => {
        lane.running--;
        this.fill(lane);
        if (lane.waiting.length === 0) this.wakeUp();
      });
    }
  }

  private wakeUp(): void {
    this.woken = true;
    this.wake();
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

  /** A claim in batches of its worker's size, all of them under renewed leases from now on. */
  private batches(claim: Claim): Claim[] {
    const size = this.lanes.get(claim.kind)?.batchSize ?? 1;
    const batches: Claim[] = [];
    for (let from = 0; from < claim.items.length; from += size)
      batches.push({ ...claim, items: claim.items.slice(from, from + size) });
    for (const batch of batches) this.held.add(batch);
    this.renewal ??= setInterval(() => void this.renewAll(), (LEASE_SECONDS / 3) * 1000).unref();
    return batches;
  }

  private async renewAll(): Promise<void> {
    if (this.renewing) return;
    this.renewing = true;
    // A claim that is not renewed because the database is away is lost to another runner; its token then proves nothing.
    await renew(this.sql, [...this.held]).catch(() => undefined);
    this.renewing = false;
  }

  /** Hands one batch over; never throws: what failed is released. */
  private work(claim: Claim): Promise<DueFailure[]> {
    const work = this.batch(claim)
      .catch((error: Error) => {
        this.unreleased.push(claim);
        this.options.onError?.(error, claim);
        return claim.items.map((item) => ({ kind: claim.kind, ref: item.ref, error: error.message }));
      })
      .finally(() => {
        this.held.delete(claim);
        this.busy.delete(work);
      });
    this.busy.add(work);
    return work;
  }

  private async batch(claim: Claim): Promise<DueFailure[]> {
    const error = await this.attempt(claim);
    if (error instanceof NotYet)
      this.lanes.get(claim.kind)?.resting.set(claim.tenantId, performance.now() + error.pauseMs);
    // Nothing has failed: the next turn, or the next start, begins it again.
    if (error instanceof NotYet || this.stopping.signal.aborted) {
      await release(this.sql, claim);
      return [];
    }
    const left = await stillHeld(this.sql, claim);
    if (left.length === 0) return [];
    if (error && left.length > 1) {
      const failures: DueFailure[] = [];
      for (const item of left) failures.push(...(await this.batch({ ...claim, items: [item] })));
      return failures;
    }
    const rest: Claim = { ...claim, items: left };
    const reason = error ?? new Error(`the worker of ${claim.kind} did not end the item`);
    await releaseFailed(this.sql, rest, reason);
    this.options.onError?.(reason, rest);
    return left.map((item) => ({ kind: claim.kind, ref: item.ref, error: reason.message }));
  }

  private async attempt(claim: Claim): Promise<Error | undefined> {
    try {
      const now = claim.frozenAt ?? (await this.database.now(claim.tenantId));
      this.stopping.signal.throwIfAborted();
      await this.lanes
        .get(claim.kind)
        ?.worker.handle({ tenantId: claim.tenantId, now, items: claim.items, signal: this.stopping.signal });
      return undefined;
    } catch (error) {
      return error as Error;
    }
  }
}
