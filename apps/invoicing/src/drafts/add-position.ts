import { Injectable } from '@nestjs/common';
import { unknownReference } from '@kontor/kernel';
import { Database } from '@kontor/persistence';
import { mustTakeChild } from '../domain/invoices/position.js';
import type { PositionJson } from '../invoices/invoice.schema.js';
import type { Draft } from '../pricing/draft.js';
import { DraftEditor } from './draft-editor.js';
import type { NewPositionDto } from './draft.dto.js';
import { PositionInput } from './position-input.js';
import { ShowPosition } from './show-position.js';

/** Adds a position to a draft, with its children. */
@Injectable()
export class AddPosition {
  constructor(
    private readonly database: Database,
    private readonly editor: DraftEditor,
    private readonly input: PositionInput,
    private readonly showPosition: ShowPosition,
  ) {}

  /**
   * @throws DomainError 404; 422 `invoice_not_draft`, `unknown_reference`, `position_tree_too_deep`,
   * `currency_mismatch`, `validation_failed`.
   */
  execute(tenantId: string, invoiceId: string, dto: NewPositionDto): Promise<PositionJson> {
    return this.database.tenant(tenantId, async (tx) => {
      const draft = await this.editor.lock(tx, invoiceId);
      const parentId = dto.parent ?? null;
      if (parentId !== null) checkParent(draft, parentId, dto);
      const place = { invoiceId, after: draft.positions.length, parentId, existing: draft.positions };
      const added = await this.input.read(tx, [dto], place, '');
      draft.positions.push(...added);
      await this.editor.save(tx, draft, new Set(added.map((position) => position.id)));
      return this.showPosition.execute(tx, draft, added[0]?.id);
    });
  }
}

function checkParent(draft: Draft, parentId: string, dto: NewPositionDto): void {
  const parent = draft.positions.find((position) => position.id === parentId);
  if (!parent) throw unknownReference('parent', 'parent position');
  mustTakeChild(parent);
  if (dto.children && dto.children.length > 0) mustTakeChild({ parentId });
}
