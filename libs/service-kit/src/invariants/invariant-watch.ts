import type { Database } from '@kontor/persistence';
import type { InternalClient } from '../internal/internal-client.js';
import type { Log } from '../observability/log.js';
import type { Metrics } from '../observability/metrics.js';
import { tenantIds } from '../replicas/tenant-ids.js';
import { checkInvariants, describeViolations, type ServiceInvariant } from './check-invariants.js';

const HOUR_MS = 3_600_000;
const LOGGED = 100;

/** Checks the service's promises every hour, logs what is broken and shows the number as `invariant_violations`. */
export class InvariantWatch {
  /** Null before the first check. What was found stays while a later one cannot be made. */
  private violations: number | null = null;
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();

  constructor(
    private readonly database: Database,
    private readonly invariants: readonly ServiceInvariant[] | undefined,
    private readonly client: InternalClient,
    private readonly log: Log,
    metrics: Metrics,
  ) {
    metrics.gauge(
      'invariant_violations',
      'Broken promises found by the last hourly check; anything but 0 is an alarm.',
      () => this.violations,
    );
  }

  start(): void {
    this.timer = setInterval(() => (this.running = this.run()), HOUR_MS);
    this.timer.unref();
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.running;
  }

  private async run(): Promise<void> {
    try {
      const broken: string[] = [];
      const tenants: string[] = [];
      for await (const id of tenantIds(this.client)) tenants.push(id);
      const count = await checkInvariants(this.database, this.invariants, tenants, {
        onViolations: (found) => {
          if (broken.length < LOGGED) broken.push(...describeViolations(found));
        },
      });
      this.violations = count;
      if (count > 0) this.log.error({ broken: broken.slice(0, LOGGED), count }, 'invariants are broken');
    } catch (error) {
      this.log.warn({ err: error }, 'the invariants could not be checked');
    }
  }
}
