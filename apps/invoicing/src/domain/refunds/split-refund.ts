import { allocate, divideRounded } from '@kontor/money';
import type { PricedPosition } from '../invoices/position.js';

/** What of a refund falls on one kind of tax, in positive minor units; `like` is a position that was taxed so. */
export interface RefundShare {
  readonly like: PricedPosition;
  readonly netMinor: bigint;
  readonly taxMinor: bigint;
}

/**
 * Splits a refund over the taxes of what is left of an invoice, in proportion, so that its tax is refunded with it: a
 * refund of the whole refunds exactly its tax. The shares sum to `amountMinor`.
 */
export function splitRefund(amountMinor: bigint, positions: readonly PricedPosition[]): RefundShare[] {
  const groups = new Map<string, { like: PricedPosition; grossMinor: bigint; taxMinor: bigint }>();
  for (const position of positions) {
    const key = `${position.taxCategory ?? ''} ${position.taxRate} ${position.taxNoteKey ?? ''}`;
    const group = groups.get(key) ?? { like: position, grossMinor: 0n, taxMinor: 0n };
    group.grossMinor += position.grossMinor;
    group.taxMinor += position.taxMinor;
    groups.set(key, group);
  }
  const paid = [...groups.values()].filter((group) => group.grossMinor > 0n);
  const parts = allocate(
    amountMinor,
    paid.map((group) => group.grossMinor),
  );
  return paid.flatMap(({ like, grossMinor, taxMinor }, index) => {
    const part = parts[index] as bigint;
    if (part === 0n) return [];
    const tax = divideRounded(part * taxMinor, grossMinor, 'half_up');
    return [{ like, netMinor: part - tax, taxMinor: tax }];
  });
}
