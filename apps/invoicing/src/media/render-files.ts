import { Injectable } from '@nestjs/common';
import { mediaReadyV1 } from '@kontor/contracts';
import type { Tx } from '@kontor/kernel';
import { appendEvents } from '@kontor/messaging';
import { blobKeyOf, BlobStore, Database } from '@kontor/persistence';
import type { DocumentSnapshot } from '../domain/finalization/document-snapshot.js';
import { withUsageLink } from '../domain/usage/usage-breakdown.js';
import { LOGO_OF_SNAPSHOT, withLogo } from '../finalization/keep-logo.js';
import type { RenderedDocument } from '../pdf/render.js';
import { renderFiles } from '../pdf/render-document.js';
import { UsageLinks } from '../usage/usage-links.js';

interface Source {
  readonly invoiceId: string;
  readonly snapshot: DocumentSnapshot;
  readonly logo: string | null;
  readonly usageBreakdown: boolean;
  /** Its PDF comes from elsewhere. */
  readonly pdfAwaited: boolean;
}

export interface StoredFile {
  readonly invoiceId: string;
  readonly kind: 'pdf' | 'xml';
  readonly blobKey: string;
  readonly sizeBytes: number;
}

/** Which file was stored, and under which key. */
export type Recorded = Pick<StoredFile, 'invoiceId' | 'kind' | 'blobKey'>;

/** A document that could not be rendered, and why. */
export interface RenderFailure {
  readonly invoiceId: string;
  readonly error: Error;
}

/** Makes the files of finalized documents, PDF and e-invoice, from their frozen snapshots; once each, whoever comes first. */
@Injectable()
export class RenderFiles {
  constructor(
    private readonly database: Database,
    private readonly blobs: BlobStore,
    private readonly usageLinks: UsageLinks,
  ) {}

  /** `finish` runs in the transaction that records the files, with the documents that have theirs now. */
  async execute(
    tenantId: string,
    invoiceIds: readonly string[],
    options: { now?: Date; finish?: (tx: Tx, rendered: readonly string[]) => Promise<void> } = {},
  ): Promise<RenderFailure[]> {
    const waiting = await this.database.tenant(tenantId, (tx) => unrendered(tx, invoiceIds), { readOnly: true });
    const failures: RenderFailure[] = [];
    const files: StoredFile[] = [];
    await Promise.all(
      waiting.map(async (source) => {
        const { invoiceId, pdfAwaited } = source;
        try {
          const { pdf, xml } = await this.render(tenantId, source);
          const stored = pdfAwaited ? [] : [await this.store(invoiceId, 'pdf', pdf)];
          if (xml) stored.push(await this.store(invoiceId, 'xml', xml));
          files.push(...stored);
        } catch (error) {
          failures.push({ invoiceId, error: error as Error });
        }
      }),
    );
    const failed = new Set(failures.map((failure) => failure.invoiceId));
    await this.database.tenant(
      tenantId,
      async (tx) => {
        await recordFiles(tx, files);
        await options.finish?.(
          tx,
          invoiceIds.filter((id) => !failed.has(id)),
        );
      },
      { now: options.now },
    );
    return failures;
  }

  /**
   * A file that was recorded and that the store has lost, stored again; undefined where what is rendered now is not what was recorded, such as a
   * PDF of the tenant's own system.
   */
  async again(tenantId: string, { invoiceId, kind, blobKey }: Recorded): Promise<Buffer | undefined> {
    const [source] = await this.database.tenant(tenantId, (tx) => sources(tx, [invoiceId]), { readOnly: true });
    const bytes = source && (await this.render(tenantId, source))[kind];
    if (!bytes || blobKeyOf(bytes) !== blobKey) return undefined;
    await this.blobs.put(bytes);
    return Buffer.from(bytes);
  }

  private render(tenantId: string, { invoiceId, snapshot, logo, usageBreakdown }: Source): Promise<RenderedDocument> {
    const usageLink = this.usageLinks.urlOf({ tenantId, id: invoiceId, usageBreakdown });
    return renderFiles(tenantId, withUsageLink(withLogo(snapshot, logo), usageLink));
  }

  /** Keeps the bytes of a file, which `recordFiles` records. */
  private async store(invoiceId: string, kind: StoredFile['kind'], bytes: Uint8Array): Promise<StoredFile> {
    return { invoiceId, kind, blobKey: await this.blobs.put(bytes), sizeBytes: bytes.length };
  }
}

const sources = (tx: Tx, invoiceIds: readonly string[], further = ''): Promise<Source[]> =>
  tx.query<Source>(
    `SELECT s.invoice_id AS "invoiceId", s.snapshot, l.data AS logo, i.usage_breakdown AS "usageBreakdown", i.pdf_awaited AS "pdfAwaited"
     FROM document_snapshot s
     JOIN invoice i ON i.tenant_id = s.tenant_id AND i.id = s.invoice_id
     ${further}
     ${LOGO_OF_SNAPSHOT}
     WHERE s.invoice_id = ANY($1::uuid[])`,
    [invoiceIds],
  );

const unrendered = (tx: Tx, invoiceIds: readonly string[]): Promise<Source[]> =>
  sources(
    tx,
    invoiceIds,
    `JOIN media m
       ON m.tenant_id = s.tenant_id AND m.invoice_id = s.invoice_id AND m.blob_key IS NULL
         AND m.kind = CASE WHEN i.pdf_awaited THEN 'xml' ELSE 'pdf' END`,
  );

/** Fills in the files that are still missing; of two renderers the second finds nothing left and publishes nothing. */
export async function recordFiles(tx: Tx, files: readonly StoredFile[]): Promise<void> {
  if (files.length === 0) return;
  const ready = await tx.query<{
    id: string;
    kind: string;
    invoiceId: string;
    customerId: string;
    fileName: string;
    mimeType: string;
  }>(
    `UPDATE media m SET blob_key = f.blob_key, size_bytes = f.size_bytes
     FROM unnest($1::uuid[], $2::text[], $3::text[], $4::int[]) AS f(invoice_id, kind, blob_key, size_bytes), invoice i
     WHERE m.invoice_id = f.invoice_id AND m.kind = f.kind AND m.blob_key IS NULL
       AND i.tenant_id = m.tenant_id AND i.id = m.invoice_id
     RETURNING m.id, m.kind, m.invoice_id AS "invoiceId", i.customer_id AS "customerId",
               m.file_name AS "fileName", m.mime_type AS "mimeType"`,
    [
      files.map((f) => f.invoiceId),
      files.map((f) => f.kind),
      files.map((f) => f.blobKey),
      files.map((f) => f.sizeBytes),
    ],
  );
  await noteMails(
    tx,
    ready.map(({ invoiceId }) => invoiceId),
  );
  await appendEvents(
    tx,
    mediaReadyV1,
    ready
      .filter(({ kind }) => kind === 'pdf')
      .map(({ id, invoiceId, customerId, fileName, mimeType }) => ({
        aggregateId: id,
        aggregateSeq: 1,
        payload: { mediaId: id, invoiceId, customerId, fileName, mimeType },
      })),
  );
}

/** With its file a document is mailed, unless it says otherwise. */
async function noteMails(tx: Tx, invoiceIds: readonly string[]): Promise<void> {
  await tx.query(
    `UPDATE invoice i SET last_sent_at = $3
     FROM (SELECT id FROM invoice
           WHERE tenant_id = $1 AND id = ANY($2::uuid[]) AND mailed AND NOT imported AND last_sent_at IS NULL
           ORDER BY id FOR UPDATE) m
     WHERE i.tenant_id = $1 AND i.id = m.id`,
    [tx.tenantId, invoiceIds, tx.now],
  );
}
