import { Injectable } from '@nestjs/common';
import { invariant } from '@kontor/kernel';
import { Database } from '@kontor/persistence';
import { type AuditDocument, pathInArchive } from '../domain/exports/audit-tables.js';
import type { DocumentSnapshot } from '../domain/finalization/document-snapshot.js';
import { RenderFiles } from '../media/render-files.js';

/** Finalized in `[from, to)`. */
export interface ExportSpan {
  readonly from: Date;
  readonly to: Date;
}

/** A stored file of a document, with its place in the archive. */
export interface StoredFile {
  readonly path: string;
  readonly blobKey: string;
  readonly sizeBytes: number;
  readonly createdAt: Date;
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

  /** Their files; those that nobody has rendered yet are rendered. @throws what keeps a file from being rendered. */
  async *files(tenantId: string, span: ExportSpan): AsyncGenerator<StoredFile[]> {
    for await (const page of this.pages(tenantId, span, false)) {
      const ids = page.map((document) => document.id);
      const files = await this.filesOf(tenantId, ids);
      yield [...files.values()].flat().map(({ path, blobKey, sizeBytes, finalizedAt }) => ({
        path,
        blobKey,
        sizeBytes,
        createdAt: finalizedAt,
      }));
    }
  }

  /** What they say, with what is known of their files. */
  async *documents(tenantId: string, span: ExportSpan): AsyncGenerator<AuditDocument[]> {
    for await (const page of this.pages(tenantId, span, true)) {
      const files = await this.filesOf(
        tenantId,
        page.map((document) => document.id),
      );
      yield page.map(({ id, status, snapshot }) => ({
        status,
        snapshot,
        files: (files.get(id) ?? []).map(({ path, mimeType, sizeBytes, blobKey }) => ({
          path,
          mimeType,
          sizeBytes,
          sha256: blobKey,
        })),
      }));
    }
  }

  private async *pages(tenantId: string, span: ExportSpan, withSnapshot: boolean): AsyncGenerator<FoundDocument[]> {
    let after: FoundDocument | undefined;
    for (;;) {
      const rows: FoundDocument[] = await this.database.tenant(
        tenantId,
        (tx) =>
          tx.query<FoundDocument>(
            `SELECT i.id, i.status, i.finalized_at AS "finalizedAt", i.created_at AS "createdAt", s.snapshot
             FROM invoice i
             LEFT JOIN document_snapshot s ON $7 AND s.tenant_id = $1 AND s.invoice_id = i.id
             WHERE i.tenant_id = $1 AND i.finalized_at >= $2 AND i.finalized_at < $3
               AND ($4::timestamptz IS NULL OR (i.finalized_at, i.created_at, i.id) > ($4, $5::timestamptz, $6::uuid))
             -- As the index has them, backwards.
             ORDER BY i.finalized_at NULLS FIRST, i.created_at, i.id
             LIMIT ${PAGE}`,
            [
              tenantId,
              span.from,
              span.to,
              after?.finalizedAt ?? null,
              after?.createdAt ?? null,
              after?.id ?? null,
              withSnapshot,
            ],
          ),
        { readOnly: true },
      );
      if (rows.length > 0) yield rows;
      if (rows.length < PAGE) return;
      after = rows.at(-1);
    }
  }

  private async filesOf(tenantId: string, invoiceIds: readonly string[]) {
    let found = await this.find(tenantId, invoiceIds);
    const unrendered = found.filter((file) => file.blobKey === null).map((file) => file.invoiceId);
    if (unrendered.length > 0) {
      const [failure] = await this.renderFiles.execute(tenantId, unrendered);
      if (failure) throw failure.error;
      found = await this.find(tenantId, invoiceIds);
    }
    const files = new Map<string, (FoundFile & { path: string; blobKey: string; sizeBytes: number })[]>();
    for (const file of found) {
      const { blobKey, sizeBytes, invoiceId } = file;
      invariant(blobKey !== null && sizeBytes !== null, 'a rendered file has its bytes');
      const stored = { ...file, blobKey, sizeBytes, path: pathInArchive(file.number, file) };
      files.set(invoiceId, [...(files.get(invoiceId) ?? []), stored]);
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
