import { Injectable } from '@nestjs/common';
import { Database } from '@kontor/persistence';
import { mediaTable } from '../db/document.row.js';
import { invoiceTable } from '../db/invoice.row.js';
import { cancelRetry } from '../invoices/blocked-drafts.js';
import { RecordChanges } from '../invoices/record-changes.js';
import { partsOf } from '../pricing/draft.js';
import { DraftEditor } from './draft-editor.js';
import { noteRemoved } from './note-removed.js';

/** Removes a draft. Charges on it are not billed again, and nothing of them is credited: that was decided by whoever removed it. */
@Injectable()
export class RemoveInvoice {
  constructor(
    private readonly database: Database,
    private readonly editor: DraftEditor,
    private readonly recordChanges: RecordChanges,
  ) {}

  /** @throws DomainError 404; 422 `invoice_not_draft`. */
  execute(tenantId: string, id: string): Promise<void> {
    return this.database.tenant(tenantId, async (tx) => {
      const draft = await this.editor.lock(tx, id);
      const { invoice } = draft;
      invoice.version += 1;
      const change = { invoice, notices: ['invoice.removed'] as const, deleted: true };
      await this.recordChanges.execute(tx, [change], partsOf([draft]));
      await noteRemoved(tx, draft.positions);
      await invoiceTable.delete(tx, { id });
      await mediaTable.delete(tx, { invoiceId: id });
      await cancelRetry(tx, id);
    });
  }
}
