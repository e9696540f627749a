import { Injectable } from '@nestjs/common';
import { invoiceFinalizingV1 } from '@kontor/contracts';
import type { Tx } from '@kontor/kernel';
import { appendEvents } from '@kontor/messaging';
import { type AwaitedPdfRow, awaitedPdfTable } from '../db/awaited-pdf.row.js';
import { type InvoiceRow, invoiceTable } from '../db/invoice.row.js';
import { RecordChanges } from '../invoices/record-changes.js';
import { FollowIntents } from '../payments/follow-intents.js';

/** Finalization goes on for documents whose PDF is there, or comes from here after all. */
@Injectable()
export class CompleteDocuments {
  constructor(
    private readonly recordChanges: RecordChanges,
    private readonly followIntents: FollowIntents,
  ) {}

  /** The caller has locked the documents, all of which wait. */
  async execute(tx: Tx, invoices: readonly InvoiceRow[]): Promise<void> {
    const ids = invoices.map(({ id }) => id);
    const awaited = new Map((await awaitedPdfTable.findByIds(tx, ids)).map((row) => [row.invoiceId, row]));
    for (const invoice of invoices)
      Object.assign(invoice, {
        pdfAwaited: false,
        version: invoice.version + (awaited.get(invoice.id)?.finalizing || invoice.grossMinor === 0n ? 1 : 0),
        ...(invoice.grossMinor === 0n && { status: 'STATUS_PAID', payDate: tx.now }),
      });
    await invoiceTable.update(tx, invoices, ['pdfAwaited', 'version', 'status', 'payDate']);
    if (ids.length > 0) await awaitedPdfTable.delete(tx, { invoiceId: ids });
    await this.requestIntents(tx, invoices, awaited);
    await this.recordChanges.execute(
      tx,
      invoices
        .filter(({ grossMinor }) => grossMinor === 0n)
        .map((invoice) => ({ invoice, notices: ['invoice.finalized'] as const })),
    );
    await this.followIntents.execute(
      tx,
      [...awaited.values()].flatMap(({ reported }) => reported ?? []),
    );
  }

  private requestIntents(
    tx: Tx,
    invoices: readonly InvoiceRow[],
    awaited: ReadonlyMap<string, AwaitedPdfRow>,
  ): Promise<void> {
    return appendEvents(
      tx,
      invoiceFinalizingV1,
      invoices.flatMap(({ id, version }) => {
        const payload = awaited.get(id)?.finalizing;
        return payload ? [{ aggregateId: id, aggregateSeq: version, payload }] : [];
      }),
    );
  }
}
