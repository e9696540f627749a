/** Both times are cut off to whole milliseconds. */
const GRAIN_MS = 1;
/** More than that is worth a word. */
const REMARKABLE_MS = 5_000;

/**
 * The database's time, by this machine's clock and how much that is known to differ. All processes of a service share one
 * database, and what is due is due by its time. An answer takes its time, so only what is certain counts: with clocks that
 * agree, nothing is ever added.
 */
export class DatabaseClock {
  private aheadMs = 0;
  private saidMs = 0;

  /** `onDifference` hears when the difference is remarkably another one: how far the machine is behind, in seconds. */
  constructor(private readonly onDifference: (secondsBehind: number) => void = () => undefined) {}

  readonly now = (): Date => this.timeOf(new Date());

  /** What a time of this machine is in the database. */
  timeOf(at: Date): Date {
    return this.aheadMs === 0 ? at : new Date(at.getTime() + this.aheadMs);
  }

  /** The database said that it was `at`, between these two times of the machine. */
  notice(at: Date, askedAt: number, answeredAt: number): void {
    const lowest = at.getTime() - answeredAt - GRAIN_MS;
    const highest = at.getTime() - askedAt + GRAIN_MS;
    this.aheadMs = Math.max(lowest, Math.min(highest, this.aheadMs));
    if (Math.abs(this.aheadMs - this.saidMs) < REMARKABLE_MS) return;
    this.saidMs = this.aheadMs;
    this.onDifference(Math.round(this.aheadMs / 1000));
  }
}
