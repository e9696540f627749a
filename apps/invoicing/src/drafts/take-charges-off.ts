import { Injectable } from '@nestjs/common';
import { DomainError, type Tx } from '@kontor/kernel';
import { invoiceTable } from '../db/invoice.row.js';
import { type PositionRow, positionTable } from '../db/position.row.js';
import { removedChargeTable } from '../db/removed-charge.row.js';
import { loadPositions } from '../invoices/invoice-rows.js';
import { type Draft, newDraft } from '../pricing/draft.js';
import { DraftEditor } from './draft-editor.js';

/**
 * What it means that charges are taken off a draft with their lines: nothing of them goes back, neither by drafts that are
 * there nor by credits that come later, which find them in `removed_charge`.
 * @see docs/rules/invoices.md#credits-cancellations-refunds
 */
@Injectable()
export class TakeChargesOff {
  constructor(private readonly editor: DraftEditor) {}

  /**
   * To be called with the draft locked, before its lines are deleted: takes what credits them off other drafts, of which those
   * that have no other line are removed.
   * @throws DomainError 422 `charge_credited` when a document that stands credits one of them; those of pricing the other
   * drafts.
   */
  async execute(tx: Tx, { invoice }: Draft, lines: readonly PositionRow[]): Promise<void> {
    const chargeIds = chargesOf(lines);
    if (chargeIds.size === 0) return;
    await removedChargeTable.insertMissing(
      tx,
      [...chargeIds].map((chargeId) => ({ chargeId, removedAt: tx.now })),
    );
    const crediting = await lockUncredited(tx, invoice.id, chargeIds);
    for (const draft of crediting) await this.takeCreditsOff(tx, draft, chargeIds);
  }

  private async takeCreditsOff(tx: Tx, draft: Draft, chargeIds: ReadonlySet<string>): Promise<void> {
    const credits = withCredits(draft.positions, [], chargeIds);
    const left = draft.positions.filter((position) => !credits.includes(position));
    if (left.length === 0) return this.editor.remove(tx, draft);
    await positionTable.delete(tx, { id: credits.map(({ id }) => id) });
    draft.positions = left;
    await this.editor.save(tx, draft);
  }
}

/** Lines that are taken off, those that credit their charges or `chargeIds`, and what is below any of them. */
export function withCredits(
  positions: readonly PositionRow[],
  lines: readonly PositionRow[],
  chargeIds: ReadonlySet<string> = chargesOf(lines),
): PositionRow[] {
  const ids = new Set(lines.map(({ id }) => id));
  for (const { id, originalChargeId, ratedNetMinor, netMinor } of positions)
    if ((ratedNetMinor ?? netMinor) < 0n && chargeIds.has(originalChargeId ?? '')) ids.add(id);
  return positions.filter(({ id, parentId }) => ids.has(id) || ids.has(parentId ?? ''));
}

export const chargesOf = (lines: readonly PositionRow[]): Set<string> =>
  new Set(lines.flatMap(({ chargeId }) => chargeId ?? []));

/**
 * The drafts that credit these charges, which are to be billed no more, or less: locked, so that none of them is finalized meanwhile.
 * @throws DomainError 422 `charge_credited` when a document that stands credits one of them.
 */
export async function lockUncredited(tx: Tx, besides: string, chargeIds: ReadonlySet<string>): Promise<Draft[]> {
  const crediting = await lockCrediting(tx, besides, chargeIds);
  await mustNotBeCredited(tx, chargeIds);
  return crediting;
}

/** Who drafts a credit of these charges holds their draft, so that it is there by now, or finds them removed. */
async function lockCrediting(tx: Tx, besides: string, chargeIds: ReadonlySet<string>): Promise<Draft[]> {
  const rows = await invoiceTable.where(
    tx,
    `t.number IS NULL AND t.id <> $2 AND t.id = ANY(ARRAY(
       SELECT p.invoice_id FROM invoice_position p
       WHERE p.tenant_id = $1 AND p.original_charge_id = ANY($3::uuid[]) AND coalesce(p.rated_net_minor, p.net_minor) < 0))
     ORDER BY t.id
     FOR UPDATE`,
    [besides, [...chargeIds]],
  );
  const positions = await loadPositions(
    tx,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => newDraft(row, positions.get(row.id) ?? []));
}

async function mustNotBeCredited(tx: Tx, chargeIds: ReadonlySet<string>): Promise<void> {
  const [credit] = await tx.query<{ number: string; name: string }>(
    `SELECT i.number, p.name FROM invoice_position p
     JOIN invoice i ON i.tenant_id = $1 AND i.id = p.invoice_id
       AND i.number IS NOT NULL AND i.type <> 'TYPE_CANCEL' AND i.status <> 'STATUS_CANCELLED'
     WHERE p.tenant_id = $1 AND p.original_charge_id = ANY($2::uuid[]) AND p.net_minor < 0
     ORDER BY i.number LIMIT 1`,
    [tx.tenantId, [...chargeIds]],
  );
  if (credit)
    throw new DomainError('charge_credited', {
      detail:
        `What is to be taken off, or to bill less, is credited by ${credit.number} ("${credit.name}") already, which counts on its being billed. ` +
        `Cancel ${credit.number} first, or finalize this draft and credit it.`,
    });
}
