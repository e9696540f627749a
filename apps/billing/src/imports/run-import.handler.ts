import { importCompletedV1 } from '@kontor/contracts';
import { appendEvent } from '@kontor/messaging';
import { completeDue, Database, type DueBatch, DueHandler, type DueItem, type TenantTx } from '@kontor/persistence';
import { Injectable } from '@nestjs/common';
import type { ImportRow } from '../db/import.row.js';
import * as tables from '../db/tables.js';
import { TenantSetup } from '../settings/tenant-setup.js';
import { representImport } from './import.schema.js';
import { ImportLines } from './import-lines.js';
import { IMPORT_DUE } from './start-import.js';

/** Lines, and characters of what is stored of them: so much is processed at once. */
const PORTION = 1000;
const PORTION_SIZE = 512 * 1024;

/** A range: joined with themselves, the lines of a file are read once for each line while the database has no statistics of them. */
const NEXT_LINES = `t.import_id = $2 AND t.status = 'waiting' AND t.line > $3 AND t.line <= (
  SELECT max(line) FROM (
    SELECT line, sum(size) OVER (ORDER BY line) - size AS before FROM (
      SELECT line, length(cells::text) AS size FROM import_line
      WHERE tenant_id = $1 AND import_id = $2 AND line > $3 AND status = 'waiting' ORDER BY line LIMIT $4
    ) next
  ) sized WHERE before < $5
) ORDER BY t.line`;

/** Imports the lines of files, in portions: what became of a line is stored in the transaction of its effect. */
@Injectable()
@DueHandler({ kind: IMPORT_DUE, batchSize: 1 })
export class RunImportHandler {
  constructor(
    private readonly database: Database,
    private readonly setup: TenantSetup,
    private readonly lines: ImportLines,
  ) {}

  async handle({ tenantId, now, items, signal }: DueBatch): Promise<void> {
    for (const item of items) {
      while (await this.database.tenant(tenantId, (tx) => this.portion(tx, item), { now })) if (signal.aborted) return;
    }
  }

  /** False when the import is complete. */
  private async portion(tx: TenantTx, item: DueItem): Promise<boolean> {
    await this.setup.ensure(tx);
    const row = await tables.imports.get(tx, item.ref, { lock: 'update' });
    if (!row) {
      await completeDue(tx, IMPORT_DUE, item);
      return false;
    }
    const lines = await tables.importLines.where(tx, NEXT_LINES, [row.id, row.takenTo, PORTION, PORTION_SIZE]);
    const last = lines.at(-1);
    if (!last) {
      await this.complete(tx, row);
      await completeDue(tx, IMPORT_DUE, item);
      return false;
    }
    row.takenTo = last.line;
    await this.lines.execute(tx, row, lines);
    row.imported += lines.filter(({ status }) => status !== 'failed').length;
    row.duplicates += lines.filter(({ code }) => code === 'already_exists').length;
    row.failed += lines.filter(({ status }) => status === 'failed').length;
    await tables.importLines.update(tx, lines, ['status', 'objectId', 'code', 'message', 'propertyPath']);
    await tables.imports.update(tx, row);
    return true;
  }

  private async complete(tx: TenantTx, row: ImportRow): Promise<void> {
    row.status = 'completed';
    row.completedAt = tx.now;
    await tables.imports.update(tx, row);
    const shown = representImport(row);
    // An entry of the log stays: files are named after people, too.
    const { fileName: _, ...counts } = shown;
    await appendEvent(tx, importCompletedV1, {
      aggregateId: row.id,
      aggregateSeq: 1,
      payload: {
        id: row.id,
        version: 1,
        deleted: false,
        state: { ...shown },
        notices: [
          {
            type: 'import.completed',
            objectId: row.id,
            data: { import: shown },
            customerId: null,
            activity: { metadata: { ...counts, importId: row.id } },
          },
        ],
      },
    });
  }
}
