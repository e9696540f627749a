import { Injectable } from '@nestjs/common';
import { DomainError, notFound, type Tx, unknownReference } from '@kontor/kernel';
import { Database, selectRows, updateRows } from '@kontor/persistence';
import { PositionRow } from '../db/position.row.js';
import { mustTakeChild } from '../domain/position.js';
import { DraftEditor } from './draft-editor.js';
import type { NewPositionDto, PositionDto } from './invoice.dto.js';
import { InvoiceReader } from './invoice.read.js';
import { PositionInput } from './position-input.js';
import type { Draft } from './price-draft.js';
import type { InvoiceJson } from './represent-invoice.js';

export type PositionAnswer = InvoiceJson['positions'][number];

const REPLACED: readonly (keyof PositionRow & string)[] = [
  'groupId', 'groupName', 'groupRanking', 'type', 'name', 'description', 'quantity', 'unitId', 'unitName', 'priceAmount', 'pricePrecision', 'priceCurrencyCode',
  'ratedNetMinor', 'ratedDiscountMinor', 'discountPercentage', 'discountFixedMinor', 'taxGroupId', 'isGood', 'product', 'serviceFrom', 'serviceLast',
]; // prettier-ignore

/** Adds, replaces and removes single positions of drafts. */
@Injectable()
export class EditPositions {
  constructor(
    private readonly database: Database,
    private readonly editor: DraftEditor,
    private readonly reader: InvoiceReader,
    private readonly input: PositionInput,
  ) {}

  /** @throws DomainError 404; 422 `invoice_not_draft`, `unknown_reference`, `position_tree_too_deep`, `currency_mismatch`, `validation_failed`. */
  add(tenantId: string, invoiceId: string, dto: NewPositionDto): Promise<PositionAnswer> {
    return this.database.tenant(tenantId, async (tx) => {
      const draft = await this.editor.lock(tx, invoiceId);
      const parentId = dto.parent ?? null;
      if (parentId !== null) {
        const parent = draft.positions.find((position) => position.id === parentId);
        if (!parent) throw unknownReference('parent', 'parent position');
        mustTakeChild(parent);
        if (dto.children && dto.children.length > 0) mustTakeChild({ parentId });
      }
      const added = await this.input.read(tx, [dto], { invoiceId, after: draft.positions.length, parentId, existing: draft.positions }, '');
      draft.positions.push(...added);
      await this.editor.save(tx, draft, new Set(added.map((position) => position.id)));
      return this.answer(tx, draft, added[0]?.id);
    });
  }

  /** Children that the request names replace the old ones. @throws DomainError as `add`. */
  replace(tenantId: string, id: string, dto: PositionDto): Promise<PositionAnswer> {
    return this.database.tenant(tenantId, async (tx) => {
      const { draft, position } = await this.find(tx, id);
      if (position.parentId !== null && dto.children && dto.children.length > 0) mustTakeChild(position);
      const others = draft.positions.filter((other) => other.id !== id && other.parentId !== id);
      const place = { invoiceId: position.invoiceId, after: draft.positions.length, parentId: position.parentId, existing: others };
      const [fresh, ...children] = await this.input.read(tx, [dto], place, '');
      const kept = { id, ordinal: position.ordinal, createdAt: position.createdAt, subscriptionItem: position.subscriptionItem };
      const replaced = Object.assign(new PositionRow(), position, fresh, kept, {
        subscription: position.subscription,
        chargeId: position.chargeId,
      });
      for (const child of children) child.parentId = id;
      await tx.query('delete from invoice_position where parent_id = $1', [id]);
      await updateRows(tx, PositionRow, [replaced], REPLACED);
      draft.positions = [...others, replaced, ...children];
      await this.editor.save(tx, draft, new Set(children.map((child) => child.id)));
      return this.answer(tx, draft, id);
    });
  }

  /** Removes a position with its children. @throws DomainError 404; 422 `invoice_not_draft`. */
  remove(tenantId: string, id: string): Promise<void> {
    return this.database.tenant(tenantId, async (tx) => {
      const { draft } = await this.find(tx, id);
      await tx.query('delete from invoice_position where id = $1 or parent_id = $1', [id]);
      draft.positions = draft.positions.filter((position) => position.id !== id && position.parentId !== id);
      await this.editor.save(tx, draft);
    });
  }

  private async find(tx: Tx, id: string): Promise<{ draft: Draft; position: PositionRow }> {
    const [row] = await selectRows(tx, PositionRow, 't.id = $1', [id]);
    if (!row) throw notFound('The position');
    const draft = await this.editor.lock(tx, row.invoiceId);
    const position = draft.positions.find((one) => one.id === id);
    if (!position) throw notFound('The position');
    return { draft, position };
  }

  private async answer(tx: Tx, draft: Draft, id: string | undefined): Promise<PositionAnswer> {
    const invoice = await this.reader.one(tx, draft.invoice.id);
    const shown = invoice.positions.find((position) => position.id === id);
    if (!shown) throw new DomainError('not_found', { status: 404 });
    return shown;
  }
}
