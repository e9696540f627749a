import { setTimeout as sleep } from 'node:timers/promises';
import type { INestApplication } from '@nestjs/common';
import type { Kit } from './kit-module.js';

/** A service that starts while the bus is away says so and serves its API; events wait in its outbox. */
const PATIENCE_MS = 15_000;
const LONGEST_PAUSE_MS = 2_000;

/** Connects relay and consumers to the bus, as often as it takes. */
export class BusConnection {
  private stopping = false;
  private connected: Promise<void> = Promise.resolve();

  constructor(
    private readonly app: INestApplication,
    private readonly kit: Kit,
  ) {}

  /** Resolves when both are connected, or when it takes too long; then it goes on behind. */
  async start(): Promise<void> {
    this.connected = this.connect();
    const late = new AbortController();
    const patience = sleep(PATIENCE_MS, undefined, { signal: late.signal }).then(
      () => this.kit.log.warn({}, 'the bus is away: events wait in the outbox'),
      () => undefined,
    );
    await Promise.race([this.connected, patience]);
    late.abort();
  }

  async stop(): Promise<void> {
    this.stopping = true;
    await this.connected;
  }

  private async connect(): Promise<void> {
    await this.insist(() => this.kit.messaging.startRelay());
    await this.insist(() => this.app.startAllMicroservices());
  }

  private async insist(connect: () => Promise<unknown>): Promise<void> {
    for (let attempt = 0; !this.stopping; attempt++) {
      try {
        await connect();
        return;
      } catch (error) {
        // The first failures are usual where several services make their topics at once.
        if (attempt > 3) this.kit.log.warn({ err: error }, 'the bus does not take us, trying again');
        await sleep(Math.min(100 * 2 ** attempt, LONGEST_PAUSE_MS));
      }
    }
  }
}
