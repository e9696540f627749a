import { Injectable } from '@nestjs/common';
import { invariant, notFound } from '@kontor/kernel';
import { BlobStore, Database, type Match } from '@kontor/persistence';
import { documentSnapshotTable, type MediaRow, mediaTable } from '../db/document.row.js';
import { eInvoiceOf } from '../domain/e-invoice/from-snapshot.js';
import { writeUbl } from '../domain/e-invoice/write-ubl.js';
import { RenderFiles } from './render-files.js';

const MOST_BYTES_AT_ONCE = 4 * 1024 * 1024;

export interface FileContent {
  readonly media: MediaRow;
  readonly bytes: Buffer;
}

/** Files of documents and their bytes. A file that nobody has rendered yet is rendered on the spot. */
@Injectable()
export class DocumentFiles {
  constructor(
    private readonly database: Database,
    private readonly blobs: BlobStore,
    private readonly renderFiles: RenderFiles,
  ) {}

  /** @throws DomainError 404 `not_found`. */
  media(tenantId: string, id: string): Promise<MediaRow> {
    return this.find(tenantId, { id });
  }

  /** @throws DomainError 404 `not_found`. */
  async content(tenantId: string, mediaId: string): Promise<FileContent> {
    return this.load(tenantId, await this.media(tenantId, mediaId));
  }

  /** The bytes of those files that are there, up to a size in all; the others are asked for one by one. */
  async stored(tenantId: string, mediaIds: readonly string[]): Promise<Map<string, Buffer>> {
    const rows = await this.database.tenant(tenantId, (tx) => mediaTable.findByIds(tx, mediaIds), { readOnly: true });
    const fitting: MediaRow[] = [];
    let bytes = 0;
    for (const row of rows) if ((bytes += row.sizeBytes ?? 0) <= MOST_BYTES_AT_ONCE) fitting.push(row);
    const read = await Promise.all(
      fitting.map(async ({ id, blobKey }) => [id, blobKey && (await this.blobs.find(blobKey))] as const),
    );
    return new Map(read.flatMap(([id, content]) => (content ? [[id, content]] : [])));
  }

  /** The finalized document's PDF. @throws DomainError 404 `not_found`, also while it is a draft. */
  async pdfOf(tenantId: string, invoiceId: string): Promise<FileContent> {
    return this.load(tenantId, await this.find(tenantId, { invoiceId, kind: 'pdf' }));
  }

  /** The finalized document's e-invoice as it is stored. @throws DomainError 404 `not_found`, also where it has none. */
  async xmlOf(tenantId: string, invoiceId: string): Promise<FileContent> {
    return this.load(tenantId, await this.find(tenantId, { invoiceId, kind: 'xml' }));
  }

  /** The same e-invoice in the other syntax, written from what was frozen. @throws DomainError 404 `not_found`. */
  async ublOf(tenantId: string, invoiceId: string): Promise<FileContent> {
    const media = await this.find(tenantId, { invoiceId, kind: 'xml' });
    const row = await this.database.tenant(tenantId, (tx) => documentSnapshotTable.findOne(tx, { invoiceId }), {
      readOnly: true,
    });
    invariant(row, 'a finalized document has its snapshot');
    const fileName = media.fileName.replace(/\.xml$/, '-ubl.xml');
    return { media: { ...media, fileName }, bytes: Buffer.from(writeUbl(eInvoiceOf(row.snapshot))) };
  }

  private async load(tenantId: string, media: MediaRow): Promise<FileContent> {
    if (media.blobKey === null) {
      const [failure] = await this.renderFiles.execute(tenantId, [media.invoiceId]);
      if (failure) throw failure.error;
      media = await this.media(tenantId, media.id);
    }
    // The tenant's own system renders it, and has not yet.
    if (media.blobKey === null) throw notFound('The file');
    const { invoiceId, kind, blobKey } = media;
    const stored = await this.blobs.find(blobKey);
    // Lost, as where files of an earlier backup lie beside the database.
    const bytes =
      stored ?? (kind !== 'preview' && (await this.renderFiles.again(tenantId, { invoiceId, kind, blobKey })));
    if (!bytes) throw new Error(`${media.fileName} is lost (${blobKey}): put it back from a backup`);
    return { media, bytes };
  }

  private async find(tenantId: string, match: Match<MediaRow>): Promise<MediaRow> {
    const media = await this.database.tenant(tenantId, (tx) => mediaTable.findOne(tx, match), { readOnly: true });
    if (!media) throw notFound('The file');
    return media;
  }
}
