import type { Messaging } from '@kontor/messaging';
import type { Log } from '../observability/log.js';

/**
 * Tries again what was put aside, in the background, when a service starts: what repairs the cause (a new version, a setting, another service
 * that is there again) comes with a start, or is followed by one. What fails again stays as it is, with those behind it.
 */
export class ReplayParked {
  private readonly stopping = new AbortController();
  private running: Promise<void> = Promise.resolve();

  constructor(
    private readonly messaging: Messaging,
    private readonly log: Log,
  ) {}

  start(): void {
    this.running = this.run();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  private async run(): Promise<void> {
    try {
      await this.messaging.releaseQuarantine();
      const { applied, failed } = await this.messaging.parked.replay(this.stopping.signal);
      if (applied + failed > 0) this.log.warn({ applied, failed }, 'events that were put aside have been tried again');
    } catch (error) {
      if (!this.stopping.signal.aborted)
        this.log.warn({ err: error }, 'events that were put aside could not be tried again before the next start');
    }
  }
}
