import { Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Database } from '@kontor/persistence';
import { Log } from '@kontor/service-kit';
import { AttemptDelivery } from './attempt-delivery.js';
import { AttemptShares } from './attempt-shares.js';
import { EndpointLane } from './endpoint-lane.js';
import { LaneTurn } from './lane-turn.js';
import { TenantGate } from './tenant-gate.js';

/** Finds what no `wake` reported: a start after a crash, leases that ran out, another replica's backlog. */
const POLL_MS = 2_000;
/** So many endpoints are looked at at once; with more, the look goes on a moment later. */
const POLL_LIMIT = 1_000;
const POLL_ON_MS = 50;
const FIRST = '00000000-0000-0000-0000-000000000000';
/** Due times further away than this are found by polling. */
const TIMER_LIMIT_MS = 30_000;
const STOP_PATIENCE_MS = 2_000;

/**
 * Delivers webhooks: one lane per endpoint with something due, all of them side by side, so that a receiver that hangs
 * blocks no other, each with its share of what is in flight. They take turns at the database by tenant. Waiting for a receiver
 * holds no database connection.
 */
@Injectable()
export class Dispatcher implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly lanes = new Map<string, { lane: EndpointLane; done: Promise<void> }>();
  private readonly timers = new Map<string, NodeJS.Timeout>();
  private readonly lease: string;
  private readonly gate: TenantGate;
  private readonly shares = new AttemptShares();
  private pollAfter = { tenantId: FIRST, id: FIRST };
  private pollTimer: NodeJS.Timeout | undefined;
  private stopping = false;

  constructor(
    private readonly database: Database,
    private readonly turn: LaneTurn,
    private readonly attempt: AttemptDelivery,
    private readonly log: Log,
  ) {
    this.lease = database.presence.id;
    this.gate = new TenantGate(Math.max(1, Math.floor((database.pool.options.max ?? 4) / 2)));
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
    const { turn, attempt, lease, gate, shares } = this;
    const lane = new EndpointLane({
      tenantId,
      endpointId,
      lease,
      turn,
      attempt,
      shares,
      withConnection: (work) => gate.pass(tenantId, work),
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
    let wait = POLL_MS;
    try {
      if (await this.wakeDue()) wait = POLL_ON_MS;
    } catch (error) {
      if (!this.stopping) this.log.warn({ err: error }, 'cannot poll for due deliveries');
    }
    if (this.stopping) return;
    this.pollTimer = setTimeout(() => void this.poll(), wait);
    this.pollTimer.unref();
  }

  /** Looks on behind what was found last, from the beginning when that was the last. Returns whether it may find more. */
  private async wakeDue(): Promise<boolean> {
    const { tenantId, id } = this.pollAfter;
    const found = await this.database.system((sql) =>
      sql.query<{ tenantId: string; id: string }>(
        'SELECT tenant_id AS "tenantId", id FROM endpoints_to_attempt($1, $2, $3)',
        [tenantId, id, POLL_LIMIT],
      ),
    );
    for (const due of found) this.wake(due.tenantId, [due.id]);
    this.pollAfter = found.at(-1) ?? { tenantId: FIRST, id: FIRST };
    return found.length > 0;
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
    let cut: { tenantId: string; ids: string[] }[] = [];
    const impatient = setTimeout(() => {
      cut = [...this.lanes].map(([key, { lane }]) => ({ tenantId: key.split('/')[0]!, ids: lane.attempted }));
      this.attempt.abort();
    }, STOP_PATIENCE_MS);
    await Promise.all(running.map(([, { done }]) => done));
    clearTimeout(impatient);
    await this.releaseLeases(cut).catch(() => undefined);
    await this.attempt.close();
  }

  /** So that the next process need not wait for them to run out. */
  private async releaseLeases(cut: readonly { tenantId: string; ids: readonly string[] }[]): Promise<void> {
    for (const { tenantId, ids } of cut) {
      await this.database.tenant(tenantId, (tx) =>
        tx.query(
          `UPDATE delivery SET lease = NULL, lease_until = NULL
           WHERE tenant_id = $1 AND id = ANY($2::text[]) AND lease = $3`,
          [tenantId, ids, this.lease],
        ),
      );
    }
  }
}
