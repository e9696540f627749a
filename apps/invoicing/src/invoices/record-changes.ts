import { insertRows } from '@kontor/persistence';
import { Injectable } from '@nestjs/common';
import { invoiceChangedV1, type StoredNoticeData } from '@kontor/contracts';
import { newUuid, type Tx } from '@kontor/kernel';
import { appendEvents } from '@kontor/messaging';
import { InvoiceHistoryRow, StoredNoticeRow } from '../db/document.row.js';
import type { InvoiceRow } from '../db/invoice.row.js';
import { invoiceChanged, invoiceMetadata, type InvoiceNotice, invoiceNotice, noticeData } from '../published-events.js';
import { InvoiceReader, type KnownParts } from './invoice.read.js';

/** One change of a document whose row already carries the version of this change. */
export interface InvoiceChange {
  readonly invoice: InvoiceRow;
  /** None: other services hear of the new state, receivers do not. */
  readonly notices: readonly InvoiceNotice[];
  readonly deleted?: boolean;
}

/** Data of more bytes than this travel by reference: an event may have 256 KiB. */
const INLINE_BYTES = 204_800;

/** Appends the event of each change, with GET's representation at that moment, and the line of its timeline. */
@Injectable()
export class RecordChanges {
  constructor(private readonly reader: InvoiceReader) {}

  async execute(tx: Tx, changes: readonly InvoiceChange[], known: KnownParts = {}): Promise<void> {
    if (changes.length === 0) return;
    const told = changes.filter((change) => change.notices.length > 0);
    const shown = new Map(
      (
        await this.reader.show(
          tx,
          told.map((change) => change.invoice),
          known,
        )
      ).map((json, index) => [told[index] as InvoiceChange, json]),
    );
    const stored: StoredNoticeRow[] = [];
    const events = changes.map((change) => {
      const { invoice, deleted } = change;
      const json = shown.get(change);
      const data = json && this.inlineOrStored(tx, noticeData(json), change.notices.length, stored);
      const notices = data ? change.notices.map((type) => invoiceNotice(type, invoice, data)) : [];
      return { aggregateId: invoice.id, aggregateSeq: invoice.version, payload: invoiceChanged(invoice, notices, deleted) };
    });
    await insertRows(tx, StoredNoticeRow, stored);
    await appendEvents(tx, invoiceChangedV1, events);
    const history = told.flatMap(({ invoice, notices }) =>
      notices.map((type): InvoiceHistoryRow => {
        const { tenantId, id: invoiceId, version } = invoice;
        return { tenantId, invoiceId, version, type, at: tx.now, metadata: invoiceMetadata(invoice) };
      }),
    );
    await insertRows(tx, InvoiceHistoryRow, history);
  }

  private inlineOrStored(tx: Tx, data: Record<string, unknown>, copies: number, stored: StoredNoticeRow[]): Record<string, unknown> {
    if (Buffer.byteLength(JSON.stringify(data)) * copies <= INLINE_BYTES) return data;
    const row: StoredNoticeRow = { tenantId: tx.tenantId, id: newUuid(), data, createdAt: tx.now };
    stored.push(row);
    const reference: StoredNoticeData = { $stored: { service: 'invoicing', path: `/internal/stored-notices/${row.id}` } };
    return { ...reference };
  }
}
