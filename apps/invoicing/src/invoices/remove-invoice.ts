import { Injectable } from '@nestjs/common';
import { cancelDue, Database } from '@kontor/persistence';
import { BLOCKED_WORK } from '../charges/blocked-work.js';
import { InvoiceRow } from '../db/invoice.row.js';
import { DraftEditor } from './draft-editor.js';
import { RecordChanges } from './record-changes.js';
import { knownOf } from './save-drafts.js';

/** Removes a draft. Charges on it are not billed again: that was decided by whoever removed it. */
@Injectable()
export class RemoveInvoice {
  constructor(
    private readonly database: Database,
    private readonly editor: DraftEditor,
    private readonly record: RecordChanges,
  ) {}

  /** @throws DomainError 404; 422 `invoice_not_draft`. */
  execute(tenantId: string, id: string): Promise<void> {
    return this.database.tenant(tenantId, async (tx) => {
      const draft = await this.editor.lock(tx, id);
      draft.invoice.version += 1;
      await this.record.execute(tx, [{ invoice: draft.invoice, notices: ['invoice.removed'], deleted: true }], knownOf([draft]));
      await tx.manager.delete(InvoiceRow, { tenantId, id });
      await tx.query('delete from media where invoice_id = $1', [id]);
      await cancelDue(tx, BLOCKED_WORK, id);
    });
  }
}
