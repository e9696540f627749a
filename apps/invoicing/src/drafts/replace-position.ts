import { Injectable } from '@nestjs/common';
import { Database } from '@kontor/persistence';
import { PositionRow, positionTable } from '../db/position.row.js';
import { mustTakeChild } from '../domain/invoices/position.js';
import type { PositionJson } from '../invoices/invoice.schema.js';
import type { Draft } from '../pricing/draft.js';
import { DraftEditor } from './draft-editor.js';
import type { PositionDto } from './draft.dto.js';
import { lockPosition } from './lock-position.js';
import { PositionInput } from './position-input.js';
import { ShowPosition } from './show-position.js';
import { chargesOf, lockUncredited } from './take-charges-off.js';

/** Replaces a position of a draft; children that the request names replace the old ones. */
@Injectable()
export class ReplacePosition {
  constructor(
    private readonly database: Database,
    private readonly editor: DraftEditor,
    private readonly input: PositionInput,
    private readonly showPosition: ShowPosition,
  ) {}

  /**
   * @throws DomainError 404; 422 `invoice_not_draft`, `unknown_reference`, `position_tree_too_deep`,
   * `currency_mismatch`, `validation_failed`; `charge_credited` when it is to bill less than before.
   */
  execute(tenantId: string, id: string, dto: PositionDto): Promise<PositionJson> {
    return this.database.tenant(tenantId, async (tx) => {
      const { draft, position } = await lockPosition(tx, this.editor, id);
      const { invoiceId, parentId } = position;
      const before = billedBy(draft, id);
      if (parentId !== null && dto.children && dto.children.length > 0) mustTakeChild(position);
      const others = draft.positions.filter((other) => other.id !== id && other.parentId !== id);
      const place = { invoiceId, after: draft.positions.length, parentId, existing: others };
      const [read, ...children] = await this.input.read(tx, [dto], place, '');
      const { ordinal, createdAt, subscriptionItem, subscription, chargeId, usage } = position;
      const kept = { id, ordinal, createdAt, subscriptionItem, subscription, chargeId, usage };
      const replaced = Object.assign(new PositionRow(), position, read, kept);
      for (const child of children) child.parentId = id;
      await positionTable.delete(tx, { parentId: id });
      await positionTable.update(tx, replaced);
      draft.positions = [...others, replaced, ...children];
      await this.editor.save(tx, draft, new Set(children.map((child) => child.id)));
      if (billedBy(draft, id) < before) await lockUncredited(tx, invoiceId, chargesOf([position]));
      return this.showPosition.execute(tx, draft, id);
    });
  }
}

function billedBy({ positions }: Draft, id: string): bigint {
  const { netMinor, discountMinor } = positions.find((position) => position.id === id)!;
  return netMinor - discountMinor;
}
