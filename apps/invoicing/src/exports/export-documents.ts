import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { addDays, startOfDay } from '@kontor/kernel';
import { BlobStore, Database } from '@kontor/persistence';
import { Log, ZipArchive } from '@kontor/service-kit';
import { AUDIT_TABLES } from '../domain/exports/audit-tables.js';
import { GDPDU_DTD, gdpduIndex } from '../domain/exports/gdpdu-index.js';
import { InvoiceContexts } from '../pricing/invoice-context.js';
import { fetchAhead } from './fetch-ahead.js';
import { type ExportSpan, PageDocuments } from './page-documents.js';
import { readPages, withHeaders } from './read-files.js';
import { TableFile } from './table-file.js';

export interface RequestedDays {
  /** First and last day in the tenant's zone, `YYYY-MM-DD`. */
  readonly from: string;
  readonly to: string;
}

/** What one export is about. */
interface Subject {
  readonly tenantId: string;
  readonly span: ExportSpan;
  readonly now: Date;
  readonly index: string;
}

/**
 * All files of the documents of some days as one ZIP archive, with tables about them and the description that an
 * auditor's program reads. It is written while it is sent: neither the archive nor the list of documents is ever whole in
 * memory. Files are what they are: they hold packed data already, so they are stored and not packed once more.
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
    // What is finalized from now on is not in it: the tables are about the files that are there.
    const latest = new Date(now.getTime() + 1);
    const span = { from: startOfDay(days.from, tenant.timeZone), to: until < latest ? until : latest };
    const { company, address } = settings.seller;
    const index = gdpduIndex(AUDIT_TABLES, { company: company ?? '', city: address.city ?? '', ...days });
    return Readable.from(this.archive({ tenantId, span, now, index }), { objectMode: false });
  }

  private async *archive({ tenantId, span, now, index }: Subject): AsyncGenerator<Buffer> {
    const zip = new ZipArchive();
    yield* zip.stored('index.xml', now, Buffer.from(index));
    yield* zip.stored(GDPDU_DTD.file, now, Buffer.from(GDPDU_DTD.text));
    const folder = await mkdtemp(join(tmpdir(), 'kontor-export-'));
    try {
      const tables = AUDIT_TABLES.map((table) => ({
        name: table.file,
        file: new TableFile(table, join(folder, table.file)),
      }));
      const pages = fetchAhead(this.pageDocuments.execute(tenantId, span));
      for await (const { page, batch } of fetchAhead(readPages(this.blobs, pages))) {
        if (batch) yield withHeaders(zip, batch);
        else for (const { file } of tables) await file.add(page);
      }
      for (const { name, file } of tables) yield* zip.packed(name, now, file.read());
      yield zip.end();
    } catch (error) {
      this.log.error({ tenantId, err: error }, 'an export of documents was interrupted');
      throw error;
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }
}
