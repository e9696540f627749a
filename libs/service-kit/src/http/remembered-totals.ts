import type { Tx } from '@kontor/kernel';
import { serviceOf } from '@kontor/persistence';

const REMEMBERED_MS = 10_000;
/** Of lists; then all are forgotten. */
const MAX_REMEMBERED = 1_000;

/**
 * Estimates of lists that have more than is counted: finding that out again for each page would cost more than the page. After some seconds
 * they are asked for again, so a list that has become short is soon counted exactly.
 */
export class RememberedTotals {
  private readonly estimates = new Map<string, { readonly items: number; readonly until: number }>();

  constructor(private readonly millis: () => number = () => performance.now()) {}

  /** What a list was estimated to have a moment ago; undefined for one that has to be counted. */
  get(list: string): number | undefined {
    const known = this.estimates.get(list);
    return known && known.until > this.millis() ? known.items : undefined;
  }

  set(list: string, items: number): void {
    if (this.estimates.size >= MAX_REMEMBERED) this.estimates.clear();
    this.estimates.set(list, { items, until: this.millis() + REMEMBERED_MS });
  }
}

/** Which list it is: services share a process, and some name their tables alike. */
export const listKey = (tx: Tx, from: string, params: readonly unknown[]): string =>
  JSON.stringify([serviceOf(tx), tx.tenantId, from, params], (_key, value: unknown) =>
    typeof value === 'bigint' ? value.toString() : value,
  );
