import { setTimeout as sleep } from 'node:timers/promises';
import type { Attempt, AttemptDelivery } from './attempt-delivery.js';
import type { AttemptShares, EndpointShare } from './attempt-shares.js';
import { deliveryBody } from './delivery-body.js';
import type { ClaimedDelivery, LaneTurn, Outcome } from './lane-turn.js';
import { deliveryHeaders } from './sign-delivery.js';

/** A turn that the database refuses is tried again, for as long as its leases last. */
const AGAIN_MS = 250;
const MAX_FAILURES = 120;

export interface LaneSettings {
  readonly tenantId: string;
  readonly endpointId: string;
  readonly lease: string;
  readonly turn: LaneTurn;
  readonly attempt: AttemptDelivery;
  readonly shares: AttemptShares;
  /** Limits how many lanes use a database connection at once. */
  readonly withConnection: <T>(work: () => Promise<T>) => Promise<T>;
}

/** Works off one endpoint's due deliveries while there are any; a receiver that hangs holds up its own lane alone. */
export class EndpointLane {
  private readonly ended: Outcome[] = [];
  private readonly share: EndpointShare;
  private readonly inFlight = new Set<string>();
  private failures = 0;
  private more = true;
  private nextInMs: number | null = null;
  private stopping = false;
  private signal: () => void = () => undefined;

  constructor(private readonly settings: LaneSettings) {
    this.share = settings.shares.ofEndpoint(settings.tenantId, () => this.signal());
  }

  /** Something new is due for this endpoint. */
  wake(): void {
    this.more = true;
    this.signal();
  }

  /** Starts nothing more; `run` ends when what is in flight has ended. */
  stop(): void {
    this.stopping = true;
    this.signal();
  }

  /** Ids of the deliveries that are being attempted. */
  get attempted(): string[] {
    return [...this.inFlight];
  }

  /** Resolves when nothing is due any more, with the time until something will be. @throws when the database stays away. */
  async run(): Promise<number | null> {
    try {
      for (;;) {
        if (this.hasTurnToTake) await this.takeTurn();
        else if (this.inFlight.size === 0 && !this.wantsMore) return this.nextInMs;
        else await this.changed();
      }
    } finally {
      this.share.close();
    }
  }

  private get wantsMore(): boolean {
    return this.more && !this.stopping;
  }

  private get hasTurnToTake(): boolean {
    return this.ended.length > 0 || (this.wantsMore && this.share.mayTake);
  }

  private async takeTurn(): Promise<void> {
    let outcomes: Outcome[] = [];
    try {
      // What ended, and whose share there is, counts as it is when the turn comes.
      await this.settings.withConnection(() => {
        outcomes = this.ended.splice(0);
        return this.settleAndClaim(outcomes, this.wantsMore ? this.share.take() : 0);
      });
      this.failures = 0;
    } catch (error) {
      this.ended.unshift(...outcomes);
      this.more = true;
      this.nextInMs = null;
      await this.afterFailure(error);
    }
  }

  private async settleAndClaim(outcomes: Outcome[], capacity: number): Promise<void> {
    if (outcomes.length === 0 && capacity === 0) return;
    const { tenantId, endpointId, lease, turn } = this.settings;
    let claimed: ClaimedDelivery[] = [];
    this.more = false;
    try {
      const result = await turn.execute({ tenantId, endpointId, lease, outcomes, capacity });
      const { target } = result;
      if (target) claimed = result.claimed;
      // An object's next delivery may have become due, and a full claim means that more is waiting.
      if (outcomes.length > 0 || claimed.length === capacity || result.goesOn) this.more = true;
      for (const delivery of claimed) void this.start(delivery, target!);
      this.nextInMs = result.nextInMs === null ? null : Math.max(0, result.nextInMs);
    } finally {
      this.share.release(capacity - claimed.length);
    }
  }

  /** What was attempted is settled when the database is back: nobody else may take it up while this process runs. */
  private async afterFailure(error: unknown): Promise<void> {
    const holdsNothing = this.ended.length === 0 && this.inFlight.size === 0;
    if (this.stopping || holdsNothing || (this.failures += 1) > MAX_FAILURES) throw error;
    await sleep(AGAIN_MS);
  }

  private async start(
    delivery: ClaimedDelivery,
    target: { url: string; secret: string; reach: Attempt['reach'] },
  ): Promise<void> {
    this.inFlight.add(delivery.id);
    const { tenantId, attempt } = this.settings;
    const body = deliveryBody({
      deliveryId: delivery.id,
      type: delivery.eventType,
      sequence: delivery.sequence,
      createdAt: delivery.createdAt,
      data: delivery.data,
    });
    const headers = deliveryHeaders({
      deliveryId: delivery.id,
      eventType: delivery.eventType,
      tenantId,
      body,
      secret: target.secret,
      sentAt: new Date(),
    });
    const result = await attempt.execute({ url: target.url, headers, body, reach: target.reach });
    this.inFlight.delete(delivery.id);
    this.share.release(1);
    // An attempt that our own stop cut says nothing: its lease runs out and it is made again.
    if (!(attempt.stopped && result.responseStatus === null)) this.ended.push({ delivery, result });
    this.signal();
  }

  private changed(): Promise<void> {
    if (this.hasTurnToTake) return Promise.resolve();
    if (this.wantsMore) this.share.awaitRoom();
    return new Promise((resolve) => (this.signal = resolve));
  }
}
