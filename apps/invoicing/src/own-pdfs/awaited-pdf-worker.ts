import { Injectable } from '@nestjs/common';
import type { TenantState } from '@kontor/contracts';
import {
  completeDueMany,
  Database,
  type DueBatch,
  DueHandler,
  type DueWorker,
  Replicas,
  scheduleDueMany,
  type TenantTx,
} from '@kontor/persistence';
import { awaitedPdfTable } from '../db/awaited-pdf.row.js';
import { type InvoiceRow, invoiceTable } from '../db/invoice.row.js';
import { type CustomPdfRendering, ownRenderingOf, settingsFor } from '../domain/invoices/settings.js';
import { AWAITED_PDF_WORK, RENDER_WORK } from '../due-kinds.js';
import { lockInvoices } from '../invoices/invoice-rows.js';
import { RecordChanges } from '../invoices/record-changes.js';
import { CompleteDocuments } from './complete-documents.js';

/**
 * The time of the tenant's own system is over: our renderer takes over, or the tenant gets an alarm, once a document.
 * What is set then counts, and is looked at again after as long: who switches the fallback on frees what waits.
 */
@Injectable()
@DueHandler({ kind: AWAITED_PDF_WORK, batchSize: 50 })
export class AwaitedPdfWorker implements DueWorker {
  constructor(
    private readonly database: Database,
    private readonly replicas: Replicas,
    private readonly recordChanges: RecordChanges,
    private readonly completeDocuments: CompleteDocuments,
  ) {}

  async handle({ tenantId, now, items }: DueBatch): Promise<void> {
    await this.database.tenant(
      tenantId,
      async (tx) => {
        const invoices = [
          ...(
            await lockInvoices(
              tx,
              items.map(({ ref }) => ref),
            )
          ).values(),
        ].filter(({ pdfAwaited }) => pdfAwaited);
        const terms = await this.terms(tx);
        const waiting = terms?.fallback === false ? terms : null;
        if (waiting) await this.alarm(tx, invoices);
        else await this.renderHere(tx, invoices);
        const stillAwaited = new Set(waiting ? invoices.map(({ id }) => id) : []);
        const again = new Date(tx.now.getTime() + (waiting?.timeoutMinutes ?? 0) * 60_000);
        await completeDueMany(
          tx,
          AWAITED_PDF_WORK,
          items.map((item) => ({ item, nextDueAt: stillAwaited.has(item.ref) ? again : null })),
        );
      },
      { now },
    );
  }

  private async terms(tx: TenantTx): Promise<CustomPdfRendering | null> {
    const tenant = await this.replicas.get<TenantState>(tx, 'tenant', tx.tenantId);
    const settings = await this.replicas.get<Record<string, unknown>>(tx, 'settings', tx.tenantId);
    return ownRenderingOf(tenant?.plan ?? 'standard', settingsFor(settings, null));
  }

  private async renderHere(tx: TenantTx, invoices: readonly InvoiceRow[]): Promise<void> {
    await scheduleDueMany(
      tx,
      invoices.map(({ id }) => ({ kind: RENDER_WORK, ref: id, dueAt: tx.now })),
    );
    await this.completeDocuments.execute(tx, invoices);
  }

  private async alarm(tx: TenantTx, invoices: readonly InvoiceRow[]): Promise<void> {
    const rows = await awaitedPdfTable.findByIds(
      tx,
      invoices.map(({ id }) => id),
    );
    const fresh = rows.filter(({ alarmedAt }) => alarmedAt === null);
    for (const row of fresh) row.alarmedAt = tx.now;
    await awaitedPdfTable.update(tx, fresh, ['alarmedAt']);
    const alarmed = invoices.filter(({ id }) => fresh.some(({ invoiceId }) => invoiceId === id));
    for (const invoice of alarmed) invoice.version += 1;
    await invoiceTable.update(tx, alarmed, ['version']);
    await this.recordChanges.execute(
      tx,
      alarmed.map((invoice) => ({ invoice, notices: ['invoice.pdf.generation_timed_out'] as const })),
    );
  }
}
