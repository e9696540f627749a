import { notFound, type Tx } from '@kontor/kernel';
import { type PositionRow, positionTable } from '../db/position.row.js';
import type { Draft } from '../pricing/draft.js';
import type { DraftEditor } from './draft-editor.js';

/** A position and its draft, locked. @throws DomainError 404; 422 `invoice_not_draft`. */
export async function lockPosition(
  tx: Tx,
  editor: DraftEditor,
  id: string,
): Promise<{ draft: Draft; position: PositionRow }> {
  const row = await positionTable.get(tx, id);
  if (!row) throw notFound('The position');
  const draft = await editor.lock(tx, row.invoiceId);
  const position = draft.positions.find((candidate) => candidate.id === id);
  if (!position) throw notFound('The position');
  return { draft, position };
}
