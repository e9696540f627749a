import { Injectable } from '@nestjs/common';
import { invariant } from '@kontor/kernel';
import { Database } from '@kontor/persistence';
import { type AuditDocument, type AuditFile, pathInArchive } from '../domain/exports/audit-tables.js';
import type { DocumentSnapshot } from '../domain/finalization/document-snapshot.js';
import { RenderFiles } from '../media/render-files.js';

/** Finalized in `[from, to)`. */
export interface ExportSpan {
  readonly from: Date;
  readonly to: Date;
}

/** A document with its files as they are stored. */
export interface StoredDocument extends Omit<AuditDocument, 'files'> {
  readonly files: readonly StoredFile[];
}

/** A stored file of a document, with its place in the archive. */
export interface StoredFile extends AuditFile {
  readonly finalizedAt: Date;
}

interface FoundFile {
  readonly id: string;
  readonly fileName: string;
  readonly mimeType: string;
  readonly blobKey: string | null;
  readonly sizeBytes: number | null;
}

interface FoundDocument {
  readonly id: string;
  readonly number: string;
  readonly status: string;
  readonly finalizedAt: Date;
  readonly createdAt: Date;
  readonly snapshot: DocumentSnapshot;
  readonly files: readonly FoundFile[];
}

/** So many documents are in memory at a time. */
const PAGE = 100;

/** Finalized documents of a span of time and their files, in the order of finalization, a page at a time. */
@Injectable()
export class PageDocuments {
  constructor(
    private readonly database: Database,
    private readonly renderFiles: RenderFiles,
  ) {}

  /** Files that nobody has rendered yet are rendered. @throws what keeps a file from being rendered. */
  async *execute(tenantId: string, span: ExportSpan): AsyncGenerator<StoredDocument[]> {
    let after: FoundDocument | undefined;
    for (;;) {
      let page = await this.page(tenantId, span, after);
      for (let missing = unrendered(page); missing.length > 0; missing = unrendered(page)) {
        const [failure] = await this.renderFiles.execute(tenantId, missing);
        if (failure) throw failure.error;
        page = await this.page(tenantId, span, after);
      }
      yield page.map(stored);
      if (page.length < PAGE) return;
      after = page.at(-1);
    }
  }

  private page(tenantId: string, span: ExportSpan, after: FoundDocument | undefined): Promise<FoundDocument[]> {
    return this.database.tenant(
      tenantId,
      (tx) =>
        tx.query<FoundDocument>(
          `SELECT i.id, i.number, i.status, i.finalized_at AS "finalizedAt", i.created_at AS "createdAt", s.snapshot, f.files
           FROM invoice i
           JOIN document_snapshot s ON s.tenant_id = $1 AND s.invoice_id = i.id
           CROSS JOIN LATERAL (
             SELECT coalesce(json_agg(json_build_object(
               'id', m.id, 'fileName', m.file_name, 'mimeType', m.mime_type, 'blobKey', m.blob_key, 'sizeBytes', m.size_bytes
             ) ORDER BY m.kind), '[]') AS files
             FROM media m
             WHERE m.tenant_id = $1 AND m.invoice_id = i.id AND m.kind <> 'preview' AND NOT (i.pdf_awaited AND m.kind = 'pdf')
           ) f
           WHERE i.tenant_id = $1 AND i.finalized_at >= $2 AND i.finalized_at < $3
             ${after ? 'AND (i.finalized_at, i.created_at, i.id) > ($2, $4::timestamptz, $5::uuid)' : ''}
           -- As the index has them, backwards.
           ORDER BY i.finalized_at NULLS FIRST, i.created_at, i.id
           LIMIT ${PAGE}`,
          after ? [tenantId, after.finalizedAt, span.to, after.createdAt, after.id] : [tenantId, span.from, span.to],
        ),
      { readOnly: true },
    );
  }
}

const unrendered = (page: readonly FoundDocument[]): string[] =>
  page.filter(({ files }) => files.some(({ blobKey }) => blobKey === null)).map(({ id }) => id);

const stored = ({ number, status, snapshot, finalizedAt, files }: FoundDocument): StoredDocument => ({
  status,
  snapshot,
  files: files.map((file) => {
    const { blobKey, sizeBytes, mimeType } = file;
    invariant(blobKey !== null && sizeBytes !== null, 'a rendered file has its bytes');
    return { path: pathInArchive(number, file), mimeType, sizeBytes, sha256: blobKey, finalizedAt };
  }),
});
