import { Injectable } from '@nestjs/common';
import { invoiceChangedV1 } from '@kontor/contracts';
import type { Tx } from '@kontor/kernel';
import { appendEvents } from '@kontor/messaging';
import { type InvoiceHistoryRow, invoiceHistoryTable } from '../db/document.row.js';
import type { InvoiceRow } from '../db/invoice.row.js';
import { invoiceChanged, invoiceMetadata, type InvoiceNotice, invoiceNotice, noticeData } from './invoice-events.js';
import type { InvoiceJson } from './invoice.schema.js';
import { type LoadedParts, ShowInvoices } from './show-invoices.js';

/** A change of a document whose row already carries the version of this change. */
export interface InvoiceChange {
  readonly invoice: InvoiceRow;
  /** None: other services get the new state, webhook receivers get nothing. */
  readonly notices: readonly InvoiceNotice[];
  readonly deleted?: boolean;
  /** What receivers get beside the document. */
  readonly data?: Record<string, unknown>;
  /** What the activity entry and the timeline say besides. */
  readonly details?: Record<string, unknown>;
}

/** Appends the event of each change, with GET's representation at that moment, and the line of its timeline. */
@Injectable()
export class RecordChanges {
  constructor(private readonly showInvoices: ShowInvoices) {}

  async execute(tx: Tx, changes: readonly InvoiceChange[], loaded: LoadedParts = {}): Promise<void> {
    if (changes.length === 0) return;
    const announced = changes.filter((change) => change.notices.length > 0);
    const shown = await this.show(tx, announced, loaded);
    const events = changes.map((change) => {
      const { invoice, deleted } = change;
      const json = shown.get(change);
      const data = json && { ...noticeData(json), ...change.data };
      const notices = data ? change.notices.map((type) => invoiceNotice(type, invoice, data, change.details)) : [];
      return {
        aggregateId: invoice.id,
        aggregateSeq: invoice.version,
        payload: invoiceChanged(invoice, notices, deleted),
      };
    });
    await appendEvents(tx, invoiceChangedV1, events);
    const history = announced.flatMap(({ invoice, notices, details }) =>
      notices.map((type): InvoiceHistoryRow => {
        const { tenantId, id: invoiceId, version } = invoice;
        return {
          tenantId,
          invoiceId,
          version,
          type,
          at: tx.now,
          metadata: { ...invoiceMetadata(invoice), ...details },
        };
      }),
    );
    await invoiceHistoryTable.insert(tx, history);
  }

  private async show(
    tx: Tx,
    changes: readonly InvoiceChange[],
    loaded: LoadedParts,
  ): Promise<Map<InvoiceChange, InvoiceJson>> {
    const invoices = changes.map((change) => change.invoice);
    const shown = await this.showInvoices.execute(tx, invoices, loaded);
    return new Map(shown.map((json, index) => [changes[index] as InvoiceChange, json]));
  }
}
