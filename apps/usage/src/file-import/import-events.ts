import { Injectable } from '@nestjs/common';
import { DomainError, validationFailed } from '@kontor/kernel';
import { Database } from '@kontor/persistence';
import { LoopTurn } from '@kontor/service-kit';
import { IngestEvents } from '../event-store/ingest-events.js';
import { ImportProgress } from './import-progress.js';
import { beginImport, saveProgress, type StoredImport } from './import-rows.js';
import { type ImportFormat, isError, RecordsOfFile } from './read-records.js';
import { type Upload, UploadInterrupted } from './upload.js';

const BATCH_ITEMS = 1000;
const BATCH_BYTES = 2 * 1024 * 1024;
/** While one batch is written the next one is read; more would only fill memory. */
const BATCHES_AT_ONCE = 2;
const PROGRESS_MS = 500;
/** Also where nothing arrives: an import without a report counts as interrupted. */
const ALIVE_MS = 1_000;

interface Batch {
  readonly items: unknown[];
  readonly lines: number[];
  bytes: number;
}

/**
 * Imports a file of events while it arrives: what was read is in the database before more is requested from the sender.
 * Of an interrupted upload everything up to then is stored; sent again, known transactions are duplicates, so nothing
 * is lost or counted twice.
 */
@Injectable()
export class ImportEvents {
  constructor(
    private readonly database: Database,
    private readonly ingest: IngestEvents,
  ) {}

  /**
   * @throws DomainError 409 `import_in_progress`, 422 `import_id_reused` for another file than the completed one,
   * 422 `validation_failed` for a file without events or with a header that is none.
   */
  async execute(tenantId: string, id: string, upload: Upload): Promise<StoredImport> {
    const begun = await this.begin(tenantId, id, upload.format);
    if (begun.status === 'completed') return sameAs(begun, await upload.digest());
    const progress = new ImportProgress();
    const save = (status: StoredImport['status'], digest?: string): Promise<StoredImport> =>
      this.database.tenant(tenantId, (tx) => saveProgress(tx, begun, progress, status, digest));
    const alive = this.keepAlive(() => save('running'));
    try {
      await this.readAll(tenantId, upload, progress, alive.report);
      if (progress.lines === 0) throw validationFailed('file', 'The file holds no events.', 'empty');
    } catch (error) {
      await alive.stop();
      const isRefusal = error instanceof DomainError && !(error instanceof UploadInterrupted);
      await save(isRefusal ? 'failed' : 'interrupted').catch(() => undefined);
      throw error;
    }
    await alive.stop();
    return save('completed', await upload.digest());
  }

  /**
   * One report at a time: a failed report is replaced by the next, and one that is refused ends the upload at
   * its next batch.
   */
  private keepAlive(save: () => Promise<unknown>): { report: () => Promise<unknown>; stop: () => Promise<void> } {
    let last = performance.now();
    let reporting: Promise<unknown> = Promise.resolve();
    const report = (): Promise<unknown> => {
      last = performance.now();
      return (reporting = reporting.catch(() => undefined).then(save));
    };
    const timer = setInterval(() => {
      if (performance.now() - last >= ALIVE_MS) report().catch(() => undefined);
    }, ALIVE_MS).unref();
    const stop = async (): Promise<void> => {
      clearInterval(timer);
      await reporting.catch(() => undefined);
    };
    return { report, stop };
  }

  private begin(tenantId: string, id: string, format: ImportFormat): Promise<StoredImport> {
    return this.database.tenant(tenantId, (tx) => beginImport(tx, id, format));
  }

  private async readAll(
    tenantId: string,
    upload: Pick<Upload, 'format' | 'bytes'>,
    progress: ImportProgress,
    report: () => Promise<unknown>,
  ): Promise<void> {
    const records = new RecordsOfFile(upload.format);
    const writing: Promise<void>[] = [];
    let batch = emptyBatch();
    let reportedAt = performance.now();
    // Lines that are wrong, or no records, wait for nothing: they would keep everybody else waiting.
    const turn = new LoopTurn();
    const flush = async (): Promise<void> => {
      writing.push(this.write(tenantId, batch, progress));
      batch = emptyBatch();
      if (writing.length === BATCHES_AT_ONCE) await writing.shift();
      if (performance.now() - reportedAt < PROGRESS_MS) return;
      reportedAt = performance.now();
      await report();
    };
    const read = async (chunk: Buffer | null): Promise<void> => {
      for (const record of chunk ? records.push(chunk) : records.end()) {
        if (turn.isOver) await turn.pass();
        if (record === null) continue;
        progress.lines += 1;
        if (isError(record)) {
          progress.fail(record);
          continue;
        }
        batch.items.push(record.item);
        batch.lines.push(record.line);
        if (batch.items.length === BATCH_ITEMS || (batch.bytes += record.bytes) > BATCH_BYTES) await flush();
      }
    };
    try {
      for await (const chunk of upload.bytes) {
        progress.bytes += chunk.length;
        await read(chunk);
        if (turn.isOver) await turn.pass();
      }
      await read(null);
      if (batch.items.length > 0) await flush();
    } finally {
      const ended = await Promise.allSettled(writing);
      const failed = ended.find((result) => result.status === 'rejected');
      if (failed) throw failed.reason;
    }
  }

  private write(tenantId: string, { items, lines }: Batch, progress: ImportProgress): Promise<void> {
    const written = this.ingest.execute(tenantId, items).then((result) => progress.add(result, lines));
    // Awaited by `flush` or at the end; until then a failure must not be an unhandled rejection.
    written.catch(() => undefined);
    return written;
  }
}

/** The completed import, where the file is the same. */
function sameAs(completed: StoredImport, digest: string): StoredImport {
  if (completed.digest !== null && completed.digest !== digest)
    throw new DomainError('import_id_reused', {
      detail: 'Another file was imported under this id: nothing of this one is in. Send it under an id of its own.',
    });
  return completed;
}

const emptyBatch = (): Batch => ({ items: [], lines: [], bytes: 0 });
