import { DomainError } from '@kontor/kernel';

/** Runs at most so much of one kind of work at a time, lets a bounded number wait, and refuses the rest at once. */
export class Bulkhead {
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(
    private readonly maxRunning: number,
    private readonly maxWaiting: number,
  ) {}

  /** @throws DomainError 503 `service_overloaded` when too many wait already. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    const leave = await this.enter();
    try {
      return await work();
    } finally {
      leave();
    }
  }

  /**
   * Waits for a place and returns what frees it, to be called once.
   * @throws DomainError 503 `service_overloaded` when too many wait already.
   */
  async enter(): Promise<() => void> {
    if (this.running >= this.maxRunning) await this.turn();
    else this.running += 1;
    return () => {
      const next = this.waiting.shift();
      if (next) next();
      else this.running -= 1;
    };
  }

  /** The place of whoever finishes next. */
  private turn(): Promise<void> {
    if (this.waiting.length >= this.maxWaiting)
      throw new DomainError('service_overloaded', {
        kind: 'unavailable',
        detail: 'Too many requests at once; try again.',
        retryAfterSeconds: 1,
      });
    return new Promise((resolve) => this.waiting.push(resolve));
  }
}
