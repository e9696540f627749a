import { setTimeout as sleep } from 'node:timers/promises';
import type { ParkedMessages, WaitingMessages } from '@kontor/messaging';
import { type Database, type FailingWork, failingWork } from '@kontor/persistence';
import type { Metrics } from '../observability/metrics.js';

/** What goes on by itself no more, or fails again and again, in all processes of a service: somebody should look. */
export interface ForOperators {
  readonly parked: readonly WaitingMessages[];
  readonly failing: readonly FailingWork[];
}

const NOTHING: ForOperators = { parked: [], failing: [] };
/** However often it is asked for. */
const FRESH_MS = 5_000;
/** Who asks is not kept while all connections are at work: then it is what was known before. */
const PATIENCE_MS = 300;
const ERROR_LENGTH = 300;

/** Looks for what waits for an operator, when somebody asks. */
export class OperatorWatch {
  private known = NOTHING;
  private lookedAt = -Infinity;
  private looking: Promise<void> | undefined;

  constructor(
    private readonly database: Database,
    private readonly parked: ParkedMessages,
  ) {}

  /** As of a few seconds ago, where the database answers soon. */
  async look(): Promise<ForOperators> {
    if (performance.now() - this.lookedAt > FRESH_MS) {
      this.looking ??= this.read().finally(() => (this.looking = undefined));
      await Promise.race([this.looking.catch(() => undefined), sleep(PATIENCE_MS, undefined, { ref: false })]);
    }
    return this.known;
  }

  show(metrics: Metrics): void {
    const sum = (counted: readonly { readonly count: number }[]): number =>
      counted.reduce((total, { count }) => total + count, 0);
    metrics.gauge('messages_parked', 'Events that wait for an operator, in and out.', async () =>
      sum((await this.look()).parked),
    );
    metrics.gauge('due_work_failing', 'Due work that has failed five times in a row or more.', async () =>
      sum((await this.look()).failing),
    );
  }

  private async read(): Promise<void> {
    const [parked, failing] = await Promise.all([
      this.parked.waiting(),
      this.database.system((sql) => failingWork(sql)),
    ]);
    this.known = { parked: parked.map(shortened), failing: failing.map(shortened) };
    this.lookedAt = performance.now();
  }
}

const shortened = <T extends { readonly error: string | null }>(found: T): T => ({
  ...found,
  error: (found.error ?? '').slice(0, ERROR_LENGTH),
});
