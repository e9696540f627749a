import { Injectable } from '@nestjs/common';
import { newUlid } from '@kontor/kernel';
import { BlobStore, Database, insertRows, Replicas, selectRows, type TenantTx } from '@kontor/persistence';
import { MediaRow } from '../db/document.row.js';
import type { DocumentSnapshot } from '../domain/document-snapshot.js';
import { snapshotOf } from '../finalization/finalize-drafts.js';
import { InvoiceReader } from '../invoices/invoice.read.js';
import { InvoiceWorlds } from '../invoices/invoice-world.js';
import { knownMethods } from '../invoices/known-methods.js';
import { newDraft, priceDraft } from '../invoices/price-draft.js';
import { type InvoiceJson, representMedia } from '../invoices/represent-invoice.js';
import { renderDocument } from '../pdf/render-document.js';
import { DocumentFiles } from './document-file.js';

export interface Preview {
  readonly invoice: InvoiceJson;
  readonly pdf: Buffer;
}

/** Shows a document with its file: the real one once it is finalized, before that what it would look like now. */
@Injectable()
export class PreviewDocument {
  constructor(
    private readonly database: Database,
    private readonly worlds: InvoiceWorlds,
    private readonly reader: InvoiceReader,
    private readonly replicas: Replicas,
    private readonly blobs: BlobStore,
    private readonly files: DocumentFiles,
  ) {}

  /** @throws DomainError 404; 422 `exchange_rate_missing`, `tax_rate_missing`. Missing addresses are left blank. */
  async execute(tenantId: string, id: string): Promise<Preview> {
    const { invoice, snapshot } = await this.database.tenant(tenantId, (tx) => this.look(tx, id));
    if (!snapshot) return { invoice, pdf: (await this.files.pdfOf(tenantId, id)).bytes };
    const bytes = await renderDocument(snapshot);
    const blobKey = await this.blobs.put(bytes);
    const media = await this.database.tenant(tenantId, (tx) => savePreview(tx, id, { blobKey, sizeBytes: bytes.length }));
    return { invoice: { ...invoice, file: representMedia(media) }, pdf: Buffer.from(bytes) };
  }

  private async look(tx: TenantTx, id: string): Promise<{ invoice: InvoiceJson; snapshot: DocumentSnapshot | null }> {
    const row = await this.reader.row(tx, id);
    if (row.number !== null) return { invoice: await this.reader.one(tx, id), snapshot: null };
    const positions = (await this.reader.positions(tx, [id])).get(id) ?? [];
    const draft = newDraft(row, positions);
    const world = await this.worlds.load(tx, {
      customerIds: [row.customerId],
      taxGroupIds: positions.map((position) => position.taxGroupId),
      currencies: [row.currencyCode, ...positions.map((position) => position.priceCurrencyCode)],
    });
    priceDraft(draft, world);
    if (row.paymentMethodId) draft.method = (await knownMethods(this.replicas, tx, [row.paymentMethodId])).get(row.paymentMethodId) ?? null;
    const [invoice] = await this.reader.show(tx, [row], { positions: new Map([[id, draft.positions]]) });
    return { invoice: invoice as InvoiceJson, snapshot: snapshotOf(draft, world) };
  }
}

/** A draft has one preview, whose bytes are replaced by the next one. */
async function savePreview(tx: TenantTx, invoiceId: string, file: { blobKey: string; sizeBytes: number }): Promise<MediaRow> {
  const fresh: MediaRow = {
    tenantId: tx.tenantId,
    id: newUlid(),
    invoiceId,
    kind: 'preview',
    fileName: 'preview.pdf',
    mimeType: 'application/pdf',
    createdAt: tx.now,
    ...file,
  };
  await insertRows(
    tx,
    MediaRow,
    [fresh],
    '(tenant_id, invoice_id, kind) do update set blob_key = excluded.blob_key, size_bytes = excluded.size_bytes',
  );
  const [media] = await selectRows(tx, MediaRow, `t.invoice_id = $1 and t.kind = 'preview'`, [invoiceId]);
  return media ?? fresh;
}
