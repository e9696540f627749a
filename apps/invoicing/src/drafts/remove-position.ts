import { Injectable } from '@nestjs/common';
import { Database } from '@kontor/persistence';
import { positionTable } from '../db/position.row.js';
import { DraftEditor } from './draft-editor.js';
import { lockPosition } from './lock-position.js';
import { TakeChargesOff, withCredits } from './take-charges-off.js';

/** Removes a position of a draft with its children, and with what credits it. */
@Injectable()
export class RemovePosition {
  constructor(
    private readonly database: Database,
    private readonly editor: DraftEditor,
    private readonly takeChargesOff: TakeChargesOff,
  ) {}

  /** @throws DomainError 404; 422 `invoice_not_draft`, `charge_credited`. */
  execute(tenantId: string, id: string): Promise<void> {
    return this.database.tenant(tenantId, async (tx) => {
      const { draft } = await lockPosition(tx, this.editor, id);
      const named = draft.positions.filter((position) => position.id === id || position.parentId === id);
      await this.takeChargesOff.execute(tx, draft, named);
      const removed = withCredits(draft.positions, named);
      await positionTable.delete(tx, { id: removed.map((position) => position.id) });
      draft.positions = draft.positions.filter((position) => !removed.includes(position));
      await this.editor.save(tx, draft);
    });
  }
}
