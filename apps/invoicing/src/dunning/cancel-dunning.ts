import { Injectable } from '@nestjs/common';
import { DomainError, invalidTransition, notFound } from '@kontor/kernel';
import { Database, type TenantTx } from '@kontor/persistence';
import { invoiceTable } from '../db/invoice.row.js';
import { lockInvoice } from '../invoices/invoice-rows.js';
import { RecordChanges } from '../invoices/record-changes.js';
import type { DunningType } from '../domain/dunning/dunning-document.js';
import { dunningDocumentTable } from './dunning-document.row.js';
import { DunningDocuments } from './dunning-documents.js';
import type { DunningDocumentJson } from './dunning.schema.js';
import { EndDunning } from './end-dunning.js';

/** Takes a reminder or dunning letter back: its fee is not owed, and its invoice is at the level of the one before. */
@Injectable()
export class CancelDunning {
  constructor(
    private readonly database: Database,
    private readonly endDunning: EndDunning,
    private readonly documents: DunningDocuments,
    private readonly recordChanges: RecordChanges,
  ) {}

  /** @throws DomainError 404; 422 `invalid_status_transition`, `dunning_fee_paid`. */
  execute(tenantId: string, id: string): Promise<DunningDocumentJson> {
    return this.database.tenant(tenantId, async (tx) => {
      const seen = await dunningDocumentTable.get(tx, id);
      if (!seen) throw notFound('The dunning document');
      // The invoice first, as in every run: it decides about all of its documents.
      const invoice = await lockInvoice(tx, seen.invoiceId);
      const document = await dunningDocumentTable.get(tx, id, { lock: 'update' });
      const row = await lockInvoice(tx, id);
      // A fee whose payment went back is open again, though its document was paid.
      if (!document || (document.status !== 'open' && (document.status !== 'paid' || row.unpaidMinor <= 0n)))
        throw invalidTransition('dunning document', document?.status ?? 'removed', 'cancel');
      if (row.grossMinor !== 0n && row.unpaidMinor < row.grossMinor)
        throw new DomainError('dunning_fee_paid', { detail: 'Its fee is paid, in full or in part.' });
      await this.endDunning.cancel(tx, [document]);
      if (invoice.dunningLevel > 0) {
        Object.assign(invoice, await standingLevel(tx, invoice.id), { version: invoice.version + 1 });
        await invoiceTable.update(tx, [invoice], ['version', 'dunningLevel', 'dunningStatus']);
        await this.recordChanges.execute(tx, [{ invoice, notices: ['invoice.updated'] }]);
      }
      return this.documents.byId(tx, id);
    });
  }
}

/** That of the last document which stands, of those since the invoice was paid the last time: levels began anew then. */
async function standingLevel(tx: TenantTx, invoiceId: string) {
  const [last] = await tx.query<{ level: number; type: DunningType }>(
    `SELECT d.level, d.type
     FROM dunning_document d
     JOIN invoice_history h ON h.tenant_id = $1 AND h.invoice_id = d.invoice_id AND h.type = 'invoice.dunning.applied'
       AND h.metadata -> 'dunningDocument' ->> 'id' = d.id::text
     WHERE d.tenant_id = $1 AND d.invoice_id = $2 AND d.status = 'open'
       AND h.version > coalesce((SELECT max(p.version) FROM invoice_history p
         WHERE p.tenant_id = $1 AND p.invoice_id = $2 AND p.type = 'invoice.paid'), 0)
     ORDER BY d.level DESC LIMIT 1`,
    [tx.tenantId, invoiceId],
  );
  return { dunningLevel: last?.level ?? 0, dunningStatus: last?.type ?? ('none' as const) };
}
