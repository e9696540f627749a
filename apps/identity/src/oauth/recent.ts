/** What was read a moment ago, for who asks again within it. A read that is under way serves all who ask meanwhile. */
export class Recent<T> {
  private readonly entries = new Map<string, { readonly value: Promise<T | undefined>; readonly until: number }>();

  constructor(
    private readonly lifeMs: number,
    private readonly clock: () => number = () => performance.now(),
  ) {}

  /** What does not exist, and what could not be read, is asked for again. */
  async get(key: string, read: () => Promise<T | undefined>): Promise<T | undefined> {
    const now = this.clock();
    this.drop(now);
    const known = this.entries.get(key);
    if (known) return known.value;
    const value = read();
    const entry = { value, until: now + this.lifeMs };
    this.entries.set(key, entry);
    const found = await value.catch(() => undefined);
    if (found === undefined && this.entries.get(key) === entry) this.entries.delete(key);
    return value;
  }

  /** The next who asks reads it anew, also when somebody is reading it now. */
  forget(key: string): void {
    this.entries.delete(key);
  }

  /** All live equally long: the oldest are the first. */
  private drop(now: number): void {
    for (const [key, { until }] of this.entries) {
      if (until > now) return;
      this.entries.delete(key);
    }
  }
}
