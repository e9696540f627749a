import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import { Injectable } from '@nestjs/common';
import { addDays, startOfDay } from '@kontor/kernel';
import { BlobStore, Database } from '@kontor/persistence';
import { Log } from '@kontor/service-kit';
import { AUDIT_TABLES } from '../domain/exports/audit-tables.js';
import { GDPDU_DTD, gdpduIndex } from '../domain/exports/gdpdu-index.js';
import { InvoiceContexts } from '../pricing/invoice-context.js';
import { type ExportSpan, PageDocuments, type StoredDocument, type StoredFile } from './page-documents.js';
import { fetchAhead, readAhead } from './read-ahead.js';
import { TableFile } from './table-file.js';
import { ZipWriter } from './zip-writer.js';

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

/** Small pieces are joined up to about so many bytes before they are sent. */
const PIECE = 256 * 1024;

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
    return Readable.from(joined(this.archive({ tenantId, span, now, index })), { objectMode: false });
  }

  private async *archive({ tenantId, span, now, index }: Subject): AsyncGenerator<Buffer> {
    const zip = new ZipWriter();
    const stored = function* (path: string, bytes: Buffer, modified: Date): Generator<Buffer> {
      yield zip.header({ path, modified, crc32: crc32(bytes), size: bytes.length, packedSize: null });
      yield bytes;
    };
    yield* stored('index.xml', Buffer.from(index), now);
    yield* stored(GDPDU_DTD.file, Buffer.from(GDPDU_DTD.text), now);
    const folder = await mkdtemp(join(tmpdir(), 'kontor-export-'));
    try {
      const tables = await Promise.all(
        AUDIT_TABLES.map(async (table) => new TableFile(table, await open(join(folder, table.file), 'wx+', 0o600))),
      );
      try {
        const pages = fetchAhead(this.pageDocuments.execute(tenantId, span));
        for await (const [{ file, page }, bytes] of readAhead(stepsOf(pages), STEP_SIZE, (step) => this.read(step))) {
          if (file && bytes) yield* stored(file.path, bytes, file.finalizedAt);
          else for (const table of tables) await table.add(page);
        }
        for (const table of tables) {
          yield zip.header(await table.finish(now));
          yield* table.read();
        }
      } finally {
        for (const table of tables) await table.close();
      }
      yield zip.end();
    } catch (error) {
      this.log.error({ tenantId, err: error }, 'an export of documents was interrupted');
      throw error;
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  private read({ file }: Step): Promise<Buffer> | null {
    return file && this.blobs.get(file.sha256);
  }
}

/** A file of a page of documents, or, after all of them, the page as a whole. */
interface Step {
  readonly page: readonly StoredDocument[];
  readonly file: StoredFile | null;
}

const STEP_SIZE = ({ file }: Step): number => file?.sizeBytes ?? 0;

async function* stepsOf(pages: AsyncIterable<readonly StoredDocument[]>): AsyncGenerator<Step> {
  for await (const page of pages) {
    for (const { files } of page) for (const file of files) yield { page, file };
    yield { page, file: null };
  }
}

/** The same bytes in larger pieces. */
async function* joined(pieces: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  let waiting: Buffer[] = [];
  let size = 0;
  for await (const piece of pieces) {
    waiting.push(piece);
    size += piece.length;
    if (size < PIECE) continue;
    yield Buffer.concat(waiting);
    waiting = [];
    size = 0;
  }
  if (size > 0) yield Buffer.concat(waiting);
}
