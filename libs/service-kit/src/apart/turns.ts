/** What waits, by owner: they take turns, so that nobody waits for all that another one has asked for before. */
export class Turns<T> {
  /** The owner whose turn is next comes first. */
  private readonly queues = new Map<string, T[]>();

  add(owner: string, item: T): void {
    const queue = this.queues.get(owner);
    if (queue) queue.push(item);
    else this.queues.set(owner, [item]);
  }

  /** Whether it still waited. */
  remove(owner: string, item: T): boolean {
    const queue = this.queues.get(owner);
    const at = queue?.indexOf(item) ?? -1;
    if (!queue || at < 0) return false;
    queue.splice(at, 1);
    if (queue.length === 0) this.queues.delete(owner);
    return true;
  }

  of(owner: string): readonly T[] {
    return this.queues.get(owner) ?? [];
  }

  get all(): readonly T[] {
    return [...this.queues.values()].flat();
  }

  /**
   * The oldest of whose turn it is, of those who may have one; that one's next turn is after all others'. Who has `spent` less goes
   * first.
   */
  next(
    mayHave: (owner: string) => boolean = () => true,
    spent: (owner: string) => number = () => 0,
  ): { readonly owner: string; readonly item: T } | undefined {
    let found: { owner: string; queue: T[]; spent: number } | undefined;
    for (const [owner, queue] of this.queues)
      if (mayHave(owner) && !(found && found.spent <= spent(owner))) found = { owner, queue, spent: spent(owner) };
    if (!found) return undefined;
    const { owner, queue } = found;
    const item = queue.shift()!;
    this.queues.delete(owner);
    if (queue.length > 0) this.queues.set(owner, queue);
    return { owner, item };
  }

  get isEmpty(): boolean {
    return this.queues.size === 0;
  }
}
