import { once } from 'node:events';
import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { addDays, startOfDay } from '@kontor/kernel';
import { BlobStore, Database } from '@kontor/persistence';
import { Log } from '@kontor/service-kit';
import { stringify } from 'csv-stringify/sync';
import yazl from 'yazl';
import { AUDIT_TABLES, type AuditTable } from '../domain/exports/audit-tables.js';
import { GDPDU_DTD, gdpduIndex } from '../domain/exports/gdpdu-index.js';
import { InvoiceContexts } from '../pricing/invoice-context.js';
import { defuseText } from '../domain/exports/defuse-text.js';
import { type ExportSpan, PageDocuments, type StoredFile } from './page-documents.js';

export interface RequestedDays {
  /** First and last day in the tenant's zone, `YYYY-MM-DD`. */
  readonly from: string;
  readonly to: string;
}

/**
 * All files of the documents of some days as one ZIP archive, with tables about them and the description that an
 * auditor's program reads. It is written while it is sent: neither the archive nor the list of documents is ever whole in
 * memory.
 */
@Injectable()
export class ExportDocuments {
  constructor(
    private readonly database: Database,
    private readonly contexts: InvoiceContexts,
    private readonly pageDocuments: PageDocuments,
    private readonly blobs: BlobStore,
    private readonly log: Log,
  ) {}

  async execute(tenantId: string, days: RequestedDays): Promise<Readable> {
    const { tenant, settings, now } = await this.database.tenant(tenantId, (tx) => this.contexts.load(tx, []));
    const until = startOfDay(addDays(days.to, 1), tenant.timeZone);
    // What is finalized from now on is not in it, so that the tables agree with the files.
    const latest = new Date(now.getTime() + 1);
    const span = { from: startOfDay(days.from, tenant.timeZone), to: until < latest ? until : latest };
    const { company, address } = settings.seller;
    const index = gdpduIndex(AUDIT_TABLES, { company: company ?? '', city: address.city ?? '', ...days });
    const archive = new yazl.ZipFile();
    const output = archive.outputStream as Readable;
    archive.on('error', (error) => output.destroy(error as Error));
    archive.addBuffer(Buffer.from(index), 'index.xml', { mtime: now });
    archive.addBuffer(Buffer.from(GDPDU_DTD.text), GDPDU_DTD.file, { mtime: now });
    void this.fill(archive, output, { tenantId, span, now }).catch((error: unknown) => {
      if (output.destroyed) return;
      this.log.error({ tenantId, err: error }, 'an export of documents was interrupted');
      output.destroy(error as Error);
    });
    return output;
  }

  private async fill(
    archive: yazl.ZipFile,
    output: Readable,
    { tenantId, span, now }: { tenantId: string; span: ExportSpan; now: Date },
  ): Promise<void> {
    for await (const page of this.pageDocuments.files(tenantId, span)) {
      await this.addFiles(archive, output, page);
      if (output.destroyed) return;
    }
    for (const table of AUDIT_TABLES) {
      const lines = Readable.from(this.csv(table, tenantId, span));
      lines.on('error', (error) => output.destroy(error));
      archive.addReadStream(lines, table.file, { mtime: now });
    }
    archive.end();
  }

  /** Resolves when the reader of the archive has taken them, or has gone. */
  private async addFiles(archive: yazl.ZipFile, output: Readable, files: readonly StoredFile[]): Promise<void> {
    const last = files.at(-1);
    if (!last) return;
    const gone = new AbortController();
    const leave = (): void => gone.abort();
    output.once('close', leave);
    const taken = new Promise<void>((resolve) => {
      for (const file of files) {
        const options = { mtime: file.createdAt, compress: false, size: file.sizeBytes };
        archive.addReadStreamLazy(file.path, options, (give) => {
          const bytes = this.blobs.read(file.blobKey);
          if (file === last) bytes.once('close', resolve);
          give(null, bytes);
        });
      }
    });
    await Promise.race([taken, output.destroyed ? undefined : once(gone.signal, 'abort')]);
    output.off('close', leave);
  }

  private async *csv(table: AuditTable, tenantId: string, span: ExportSpan): AsyncGenerator<string> {
    yield csvLines([table.columns.map((column) => column.name)]);
    for await (const documents of this.pageDocuments.documents(tenantId, span))
      yield csvLines(documents.flatMap((document) => table.linesOf(document)).map((line) => defused(table, line)));
  }
}

/** As `index.xml` describes them. */
const csvLines = (lines: readonly (readonly string[])[]): string =>
  stringify(
    lines.map((line) => [...line]),
    { delimiter: ';', record_delimiter: 'windows' },
  );

const defused = ({ columns }: AuditTable, line: readonly string[]): string[] =>
  line.map((value, index) => (columns[index]?.type === 'text' ? defuseText(value) : value));
