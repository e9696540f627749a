/** What waits longer in a service, the median, waits better here, where the tenants take turns and the late are refused. */
const TARGET_MS = 25;
const WINDOW_MS = 100;
const LEAST_SAMPLES = 10;
const SHRINK = 0.8;
const STEPS = 32;

/**
 * How much a service is asked at a time: as much as does not wait there for its database. What it waited, and not how long
 * an answer took, says so: an answer may take long for reasons of its own. Falls at once by a fifth, rises in small steps.
 */
export class AdaptiveLimit {
  private limit: number;
  private waited: number[] = [];
  private since = -Infinity;

  constructor(
    private readonly maxRunning: number,
    private readonly minRunning: number,
    private readonly now: () => number = performance.now.bind(performance),
  ) {
    this.limit = maxRunning;
  }

  get current(): number {
    return this.limit;
  }

  /** A request has waited so long in the service. */
  observe(waitedMs: number): void {
    this.waited.push(waitedMs);
    const now = this.now();
    if (this.waited.length < LEAST_SAMPLES || now - this.since < WINDOW_MS) return;
    const median = this.waited.sort((a, b) => a - b)[this.waited.length >> 1]!;
    this.waited = [];
    this.since = now;
    if (median > TARGET_MS) this.limit = Math.max(this.minRunning, Math.floor(this.limit * SHRINK));
    else if (median < TARGET_MS / 2)
      this.limit = Math.min(this.maxRunning, this.limit + Math.ceil(this.maxRunning / STEPS));
  }
}
