/** After so long, half of what was spent counts. */
const HALF_LIFE_MS = 60_000;
const FORGOTTEN_MS = 100;

/** How much time each owner has taken of something lately. */
export class SpentTime {
  private readonly spent = new Map<string, { readonly ms: number; readonly at: number }>();

  constructor(private readonly now: () => number = performance.now.bind(performance)) {}

  /** In milliseconds; what was spent a while ago counts less. */
  of(owner: string): number {
    const { ms = 0, at = 0 } = this.spent.get(owner) ?? {};
    return ms * 0.5 ** ((this.now() - at) / HALF_LIFE_MS);
  }

  add(owner: string, ms: number): void {
    for (const other of this.spent.keys()) if (this.of(other) < FORGOTTEN_MS) this.spent.delete(other);
    this.spent.set(owner, { ms: this.of(owner) + ms, at: this.now() });
  }
}
