import { Injectable } from '@nestjs/common';

const POLL_MS = 100;

/**
 * Wakes requests of this process when a document's status has changed, so that they look at once; those whose change
 * was made by another process look every 100 ms. (A NOTIFY in each transaction would serialize the server's commits.)
 */
@Injectable()
export class StatusSignal {
  private readonly waiting = new Map<string, Set<() => void>>();

  changed(invoiceIds: readonly string[]): void {
    for (const id of invoiceIds) for (const wake of this.waiting.get(id) ?? []) wake();
  }

  /**
   * Looks whenever the status has changed or 100 ms have passed, until `look` finds something or `timeoutMs` is over; holds
   * nothing between two looks. What has just begun is not looked for: it cannot be over.
   */
  async until<T>(invoiceId: string, timeoutMs: number, look: () => Promise<T | null>): Promise<T | null> {
    const deadline = performance.now() + timeoutMs;
    for (let pause = this.pause(invoiceId, deadline); ;) {
      await pause.over;
      // Listening goes on before the look, so that a change between look and pause is not slept through.
      pause = this.pause(invoiceId, deadline);
      const found = await look();
      if (found !== null || performance.now() >= deadline) {
        pause.end();
        return found;
      }
    }
  }

  private pause(invoiceId: string, deadline: number): { over: Promise<void>; end: () => void } {
    let end: () => void = () => undefined;
    const over = new Promise<void>((resolve) => {
      const wakers = this.waiting.get(invoiceId) ?? new Set();
      const timer = setTimeout(() => end(), Math.max(0, Math.min(POLL_MS, deadline - performance.now())));
      end = () => {
        clearTimeout(timer);
        wakers.delete(end);
        if (wakers.size === 0) this.waiting.delete(invoiceId);
        resolve();
      };
      this.waiting.set(invoiceId, wakers.add(end));
    });
    return { over, end };
  }
}
