import type { Tx } from '@kontor/kernel';
import type { PositionRow } from '../db/position.row.js';
import { removedChargeTable } from '../db/removed-charge.row.js';

/** Keeps in mind which charges are taken off a draft with its lines: whoever credits unused time asks for them. */
export async function noteRemoved(tx: Tx, positions: readonly Pick<PositionRow, 'chargeId'>[]): Promise<void> {
  const chargeIds = positions.flatMap(({ chargeId }) => chargeId ?? []);
  await removedChargeTable.insertMissing(
    tx,
    chargeIds.map((chargeId) => ({ chargeId, removedAt: tx.now })),
  );
}
