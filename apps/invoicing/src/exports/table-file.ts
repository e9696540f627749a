import type { FileHandle } from 'node:fs/promises';
import { invariant } from '@kontor/kernel';
import { stringify } from 'csv-stringify/sync';
import type { AuditDocument, AuditTable } from '../domain/exports/audit-tables.js';
import { defuseText } from '../domain/exports/defuse-text.js';
import { PackedText, type ZipEntry } from './zip-writer.js';

const PIECE = 256 * 1024;

/**
 * A table of an export, packed in a file of its own until all documents have been seen: all tables are written in one pass
 * over the documents, and stand one after the other in the archive.
 */
export class TableFile {
  private readonly text = new PackedText();

  constructor(
    private readonly table: AuditTable,
    private readonly file: FileHandle,
  ) {}

  async add(documents: readonly AuditDocument[]): Promise<void> {
    const lines = documents.flatMap((document) => this.table.linesOf(document)).map((line) => this.defused(line));
    if (this.text.size === 0) lines.unshift(this.table.columns.map((column) => column.name));
    await this.file.appendFile(this.text.add(csvLines(lines)));
  }

  /** Its entry in the archive. */
  async finish(modified: Date): Promise<ZipEntry> {
    await this.file.appendFile(this.text.end());
    const { crc32, size, packedSize } = this.text;
    return { path: this.table.file, modified, crc32, size, packedSize };
  }

  async *read(): AsyncGenerator<Buffer> {
    let at = 0;
    while (at < this.text.packedSize) {
      const { bytesRead, buffer } = await this.file.read(Buffer.alloc(PIECE), 0, PIECE, at);
      invariant(bytesRead > 0, 'the file has what was written');
      at += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  }

  close(): Promise<void> {
    return this.file.close();
  }

  private defused(line: readonly string[]): string[] {
    const { columns } = this.table;
    return line.map((value, index) => (columns[index]?.type === 'text' ? defuseText(value) : value));
  }
}

/** As `index.xml` describes them. */
const csvLines = (lines: string[][]): string => stringify(lines, { delimiter: ';', record_delimiter: 'windows' });
