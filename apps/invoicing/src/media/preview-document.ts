import { Injectable } from '@nestjs/common';
import { newUlid, notFound } from '@kontor/kernel';
import { BlobStore, Database, Replicas, type TenantTx } from '@kontor/persistence';
import { keepFilesInMind, storeForRow } from '@kontor/service-kit';
import { type MediaRow, mediaTable } from '../db/document.row.js';
import type { DocumentSnapshot } from '../domain/finalization/document-snapshot.js';
import { snapshotOf } from '../finalization/freeze-document.js';
import { LOGO_OF_SNAPSHOT, withLogo } from '../finalization/keep-logo.js';
import { findInvoice, positionsOf } from '../invoices/invoice-rows.js';
import type { InvoiceJson } from '../invoices/invoice.schema.js';
import { loadPaymentMethods } from '../invoices/payment-methods.js';
import { representMedia } from '../invoices/represent-invoice.js';
import { ShowInvoices } from '../invoices/show-invoices.js';
import { renderDocument } from '../pdf/render-document.js';
import { newDraft } from '../pricing/draft.js';
import { InvoiceContexts } from '../pricing/invoice-context.js';
import { priceDraft } from '../pricing/price-draft.js';
import { loadTemplates } from '../finalization/write-texts.js';
import { DocumentFiles } from './document-file.js';

export interface Preview {
  readonly invoice: InvoiceJson;
  readonly pdf: Buffer;
}

/** Shows a document with its file: the real one once that is there, before that what it would look like here and now. */
@Injectable()
export class PreviewDocument {
  constructor(
    private readonly database: Database,
    private readonly contexts: InvoiceContexts,
    private readonly showInvoices: ShowInvoices,
    private readonly replicas: Replicas,
    private readonly blobs: BlobStore,
    private readonly files: DocumentFiles,
  ) {}

  /** @throws DomainError 404; 422 `exchange_rate_missing`, `tax_rate_missing`. Missing addresses are left blank. */
  async execute(tenantId: string, id: string): Promise<Preview> {
    const { invoice, snapshot } = await this.database.tenant(tenantId, (tx) => this.load(tx, id));
    if (!snapshot) return { invoice, pdf: (await this.files.pdfOf(tenantId, id)).bytes };
    const bytes = await renderDocument(tenantId, snapshot);
    const media = await storeForRow(this.database, this.blobs, bytes, (blobKey) =>
      this.database.tenant(tenantId, (tx) => savePreview(tx, id, { blobKey, sizeBytes: bytes.length })),
    );
    return { invoice: { ...invoice, file: representMedia(media) }, pdf: Buffer.from(bytes) };
  }

  private async load(tx: TenantTx, id: string): Promise<{ invoice: InvoiceJson; snapshot: DocumentSnapshot | null }> {
    const row = await findInvoice(tx, id);
    if (row.number !== null) {
      const snapshot = row.pdfAwaited ? await storedSnapshot(tx, id) : null;
      return { invoice: await this.showInvoices.byId(tx, id), snapshot };
    }
    const draft = newDraft(row, await positionsOf(tx, id));
    const context = await this.contexts.load(tx, [draft]);
    priceDraft(draft, context);
    if (row.paymentMethodId) {
      const methods = await loadPaymentMethods(this.replicas, tx, [row.paymentMethodId]);
      draft.method = methods.get(row.paymentMethodId) ?? null;
    }
    const [invoice] = await this.showInvoices.execute(tx, [row], { positions: new Map([[id, draft.positions]]) });
    return { invoice: invoice as InvoiceJson, snapshot: snapshotOf(draft, context, await loadTemplates(tx, [draft])) };
  }
}

async function storedSnapshot(tx: TenantTx, invoiceId: string): Promise<DocumentSnapshot | null> {
  const [row] = await tx.query<{ snapshot: DocumentSnapshot; logo: string | null }>(
    `SELECT s.snapshot, l.data AS logo FROM document_snapshot s ${LOGO_OF_SNAPSHOT} WHERE s.invoice_id = $1`,
    [invoiceId],
  );
  return row ? withLogo(row.snapshot, row.logo) : null;
}

/** A draft has one preview, whose bytes are replaced by the next one. @throws DomainError 404 for a draft that is gone by now */
async function savePreview(
  tx: TenantTx,
  invoiceId: string,
  file: { blobKey: string; sizeBytes: number },
): Promise<MediaRow> {
  const [known] = await tx.query<MediaRow>(
    `INSERT INTO media (tenant_id, id, invoice_id, kind, file_name, mime_type, blob_key, size_bytes, created_at)
     SELECT tenant_id, $2, id, 'preview', 'preview.pdf', 'application/pdf', $4, $5, $6
     FROM invoice WHERE tenant_id = $1 AND id = $3
     FOR KEY SHARE
     ON CONFLICT (tenant_id, invoice_id, kind) DO UPDATE SET kind = excluded.kind
     RETURNING ${mediaTable.select}`,
    [tx.tenantId, newUlid(), invoiceId, file.blobKey, file.sizeBytes, tx.now],
  );
  if (!known) throw notFound('The invoice');
  if (known.blobKey === file.blobKey) return known;
  await keepFilesInMind(tx, [{ file: known.blobKey }]);
  const media = { ...known, ...file };
  await mediaTable.update(tx, media, ['blobKey', 'sizeBytes']);
  return media;
}
