/** A stretch of one lane. */
export interface LanePage {
  readonly lane: string;
  readonly events: readonly unknown[];
}

interface Waiting<Page> {
  readonly page: Page;
  readonly done: () => void;
  readonly failed: (error: unknown) => void;
}

export interface GatheredPagesOptions<Page> {
  /** Pages of one group are dealt with together, one piece of work after the other. */
  readonly groupOf: (page: Page) => string;
  readonly work: (pages: readonly Page[]) => Promise<void>;
  /** Pieces of work at a time; each may hold one database connection. */
  readonly concurrency: number;
  /** Events of one piece of work, unless a single page has more. */
  readonly maxEvents: number;
}

/** Deals with pages of many lanes together: those that arrived while a piece of work was under way are the next one. */
export class GatheredPages<Page extends LanePage> {
  private readonly waiting = new Map<string, Waiting<Page>[]>();
  private readonly atWork = new Set<string>();

  constructor(private readonly options: GatheredPagesOptions<Page>) {}

  /** Resolves when the page is dealt with; rejects with what kept it, or a page beside it, from that. */
  deal(page: Page): Promise<void> {
    return new Promise((done, failed) => {
      const group = this.options.groupOf(page);
      const queue = this.waiting.get(group) ?? [];
      this.waiting.set(group, queue);
      queue.push({ page, done, failed });
      // All lanes of one fetch arrive before it.
      if (queue.length === 1) setImmediate(() => this.next());
    });
  }

  private next(): void {
    for (const [group, queue] of this.waiting) {
      if (this.atWork.size >= this.options.concurrency) return;
      if (this.atWork.has(group)) continue;
      const pieces = this.take(queue);
      if (queue.length === 0) this.waiting.delete(group);
      this.atWork.add(group);
      void this.run(pieces).finally(() => {
        this.atWork.delete(group);
        this.next();
      });
    }
  }

  private take(queue: Waiting<Page>[]): Waiting<Page>[] {
    let events = queue[0]!.page.events.length;
    let n = 1;
    while (n < queue.length && (events += queue[n]!.page.events.length) <= this.options.maxEvents) n++;
    return queue.splice(0, n);
  }

  private async run(pieces: readonly Waiting<Page>[]): Promise<void> {
    try {
      await this.options.work(pieces.map(({ page }) => page));
      for (const { done } of pieces) done();
    } catch (error) {
      for (const { failed } of pieces) failed(error);
    }
  }
}
