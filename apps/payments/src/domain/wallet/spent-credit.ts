import { byUse, type Lot, type LotUse } from '../customer-books/lots.js';

/** So much of a lot has paid an invoice, with the terms of that lot: what is returned of it keeps them. */
export type SpentLot = LotUse & Pick<Lot, 'origin' | 'promotional' | 'expiresAt' | 'ordinal'>;

/** The order in which credit returns: what is used first comes back last. */
export const inOrderOfReturn = (spent: readonly SpentLot[]): SpentLot[] => [...spent].sort((a, b) => byUse(b, a));

/** What is left once the first `returnedMinor` of these were returned. */
export function afterReturned(spent: readonly SpentLot[], returnedMinor: bigint): SpentLot[] {
  let goneMinor = returnedMinor;
  return spent.flatMap((lot) => {
    const part = goneMinor < lot.amountMinor ? goneMinor : lot.amountMinor;
    goneMinor -= part;
    return part < lot.amountMinor ? [{ ...lot, amountMinor: lot.amountMinor - part }] : [];
  });
}

/** The first of these that together come to `limitMinor`; the last one in part. */
export function upTo<T extends { readonly amountMinor: bigint }>(limitMinor: bigint, spent: readonly T[]): T[] {
  let leftMinor = limitMinor;
  return spent.flatMap((lot) => {
    if (leftMinor <= 0n) return [];
    const amountMinor = lot.amountMinor < leftMinor ? lot.amountMinor : leftMinor;
    leftMinor -= amountMinor;
    return [{ ...lot, amountMinor }];
  });
}
