import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Database } from '@kontor/persistence';
import { Log } from '@kontor/service-kit';
import { AttemptDelivery } from './attempt-delivery.js';
import { EndpointLane } from './endpoint-lane.js';
import { LaneTurn } from './lane-turn.js';

/** Finds what no `wake` reported: a start after a crash, leases that ran out, another replica's backlog. */
const POLL_MS = 2_000;
const POLL_LIMIT = 1_000;
/** Due times further away than this are found by polling. */
const TIMER_LIMIT_MS = 30_000;
const STOP_PATIENCE_MS = 2_000;

/**
 * Delivers webhooks: one lane per endpoint with something due, all of them side by side, so that a receiver that hangs
 * blocks no other. Waiting for a receiver holds no database connection.
 */
@Injectable()
export class Dispatcher implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly lanes = new Map<string, { lane: EndpointLane; done: Promise<void> }>();
  private readonly timers = new Map<string, NodeJS.Timeout>();
  private readonly lease: string;
  private readonly gate: Gate;
  private pollTimer: NodeJS.Timeout | undefined;
  private stopping = false;

  constructor(
    private readonly database: Database,
    private readonly turn: LaneTurn,
    private readonly attempt: AttemptDelivery,
    private readonly log: Log,
  ) {
    this.lease = database.presence.id;
    this.gate = new Gate(Math.max(1, Math.floor((database.pool.options.max ?? 4) / 2)));
  }

  onApplicationBootstrap(): void {
    void this.poll();
  }

  /** There is something due for these endpoints. Call it after the commit. */
  wake(tenantId: string, endpointIds: readonly string[]): void {
    if (this.stopping) return;
    for (const endpointId of endpointIds) {
      const key = `${tenantId}/${endpointId}`;
      clearTimeout(this.timers.get(key));
      this.timers.delete(key);
      const running = this.lanes.get(key);
      if (running) running.lane.wake();
      else this.open(key, tenantId, endpointId);
    }
  }

  private open(key: string, tenantId: string, endpointId: string): void {
    const { turn, attempt, lease, gate } = this;
    const lane = new EndpointLane({
      tenantId,
      endpointId,
      lease,
      turn,
      attempt,
      withConnection: (work) => gate.pass(work),
    });
    const done = lane.run().then(
      (nextInMs) => this.closed(key, nextInMs),
      (error: unknown) => {
        this.lanes.delete(key);
        // Leases run out by themselves; polling finds the rest.
        this.log.warn({ err: error, endpointId }, 'deliveries of an endpoint stopped');
      },
    );
    this.lanes.set(key, { lane, done });
  }

  private closed(key: string, nextInMs: number | null): void {
    this.lanes.delete(key);
    if (this.stopping || nextInMs === null || nextInMs > TIMER_LIMIT_MS) return;
    const [tenantId, endpointId] = key.split('/') as [string, string];
    const timer = setTimeout(() => this.wake(tenantId, [endpointId]), Math.max(0, nextInMs) + 5);
    timer.unref();
    this.timers.set(key, timer);
  }

  private async poll(): Promise<void> {
    try {
      const due = await this.database.system((sql) =>
        sql.query<{ tenantId: string; id: string }>(
          'SELECT tenant_id AS "tenantId", id FROM due_webhook_endpoints($1)',
          [POLL_LIMIT],
        ),
      );
      for (const { tenantId, id } of due) this.wake(tenantId, [id]);
    } catch (error) {
      if (!this.stopping) this.log.warn({ err: error }, 'cannot poll for due deliveries');
    }
    if (this.stopping) return;
    this.pollTimer = setTimeout(() => void this.poll(), POLL_MS);
    this.pollTimer.unref();
  }

  /**
   * Starts nothing more; attempts in flight have a moment to end, then they are aborted and made again after the next
   * start.
   */
  async onModuleDestroy(): Promise<void> {
    this.stopping = true;
    clearTimeout(this.pollTimer);
    for (const timer of this.timers.values()) clearTimeout(timer);
    const running = [...this.lanes];
    for (const [, { lane }] of running) lane.stop();
    let cut: string[] = [];
    const impatient = setTimeout(() => {
      cut = [...this.lanes.keys()].map((key) => key.slice(0, key.indexOf('/')));
      this.attempt.abort();
    }, STOP_PATIENCE_MS);
    await Promise.all(running.map(([, { done }]) => done));
    clearTimeout(impatient);
    await this.releaseLeases(new Set(cut)).catch(() => undefined);
    await this.attempt.close();
  }

  /** So that the next process need not wait for them to run out. */
  private async releaseLeases(tenantIds: ReadonlySet<string>): Promise<void> {
    for (const tenantId of tenantIds) {
      await this.database.tenant(tenantId, (tx) =>
        tx.query('UPDATE delivery SET lease = NULL, lease_until = NULL WHERE tenant_id = $1 AND lease = $2', [
          tenantId,
          this.lease,
        ]),
      );
    }
  }
}

/** Lets a few through at a time, the others in their order. */
class Gate {
  private readonly waiting: (() => void)[] = [];
  constructor(private free: number) {}

  async pass<T>(work: () => Promise<T>): Promise<T> {
    if (this.free > 0) this.free--;
    else await new Promise<void>((resolve) => this.waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = this.waiting.shift();
      if (next) next();
      else this.free++;
    }
  }
}
