import { newUuid } from '@kontor/kernel';
import { InvoiceRow } from '../db/invoice.row.js';
import type { PositionRow } from '../db/position.row.js';
import { type Draft, newDraft } from '../pricing/draft.js';

const isOutside = ({ taxCategory }: PositionRow): boolean => taxCategory === 'O';

/**
 * Whether a priced draft is refused because lines outside the scope of VAT stand beside others. Lines under other lines were
 * put there by hand: whoever did it parts them.
 * @see EN 16931-1, BR-O-11 to BR-O-14
 */
export const mustSplit = ({ obstacle, positions }: Draft): boolean =>
  obstacle?.step === 'e_invoice' &&
  positions.some(isOutside) &&
  !positions.every(isOutside) &&
  positions.every(({ parentId }) => parentId === null);

/**
 * Takes the lines outside the scope of VAT off a draft and returns the new draft that gets them; both are to be priced anew.
 * When the others come to nothing, those leave: the draft whose id is known already is the one that becomes a document.
 */
export function splitDraft(draft: Draft): Draft {
  const invoice = Object.assign(new InvoiceRow(), draft.invoice, { id: newUuid(), version: 1, joinable: false });
  const others = draft.positions.filter((position) => !isOutside(position));
  const worth = others.reduce((sum, { netMinor, discountMinor }) => sum + netMinor - discountMinor, 0n);
  const leaving = new Set(worth === 0n ? others : draft.positions.filter(isOutside));
  draft.positions = draft.positions.filter((position) => !leaving.has(position));
  for (const position of leaving) position.invoiceId = invoice.id;
  return newDraft(invoice, [...leaving]);
}
