/** A bounded map whose entries count for a fixed time; the oldest give way when it is full. */
export class ExpiringMap<T> {
  private readonly entries = new Map<string, { readonly value: T; readonly until: number }>();

  constructor(
    private readonly maxEntries: number,
    private readonly lifeMs: number,
    private readonly now: () => number = performance.now.bind(performance),
  ) {}

  get(key: string): T | undefined {
    const entry = this.entries.get(key);
    return entry && entry.until > this.now() ? entry.value : undefined;
  }

  /** `since`: when its time began; now unless given. */
  set(key: string, value: T, since = this.now()): void {
    this.entries.delete(key);
    if (this.entries.size >= this.maxEntries) this.entries.delete(this.entries.keys().next().value as string);
    this.entries.set(key, { value, until: since + this.lifeMs });
  }

  delete(key: string): void {
    this.entries.delete(key);
  }
}
