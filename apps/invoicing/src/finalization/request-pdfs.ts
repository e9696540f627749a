import type { Tx } from '@kontor/kernel';
import { scheduleDueMany } from '@kontor/persistence';
import { AWAITED_PDF_WORK } from '../due-kinds.js';
import { type CustomPdfRendering, ownRenderingOf } from '../domain/invoices/settings.js';
import { snapshotOf } from './freeze-document.js';
import type { RecordChanges } from '../invoices/record-changes.js';
import { type Draft, partsOf } from '../pricing/draft.js';
import type { InvoiceContext } from '../pricing/invoice-context.js';

/** Asks the tenant's own system for the PDFs of documents: with all that is on them, and until when. */
export async function requestPdfs(
  tx: Tx,
  recordChanges: RecordChanges,
  drafts: readonly Draft[],
  context: InvoiceContext,
): Promise<void> {
  const { timeoutMinutes } = ownRenderingOf(context.tenant.plan, context.settings) as CustomPdfRendering;
  const dueAt = new Date(context.now.getTime() + timeoutMinutes * 60_000);
  await scheduleDueMany(
    tx,
    drafts.map(({ invoice }) => ({ kind: AWAITED_PDF_WORK, ref: invoice.id, dueAt })),
  );
  await recordChanges.execute(
    tx,
    drafts.map((draft) => ({
      invoice: draft.invoice,
      notices: ['invoice.pdf.generation_requested'] as const,
      data: { document: snapshotOf(draft, context) },
      details: { renderUntil: dueAt.toISOString() },
    })),
    partsOf(drafts, context),
  );
}
