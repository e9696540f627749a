import { Injectable } from '@nestjs/common';
import type { TenantState } from '@kontor/contracts';
import { DomainError, invariant } from '@kontor/kernel';
import { BlobStore, cancelDue, Database, Replicas, type TenantTx } from '@kontor/persistence';
import { ApartLimit, featureNotEnabled, readApart, storeForRow } from '@kontor/service-kit';
import { documentSnapshotTable } from '../db/document.row.js';
import type { InvoiceRow } from '../db/invoice.row.js';
import type { DocumentSnapshot } from '../domain/finalization/document-snapshot.js';
import { settingsFor } from '../domain/invoices/settings.js';
import { AWAITED_PDF_WORK } from '../due-kinds.js';
import { AwaitIntent } from '../finalization/await-intent.js';
import { findInvoice, lockInvoice } from '../invoices/invoice-rows.js';
import type { InvoiceJson } from '../invoices/invoice.schema.js';
import { ShowInvoices } from '../invoices/show-invoices.js';
import { DocumentFiles } from '../media/document-file.js';
import { recordFiles } from '../media/render-files.js';
import { embeddedXml, type EmbeddedXml } from '../pdf/xmp.js';
import { CompleteDocuments } from './complete-documents.js';
import type { PdfFault } from './pdf-refused.js';
import type { ReceivedPdf } from './receive-pdf.js';
import type { ReceiveAnswer, ReceiveJob } from './receive-worker.js';

const WORKER = new URL('./receive-worker', import.meta.url);

interface Expected {
  readonly snapshot: DocumentSnapshot;
  readonly embedXml: boolean;
  readonly hasXml: boolean;
}

/** Takes the PDF that the tenant's own system has rendered of a document, and goes on with its finalization. */
@Injectable()
export class AcceptPdf {
  constructor(
    private readonly database: Database,
    private readonly replicas: Replicas,
    private readonly blobs: BlobStore,
    private readonly files: DocumentFiles,
    private readonly completeDocuments: CompleteDocuments,
    private readonly showInvoices: ShowInvoices,
    private readonly awaitIntent: AwaitIntent,
  ) {}

  /**
   * `read` gives the file, once it is clear that it is waited for.
   * @throws DomainError 403 `feature_not_enabled`; 404; 422 `invoice_not_finalizing`, `pdf_refused`
   */
  async execute(tenantId: string, id: string, read: () => Uint8Array): Promise<InvoiceJson> {
    const expected = await this.database.tenant(tenantId, (tx) => this.expected(tx, id), { readOnly: true });
    const bytes = read();
    const { snapshot } = expected;
    const received = await receive(tenantId, {
      bytes,
      xml: await this.xmlFor(tenantId, id, expected),
      day: snapshot.issueDate,
      embed: expected.embedXml,
    });
    const sizeBytes = received.bytes.length;
    const shown = await storeForRow(this.database, this.blobs, received.bytes, (blobKey) =>
      this.database.tenant(tenantId, async (tx) => {
        const invoice = await lockInvoice(tx, id);
        mustAwaitPdf(invoice);
        await recordFiles(tx, [{ invoiceId: id, kind: 'pdf', blobKey, sizeBytes }]);
        await cancelDue(tx, AWAITED_PDF_WORK, id);
        await this.completeDocuments.execute(tx, [invoice]);
        return this.showInvoices.byId(tx, id);
      }),
    );
    return this.awaitIntent.execute(tenantId, shown);
  }

  private async expected(tx: TenantTx, id: string): Promise<Expected> {
    const tenant = await this.replicas.get<TenantState>(tx, 'tenant', tx.tenantId);
    if (tenant?.plan !== 'enterprise') throw featureNotEnabled('customPdfRendering');
    const invoice = await findInvoice(tx, id);
    mustAwaitPdf(invoice);
    const stored = await documentSnapshotTable.findOne(tx, { invoiceId: id });
    invariant(stored, 'a finalized document has its snapshot');
    const settings = await this.replicas.get<Record<string, unknown>>(tx, 'settings', tx.tenantId);
    const { embedXml } = settingsFor(settings, null).customPdfRendering;
    return { snapshot: stored.snapshot, embedXml, hasXml: invoice.xmlMediaId !== null };
  }

  private async xmlFor(tenantId: string, id: string, expected: Expected): Promise<EmbeddedXml | null> {
    if (!expected.hasXml) return null;
    const { bytes } = await this.files.xmlOf(tenantId, id);
    return embeddedXml(new Uint8Array(bytes), expected.snapshot.references.leitwegId !== null);
  }
}

function mustAwaitPdf({ status, pdfAwaited }: Pick<InvoiceRow, 'status' | 'pdfAwaited'>): void {
  if (!pdfAwaited)
    throw new DomainError('invoice_not_finalizing', {
      detail: `No PDF is waited for; this document is ${status}${status === 'STATUS_FINALIZING' ? ' and has its file' : ''}.`,
    });
}

async function receive(tenantId: string, job: ReceiveJob): Promise<ReceivedPdf> {
  const answer = await readApart<ReceiveAnswer>(tenantId, { worker: WORKER, data: job, size: job.bytes.length }).catch(
    (error: unknown) => {
      throw error instanceof ApartLimit ? refused('unreadable', `Reading the PDF takes too much ${error.of}.`) : error;
    },
  );
  if ('received' in answer) return answer.received;
  throw 'fault' in answer ? refused(answer.fault, answer.message) : new Error(answer.error);
}

const refused = (code: PdfFault, message: string): DomainError =>
  new DomainError('pdf_refused', { detail: message, violations: [{ propertyPath: 'file', message, code }] });
