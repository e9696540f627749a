/** One version of a copied object. */
export interface CopyRef {
  readonly kind: string;
  readonly tenantId: string;
  readonly id: string;
  readonly version: number;
}

interface Waiter {
  readonly version: number;
  readonly wake: () => void;
}

/** So many are remembered at least; what is older is looked up. */
const REMEMBERED = 10_000;

/**
 * Knows which copies this process has stored of late, and wakes those who wait for one. Another process of the same service is
 * noticed by looking into the database.
 */
export class CopyWatch {
  /** In two halves, so that forgetting the oldest costs nothing. */
  private young = new Map<string, number>();
  private old = new Map<string, number>();
  private readonly waiting = new Map<string, Set<Waiter>>();

  /** After the commit. */
  stored(copies: Iterable<CopyRef>): void {
    for (const copy of copies) {
      const key = keyOf(copy);
      this.remember(key, copy.version);
      for (const waiter of this.waiting.get(key) ?? []) if (waiter.version <= copy.version) waiter.wake();
    }
  }

  /** True when this process remembers that version or a later one; false when it does not know. */
  knows(copy: CopyRef): boolean {
    const key = keyOf(copy);
    return (this.young.get(key) ?? this.old.get(key) ?? -1) >= copy.version;
  }

  /** Resolves when one of the copies is stored by this process, or after `ms`. */
  async anyOf(copies: readonly CopyRef[], ms: number): Promise<void> {
    const cancels: (() => void)[] = [];
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      cancels.push(() => clearTimeout(timer));
      for (const copy of copies) cancels.push(this.onStored(copy, resolve));
    });
    for (const cancel of cancels) cancel();
  }

  private onStored(copy: CopyRef, wake: () => void): () => void {
    const key = keyOf(copy);
    const waiters = this.waiting.get(key) ?? new Set();
    const waiter = { version: copy.version, wake };
    this.waiting.set(key, waiters.add(waiter));
    return () => {
      waiters.delete(waiter);
      if (waiters.size === 0) this.waiting.delete(key);
    };
  }

  private remember(key: string, version: number): void {
    const known = this.young.get(key) ?? this.old.get(key) ?? -1;
    if (this.young.size >= REMEMBERED) {
      this.old = this.young;
      this.young = new Map();
    }
    this.young.set(key, Math.max(known, version));
  }
}

const keyOf = ({ kind, tenantId, id }: CopyRef): string => `${kind}/${tenantId}/${id}`;
