import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { DomainError } from '@kontor/kernel';
import { Database, requestScope } from '@kontor/persistence';
import { Log, ServiceConfig } from '@kontor/service-kit';
import { DayPartitions, isWithoutPartition } from '../partitions/day-partitions.js';
import { CountBatch } from './count-batch.js';
import { EventBatch } from './event-batch.js';
import { IngestLane } from './ingest-lane.js';
import type { IngestRequest, IngestResult } from './ingest-request.js';
import { TENANT_CHANGED, InsertRequests } from './insert-requests.js';
import type { PreparedRequest } from './tenant-state.js';
import { TenantStates } from './tenant-states.js';

const LANES = 2;
/** A commit and the start of a COPY cost as much as some hundred rows: what has gathered meanwhile goes together. */
const BATCH_EVENTS = 2_000;
/** From this size on a batch is worth the second connection. */
const LARGE = 500;
/** What waits beyond this is refused: a client that repeats is better than a process that runs out of memory. */
const MAX_WAITING_EVENTS = 50_000;
/** How long few events wait for the connection that is at work. */
const PATIENCE_MS = 25;
/** Each change of the tenant's metrics or customers meanwhile costs an attempt; there may be many of them. */
const ATTEMPTS = 50;

interface Waiting {
  prepared: PreparedRequest;
  readonly resolve: (result: IngestResult) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Stores requests at the speed of COPY: small ones are put together, whoever sent them, whenever one of two connections
 * is free. COPY takes all rows or none, so a batch with a known transactionId is stored again the careful way, tenant
 * by tenant; what fails there fails alone.
 */
@Injectable()
export class EventWriter implements OnModuleDestroy {
  private readonly lanes: readonly IngestLane[];
  private readonly queue: Waiting[] = [];
  private waitingEvents = 0;
  private scheduled = false;
  private waiting: NodeJS.Timeout | undefined;

  constructor(
    private readonly database: Database,
    private readonly states: TenantStates,
    private readonly insertRequests: InsertRequests,
    private readonly countBatch: CountBatch,
    private readonly dayPartitions: DayPartitions,
    config: ServiceConfig,
    log: Log,
  ) {
    const { ingestUrl } = config;
    const onError = (error: Error): void => log.warn({ err: error }, 'an ingest connection was lost');
    this.lanes = ingestUrl === null ? [] : Array.from({ length: LANES }, () => new IngestLane(ingestUrl, onError));
  }

  /** Resolves when the request's events are committed. @throws DomainError 503 `overloaded`. */
  async write(request: IngestRequest): Promise<IngestResult> {
    if (this.lanes.length === 0) return this.insertRequests.executeOne(request);
    if (this.waitingEvents > MAX_WAITING_EVENTS) {
      throw new DomainError('overloaded', {
        kind: 'unavailable',
        detail: 'Too many events are waiting to be stored; try again.',
        retryAfterSeconds: 1,
      });
    }
    this.waitingEvents += request.events.length;
    try {
      const known = this.states.prepare(request);
      const prepared = known instanceof Promise ? await known : known;
      return await new Promise<IngestResult>((resolve, reject) => {
        this.queue.push({ prepared, resolve, reject });
        this.schedule();
      });
    } finally {
      this.waitingEvents -= request.events.length;
    }
  }

  async onModuleDestroy(): Promise<void> {
    clearTimeout(this.waiting);
    await Promise.all(this.lanes.map((lane) => lane.close()));
  }

  /** After what has arrived in this turn of the event loop: requests that came together are stored together. */
  private schedule(): void {
    if (this.scheduled) return;
    this.scheduled = true;
    // Outside of any request: what happens from here on is done for all that wait.
    requestScope.exit(() =>
      setImmediate(() => {
        this.scheduled = false;
        this.fill();
      }),
    );
  }

  private fill(patient = true): void {
    for (const lane of this.lanes) {
      if (lane.busy) continue;
      const batch = this.nextBatch(patient && this.lanes.some((other) => other.busy));
      if (batch.length === 0) return this.waitForTheOther();
      lane.busy = true;
      void this.store(lane, batch).finally(() => {
        lane.busy = false;
        this.fill();
      });
    }
  }

  /** Not for long: what delays the other connection must not delay anything else. */
  private waitForTheOther(): void {
    if (this.queue.length === 0 || this.waiting) return;
    this.waiting = setTimeout(() => {
      this.waiting = undefined;
      this.fill(false);
    }, PATIENCE_MS);
  }

  /**
   * The next requests in order. Few events are left to the connection that is at work already: it will be free soon.
   */
  private nextBatch(otherIsBusy: boolean): Waiting[] {
    let events = 0;
    let count = 0;
    for (const { prepared } of this.queue) {
      const size = prepared.request.events.length;
      if (count > 0 && events + size > BATCH_EVENTS) break;
      events += size;
      count++;
    }
    if (otherIsBusy && events < LARGE && count === this.queue.length) return [];
    return this.queue.splice(0, count);
  }

  private async store(lane: IngestLane, batch: Waiting[]): Promise<void> {
    try {
      const [careful, trusting] = partition(batch, ({ prepared }) => prepared.state.expectsDuplicates);
      if (trusting.length > 0) await this.copy(lane, trusting);
      if (careful.length > 0) await this.insert(careful);
    } catch (error) {
      // Whoever was answered already ignores this.
      for (const { reject } of batch) reject(error);
    }
  }

  private async copy(lane: IngestLane, batch: Waiting[]): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      const events = new EventBatch(
        batch.map(({ prepared }) => prepared),
        Date.now(),
        this.database.clock().getTime(),
      );
      // Refusals rely on the tenant's clock too: it has to be read.
      if (events.rows.length === 0) return this.insert(batch);
      try {
        await lane.copy(events, this.countBatch.alongside(events));
        this.countBatch.committed(events);
        events.results().forEach((result, i) => batch[i]!.resolve(result));
        return;
      } catch (error) {
        const { code = '' } = error as { code?: string };
        // Without an answer of the server it is unknown whether the batch was committed: the clients send it again.
        if (!/^[0-9A-Z]{5}$/.test(code) || code.startsWith('57P') || attempt === ATTEMPTS) throw error;
        if (code === TENANT_CHANGED) await this.prepareAgain(batch);
        else if (isWithoutPartition(error)) await this.dayPartitions.ensure();
        else {
          for (const state of events.states) state.noteDuplicates(true);
          return this.insert(batch);
        }
      }
    }
  }

  private async prepareAgain(batch: Waiting[]): Promise<void> {
    for (const { prepared } of batch) this.states.outdated(prepared.state);
    for (const waiting of batch) waiting.prepared = await this.states.prepare(waiting.prepared.request);
  }

  /** Tenant by tenant, and where that fails request by request: an error of one does not affect the others. */
  private async insert(batch: readonly Waiting[]): Promise<void> {
    for (const ofTenant of byTenant(batch)) {
      try {
        const results = await this.insertRequests.execute(ofTenant.map(({ prepared }) => prepared.request));
        ofTenant.forEach(({ resolve }, i) => resolve(results[i]!));
      } catch (error) {
        if (ofTenant.length === 1) ofTenant[0]!.reject(error);
        else for (const waiting of ofTenant) await this.insert([waiting]);
      }
    }
  }
}

function byTenant(batch: readonly Waiting[]): Waiting[][] {
  const groups = new Map<string, Waiting[]>();
  for (const waiting of batch) {
    const { tenantId } = waiting.prepared.request;
    const group = groups.get(tenantId);
    if (group) group.push(waiting);
    else groups.set(tenantId, [waiting]);
  }
  return [...groups.values()];
}

function partition<T>(items: readonly T[], test: (item: T) => boolean): [T[], T[]] {
  const [yes, no]: [T[], T[]] = [[], []];
  for (const item of items) (test(item) ? yes : no).push(item);
  return [yes, no];
}
