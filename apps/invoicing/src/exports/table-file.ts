import { createReadStream, type ReadStream } from 'node:fs';
import { appendFile } from 'node:fs/promises';
import { defuseText } from '@kontor/kernel';
import type { AuditDocument, AuditTable } from '../domain/exports/audit-tables.js';
import { csvLine } from '../domain/exports/csv-line.js';

const PIECE = 256 * 1024;

/**
 * A table of an export, in a file of its own until all documents have been seen: all tables are written in one pass over
 * the documents, and stand one after the other in the archive.
 */
export class TableFile {
  private isEmpty = true;

  constructor(
    private readonly table: AuditTable,
    private readonly path: string,
  ) {}

  async add(documents: readonly AuditDocument[]): Promise<void> {
    let text = this.isEmpty ? csvLine(this.table.columns.map((column) => column.name)) : '';
    this.isEmpty = false;
    for (const document of documents)
      for (const line of this.table.linesOf(document)) text += csvLine(this.defused(line));
    await appendFile(this.path, text);
  }

  read(): ReadStream {
    return createReadStream(this.path, { highWaterMark: PIECE });
  }

  private defused(line: readonly string[]): string[] {
    const { columns } = this.table;
    return line.map((value, index) => (columns[index]?.type === 'text' ? defuseText(value) : value));
  }
}
