import { Injectable } from '@nestjs/common';
import { type CustomerState, invoiceChangedV1, invoiceClosedV1 } from '@kontor/contracts';
import type { Tx } from '@kontor/kernel';
import { appendEvents } from '@kontor/messaging';
import { Replicas } from '@kontor/persistence';
import { type InvoiceHistoryRow, invoiceHistoryTable } from '../db/document.row.js';
import { type InvoiceRow, invoiceTable } from '../db/invoice.row.js';
import type { DunningDocumentStatus } from '../domain/dunning/dunning-document.js';
import { invoiceChanged, invoiceClosed, invoiceMetadata } from '../invoices/invoice-events.js';
import { lockInvoices } from '../invoices/invoice-rows.js';
import { type DunningDocumentRow, dunningDocumentTable } from './dunning-document.row.js';
import { representDunning } from './represent-dunning.js';

const NOTICES = { paid: 'dunning_document.paid', cancelled: 'dunning_document.canceled' } as const;

/** Why a fee is not owed any more. */
const CANCELLED = 'dunning_cancelled';

/** Reminders and dunning letters that have come to their end: paid with their invoice, or taken back. */
@Injectable()
export class EndDunning {
  constructor(private readonly replicas: Replicas) {}

  /**
   * Notes as paid what these invoices, or these documents' own fees, have just settled: the invoice is paid, and so is
   * the fee. The caller has locked and saved them.
   */
  async settle(tx: Tx, invoiceIds: readonly string[]): Promise<void> {
    const settled = await tx.query<{ id: string }>(
      `SELECT d.id FROM dunning_document d
       JOIN invoice f ON f.tenant_id = $1 AND f.id = d.id AND f.status = 'STATUS_PAID'
       JOIN invoice o ON o.tenant_id = $1 AND o.id = d.invoice_id AND o.status IN ('STATUS_PAID', 'STATUS_REFUNDED')
       WHERE d.tenant_id = $1 AND d.status = 'open' AND (d.invoice_id = ANY($2::uuid[]) OR d.id = ANY($2::uuid[]))`,
      [tx.tenantId, invoiceIds],
    );
    const ids = settled.map(({ id }) => id);
    await this.end(tx, await findDocuments(tx, `t.id = ANY($2::uuid[]) AND t.status = 'open'`, ids), 'paid');
  }

  /** Takes back all that reminded of an invoice which nobody is to pay any more. */
  async cancelOf(tx: Tx, invoiceId: string): Promise<void> {
    await this.cancel(tx, await findDocuments(tx, `t.invoice_id = ANY($2::uuid[]) AND ${CAN_END}`, [invoiceId]));
  }

  /**
   * Takes back documents; what is open of their fees is not owed any more, nor what is open later because its payment
   * went back. The caller has locked their invoice.
   */
  async cancel(tx: Tx, documents: readonly DunningDocumentRow[]): Promise<InvoiceRow[]> {
    const rows = await this.end(tx, documents, 'cancelled');
    const charged = rows.filter((row) => row.grossMinor > 0n);
    for (const row of rows) {
      if (charged.includes(row)) row.version += 1;
      Object.assign(row, { status: 'STATUS_CANCELLED', unpaidMinor: 0n });
    }
    await appendEvents(
      tx,
      invoiceClosedV1,
      charged.map((row) => ({
        aggregateId: row.id,
        aggregateSeq: row.version,
        payload: { ...invoiceClosed(row, [], []), reason: CANCELLED },
      })),
    );
    await invoiceTable.update(tx, rows, ['version', 'status', 'unpaidMinor']);
    return rows;
  }

  private async end(
    tx: Tx,
    documents: readonly DunningDocumentRow[],
    status: Exclude<DunningDocumentStatus, 'open'>,
  ): Promise<InvoiceRow[]> {
    if (documents.length === 0) return [];
    const rows = await lockInvoices(
      tx,
      documents.map(({ id }) => id),
    );
    const customers = await this.replicas.getMany<CustomerState>(
      tx,
      'customer',
      documents.map(({ customerId }) => customerId),
    );
    const history: InvoiceHistoryRow[] = [];
    const type = NOTICES[status];
    const events = documents.flatMap((document) => {
      const row = rows.get(document.id);
      if (!row) return [];
      document.status = status;
      row.version += 1;
      const shown = { ...row, ...(status === 'cancelled' && { status: 'STATUS_CANCELLED' as const, unpaidMinor: 0n }) };
      const metadata = { ...invoiceMetadata(shown), invoiceNumber: row.dunning?.invoiceNumber, level: document.level };
      history.push({ tenantId: row.tenantId, invoiceId: row.id, version: row.version, type, at: tx.now, metadata });
      const json = representDunning(document, row, customers.get(row.customerId)?.representation);
      const notice = {
        type,
        objectId: row.id,
        data: { dunningDocument: json },
        customerId: row.customerId,
        activity: { metadata },
      };
      return [{ aggregateId: row.id, aggregateSeq: row.version, payload: invoiceChanged(shown, [notice]) }];
    });
    await appendEvents(tx, invoiceChangedV1, events);
    await invoiceHistoryTable.insert(tx, history);
    await dunningDocumentTable.update(tx, documents, ['status']);
    if (status === 'paid') await invoiceTable.update(tx, rows.values(), ['version']);
    return [...rows.values()];
  }
}

/** Those of them that can be taken back: open, or paid once and by now not, because the payment of the fee went back. */
const CAN_END = `(t.status = 'open' OR t.status = 'paid' AND EXISTS (
  SELECT FROM invoice f WHERE f.tenant_id = $1 AND f.id = t.id AND f.unpaid_minor > 0))`;

const findDocuments = (tx: Tx, condition: string, ids: readonly string[]): Promise<DunningDocumentRow[]> =>
  ids.length === 0
    ? Promise.resolve([])
    : dunningDocumentTable.where(tx, `${condition} ORDER BY t.id FOR UPDATE`, [ids]);
