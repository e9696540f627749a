import { setTimeout as sleep } from 'node:timers/promises';
import type { Attempt, AttemptDelivery } from './attempt-delivery.js';
import { deliveryBody } from './delivery-body.js';
import type { ClaimedDelivery, LaneTurn, Outcome, Turn } from './lane-turn.js';
import { deliveryHeaders } from './sign-delivery.js';

/** Attempts to one endpoint at a time: fast for a good receiver, no stampede for one that comes back. */
export const MAX_IN_FLIGHT = 16;
/** A turn that the database refuses is tried again, for as long as its leases last. */
const AGAIN_MS = 250;
const MAX_FAILURES = 120;

export interface LaneSettings {
  readonly tenantId: string;
  readonly endpointId: string;
  readonly lease: string;
  readonly turn: LaneTurn;
  readonly attempt: AttemptDelivery;
  /** Limits how many lanes use a database connection at once. */
  readonly withConnection: <T>(work: () => Promise<T>) => Promise<T>;
}

/** Works off one endpoint's due deliveries while there are any; a receiver that hangs holds up its own lane alone. */
export class EndpointLane {
  private readonly ended: Outcome[] = [];
  private inFlight = 0;
  private failures = 0;
  private more = true;
  private stopping = false;
  private signal: () => void = () => undefined;

  constructor(private readonly settings: LaneSettings) {}

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

  /** Resolves when nothing is due any more, with the time until something will be. @throws when the database stays away. */
  async run(): Promise<number | null> {
    let nextInMs: number | null = null;
    for (;;) {
      const capacity = this.capacity();
      if (this.ended.length > 0 || capacity > 0) nextInMs = await this.takeTurn(capacity);
      else if (this.inFlight === 0) return nextInMs;
      else await this.changed();
    }
  }

  /** Attempts that may be started now. */
  private capacity(): number {
    return this.stopping || !this.more ? 0 : MAX_IN_FLIGHT - this.inFlight;
  }

  private async takeTurn(capacity: number): Promise<number | null> {
    const { tenantId, endpointId, lease, turn, withConnection } = this.settings;
    const outcomes = this.ended.splice(0);
    this.more = false;
    let result: Turn;
    try {
      result = await withConnection(() => turn.execute({ tenantId, endpointId, lease, outcomes, capacity }));
      this.failures = 0;
    } catch (error) {
      this.ended.unshift(...outcomes);
      this.more = true;
      await this.afterFailure(error);
      return null;
    }
    // An object's next delivery may have become due, and a full claim means that more is waiting.
    if (outcomes.length > 0 || (capacity > 0 && result.claimed.length === capacity)) this.more = true;
    if (result.target) for (const delivery of result.claimed) void this.start(delivery, result.target);
    return result.nextInMs === null ? null : Math.max(0, result.nextInMs);
  }

  /** What was attempted is settled when the database is back: nobody else may take it up while this process runs. */
  private async afterFailure(error: unknown): Promise<void> {
    const holdsNothing = this.ended.length === 0 && this.inFlight === 0;
    if (this.stopping || holdsNothing || (this.failures += 1) > MAX_FAILURES) throw error;
    await sleep(AGAIN_MS);
  }

  private async start(
    delivery: ClaimedDelivery,
    target: { url: string; secret: string; reach: Attempt['reach'] },
  ): Promise<void> {
    this.inFlight++;
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
    this.inFlight--;
    // An attempt that our own stop cut says nothing: its lease runs out and it is made again.
    if (!(attempt.stopped && result.responseStatus === null)) this.ended.push({ delivery, result });
    this.signal();
  }

  private changed(): Promise<void> {
    if (this.ended.length > 0 || this.capacity() > 0) return Promise.resolve();
    return new Promise((resolve) => (this.signal = resolve));
  }
}
