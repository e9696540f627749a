import { Injectable } from '@nestjs/common';
import { Database } from '@kontor/persistence';
import { type PositionRow, positionTable } from '../db/position.row.js';
import { DraftEditor } from './draft-editor.js';
import { lockPosition } from './lock-position.js';
import { noteRemoved } from './note-removed.js';

/** Removes a position of a draft with its children. */
@Injectable()
export class RemovePosition {
  constructor(
    private readonly database: Database,
    private readonly editor: DraftEditor,
  ) {}

  /** @throws DomainError 404; 422 `invoice_not_draft`. */
  execute(tenantId: string, id: string): Promise<void> {
    return this.database.tenant(tenantId, async (tx) => {
      const { draft } = await lockPosition(tx, this.editor, id);
      const isRemoved = (position: PositionRow): boolean => position.id === id || position.parentId === id;
      await noteRemoved(tx, draft.positions.filter(isRemoved));
      await positionTable.delete(tx, { parentId: id });
      await positionTable.delete(tx, { id });
      draft.positions = draft.positions.filter((position) => !isRemoved(position));
      await this.editor.save(tx, draft);
    });
  }
}
