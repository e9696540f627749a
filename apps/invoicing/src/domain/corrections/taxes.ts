import type { TaxSubtotal } from '@kontor/tax';
import { afterDiscount, type Taken } from './rest.js';

/** The VAT table of some amounts: a row for each kind of tax, in the order of the positions. */
export function taxesOf(
  taken: readonly Pick<Taken, 'position' | 'netMinor' | 'discountMinor' | 'taxMinor'>[],
): TaxSubtotal[] {
  const rows = new Map<string, TaxSubtotal>();
  for (const part of taken) {
    const { taxCategory, taxRate: rate, taxNoteKey: noteKey } = part.position;
    const category = taxCategory ?? 'S';
    const key = `${category} ${rate} ${noteKey ?? ''}`;
    const row = rows.get(key);
    rows.set(key, {
      category,
      rate,
      noteKey,
      baseMinor: (row?.baseMinor ?? 0n) + afterDiscount(part),
      taxMinor: (row?.taxMinor ?? 0n) + part.taxMinor,
    });
  }
  return [...rows.values()];
}
