import { Injectable } from '@nestjs/common';
import { Database } from '@kontor/persistence';
import { positionTable } from '../db/position.row.js';
import { DraftEditor } from './draft-editor.js';
import { lockPosition } from './lock-position.js';

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
      await positionTable.delete(tx, { parentId: id });
      await positionTable.delete(tx, { id });
      draft.positions = draft.positions.filter((position) => position.id !== id && position.parentId !== id);
      await this.editor.save(tx, draft);
    });
  }
}
