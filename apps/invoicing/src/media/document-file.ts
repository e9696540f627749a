import { Injectable } from '@nestjs/common';
import { invariant, notFound } from '@kontor/kernel';
import { BlobStore, Database, type Match } from '@kontor/persistence';
import { type MediaRow, mediaTable } from '../db/document.row.js';
import { RenderFiles } from './render-files.js';

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

  /** The finalized document's PDF. @throws DomainError 404 `not_found`, also while it is a draft. */
  async pdfOf(tenantId: string, invoiceId: string): Promise<FileContent> {
    return this.load(tenantId, await this.find(tenantId, { invoiceId, kind: 'pdf' }));
  }

  private async load(tenantId: string, media: MediaRow): Promise<FileContent> {
    if (media.blobKey === null || !(await this.blobs.has(media.blobKey))) {
      const [failure] = await this.renderFiles.execute(tenantId, [media.invoiceId]);
      if (failure) throw failure.error;
      media = await this.media(tenantId, media.id);
    }
    invariant(media.blobKey !== null, 'a rendered file has its key');
    return { media, bytes: await this.blobs.get(media.blobKey) };
  }

  private async find(tenantId: string, match: Match<MediaRow>): Promise<MediaRow> {
    const media = await this.database.tenant(tenantId, (tx) => mediaTable.findOne(tx, match), { readOnly: true });
    if (!media) throw notFound('The file');
    return media;
  }
}
