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
  readonly invoiceId: string;
  readonly id: string;
  readonly number: string;
  readonly fileName: string;
  readonly mimeType: string;
  readonly blobKey: string | null;
  readonly sizeBytes: number | null;
  readonly finalizedAt: Date;
}

interface FoundDocument {
  readonly id: string;
  readonly status: string;
  readonly finalizedAt: Date;
  readonly createdAt: Date;
  readonly snapshot: DocumentSnapshot;
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
      const page = await this.page(tenantId, span, after);
      const files = await this.filesOf(
        tenantId,
        page.map(({ id }) => id),
      );
      yield page.map(({ id, status, snapshot }) => ({ status, snapshot, files: files.get(id) ?? [] }));
      if (page.length < PAGE) return;
      after = page.at(-1);
    }
  }

  private page(tenantId: string, span: ExportSpan, after: FoundDocument | undefined): Promise<FoundDocument[]> {
    return this.database.tenant(
      tenantId,
      (tx) =>
        tx.query<FoundDocument>(
          `SELECT i.id, i.status, i.finalized_at AS "finalizedAt", i.created_at AS "createdAt", s.snapshot
           FROM invoice i
           JOIN document_snapshot s ON s.tenant_id = $1 AND s.invoice_id = i.id
           WHERE i.tenant_id = $1 AND i.finalized_at >= $2 AND i.finalized_at < $3
             AND ($4::timestamptz IS NULL OR (i.finalized_at, i.created_at, i.id) > ($4, $5::timestamptz, $6::uuid))
           -- As the index has them, backwards.
           ORDER BY i.finalized_at NULLS FIRST, i.created_at, i.id
           LIMIT ${PAGE}`,
          [tenantId, span.from, span.to, after?.finalizedAt ?? null, after?.createdAt ?? null, after?.id ?? null],
        ),
      { readOnly: true },
    );
  }

  private async filesOf(tenantId: string, invoiceIds: readonly string[]): Promise<Map<string, StoredFile[]>> {
    let found = await this.find(tenantId, invoiceIds);
    const unrendered = found.filter((file) => file.blobKey === null).map((file) => file.invoiceId);
    if (unrendered.length > 0) {
      const [failure] = await this.renderFiles.execute(tenantId, unrendered);
      if (failure) throw failure.error;
      found = await this.find(tenantId, invoiceIds);
    }
    const files = new Map<string, StoredFile[]>();
    for (const file of found) {
      const { blobKey, sizeBytes, mimeType, finalizedAt } = file;
      invariant(blobKey !== null && sizeBytes !== null, 'a rendered file has its bytes');
      const stored = { path: pathInArchive(file.number, file), mimeType, sizeBytes, sha256: blobKey, finalizedAt };
      files.set(file.invoiceId, [...(files.get(file.invoiceId) ?? []), stored]);
    }
    return files;
  }

  private find(tenantId: string, invoiceIds: readonly string[]): Promise<FoundFile[]> {
    return this.database.tenant(
      tenantId,
      (tx) =>
        tx.query<FoundFile>(
          `SELECT m.invoice_id AS "invoiceId", m.id, i.number, m.file_name AS "fileName", m.mime_type AS "mimeType",
                  m.blob_key AS "blobKey", m.size_bytes AS "sizeBytes", i.finalized_at AS "finalizedAt"
           FROM media m
           JOIN invoice i ON i.tenant_id = $1 AND i.id = m.invoice_id
           WHERE m.tenant_id = $1 AND m.invoice_id = ANY($2::uuid[]) AND m.kind <> 'preview'
             AND NOT (i.pdf_awaited AND m.kind = 'pdf')
           ORDER BY i.finalized_at, i.id, m.kind`,
          [tenantId, invoiceIds],
        ),
      { readOnly: true },
    );
  }
}
