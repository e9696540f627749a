/** Wakes those who wait when copies were stored in this process; another process is noticed by looking again. */
export class CopyWatch {
  private readonly waiting = new Set<() => void>();

  stored(): void {
    for (const wake of this.waiting) wake();
    this.waiting.clear();
  }

  /** Resolves at the next copy, or after `ms`. */
  next(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        clearTimeout(timer);
        this.waiting.delete(wake);
        resolve();
      };
      const timer = setTimeout(wake, ms);
      this.waiting.add(wake);
    });
  }
}
