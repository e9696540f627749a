import { isUtf8 } from 'node:buffer';
import { DomainError, newUuid, storableText } from '@kontor/kernel';
import { Database, scheduleDue, type TenantTx } from '@kontor/persistence';
import { invalidRequest, isStorableText, LoopTurn, readMultipart } from '@kontor/service-kit';
import { Injectable } from '@nestjs/common';
import { type ImportKind, type ImportLineRow, ImportRow } from '../db/import.row.js';
import * as tables from '../db/tables.js';
import { type CsvRecord, readCsv, TooManyRecords, UnreadableCsv } from '../domain/imports/read-csv.js';
import { type ImportJson, representImport } from './import.schema.js';
import { Importers } from './importers.js';
import { checkHeader } from './import-header.js';

export const IMPORT_DUE = 'billing.import';
const MAX_FILE = 20 * 1024 * 1024;
const MAX_LINES = 200_000;
/** What is written at once: lines, and about so many characters. */
const PORTION = 1_000;
const PORTION_SIZE = 256 * 1024;
/** Of all lines, with the names of their columns: a file of 20 MiB can be much more. */
const MAX_STORED = 128 * 1024 * 1024;

interface Upload {
  readonly fileName: string | null;
  readonly text: string;
  readonly dryRun: boolean;
}

/**
 * Stores the lines of a file; they are imported as due work.
 * @throws DomainError 400 `invalid_request`, 413 `payload_too_large`, 415 `unsupported_media_type`; 422 `file_unreadable`,
 * `validation_failed` for a header that cannot be used
 */
@Injectable()
export class StartImport {
  constructor(
    private readonly database: Database,
    private readonly importers: Importers,
  ) {}

  async execute(tenantId: string, kind: ImportKind, body: unknown, contentType: string): Promise<ImportJson> {
    const upload = readForm(Buffer.isBuffer(body) ? body : Buffer.alloc(0), contentType);
    const importer = this.importers.of(kind);
    let columns: readonly string[] | undefined;
    const counts = { lines: 0, failed: 0 };
    let size = 0;
    for await (const record of recordsOf(upload.text)) {
      if (columns === undefined) {
        checkHeader(importer, (columns = record.cells));
        continue;
      }
      counts.lines += 1;
      if (record.cells.length > columns.length) counts.failed += 1;
      if ((size += sizeOf(columns, record)) > MAX_STORED)
        throw tooLarge('The lines, with the names of their columns, have more than 128 MiB: send several files.');
    }
    if (columns === undefined) checkHeader(importer, []);
    return this.database.tenant(tenantId, (tx) => this.store(tx, kind, upload, counts));
  }

  private async store(
    tx: TenantTx,
    kind: ImportKind,
    { fileName, dryRun, text }: Upload,
    counts: Pick<ImportRow, 'lines' | 'failed'>,
  ): Promise<ImportJson> {
    const row = Object.assign(new ImportRow(), {
      tenantId: tx.tenantId,
      id: newUuid(),
      kind,
      dryRun,
      fileName,
      status: 'running' as const,
      ...counts,
      takenTo: 0,
      imported: 0,
      duplicates: 0,
      createdAt: tx.now,
      completedAt: null,
    } satisfies ImportRow);
    await tables.imports.insert(tx, row);
    await this.storeLines(tx, row.id, text);
    await scheduleDue(tx, { kind: IMPORT_DUE, ref: row.id, dueAt: tx.now });
    return representImport(row);
  }

  /** The text is read once more: what all of its records would take lies in nobody's memory. */
  private async storeLines(tx: TenantTx, importId: string, text: string): Promise<void> {
    let columns: readonly string[] | undefined;
    let lines: NewLine[] = [];
    let size = 0;
    for await (const record of recordsOf(text)) {
      if (columns === undefined) {
        columns = record.cells;
        continue;
      }
      const line = lineOf(importId, columns, record);
      lines.push(line);
      size += sizeOf(columns, record);
      if (lines.length < PORTION && size < PORTION_SIZE) continue;
      await tables.importLines.insert(tx, lines);
      lines = [];
      size = 0;
    }
    if (lines.length > 0) await tables.importLines.insert(tx, lines);
  }
}

type NewLine = Omit<ImportLineRow, 'tenantId'>;

/** About how much is stored of a line. */
const sizeOf = (columns: readonly string[], { cells }: CsvRecord): number =>
  columns.reduce((size, column, n) => (cells[n] ? size + column.length + cells[n].length : size), 0);

/** A line with too many cells is not looked at; cells with nothing in them are none. */
const lineOf = (importId: string, columns: readonly string[], { line, cells }: CsvRecord): NewLine => {
  const tooMany = cells.length > columns.length;
  return {
    importId,
    line,
    cells: Object.fromEntries(columns.flatMap((column, n) => (cells[n] ? [[column, cells[n]]] : []))),
    status: tooMany ? 'failed' : 'waiting',
    objectId: null,
    code: tooMany ? 'too_many_cells' : null,
    message: tooMany ? `The line has ${cells.length} cells, the header ${columns.length}.` : null,
    propertyPath: null,
  };
};

async function* recordsOf(text: string): AsyncIterable<CsvRecord> {
  const turn = new LoopTurn();
  try {
    for (const record of readCsv(text, MAX_LINES + 1)) {
      yield record;
      if (turn.isOver) await turn.pass();
    }
  } catch (error) {
    if (error instanceof TooManyRecords) throw tooLarge(`A file has at most ${MAX_LINES} lines.`);
    if (error instanceof UnreadableCsv) throw unreadable(error.message);
    throw error;
  }
}

const unreadable = (detail: string): DomainError => new DomainError('file_unreadable', { detail });

function readForm(bytes: Buffer, contentType: string): Upload {
  if (!contentType.startsWith('multipart/form-data'))
    throw new DomainError('unsupported_media_type', {
      kind: 'unsupported_media',
      detail: 'Send a form with the field "file".',
    });
  if (bytes.length > MAX_FILE + 64 * 1024) throw tooLarge();
  const form = readMultipart(bytes, contentType);
  const unknown = [...form.keys()].find((name) => name !== 'file' && name !== 'dryRun');
  if (unknown !== undefined) throw badField(unknown, 'is unknown', 'unknown_field');
  const file = form.get('file');
  if (file?.fileName === undefined) throw badField('file', 'must be a file', 'required');
  const dryRun = form.get('dryRun')?.content.toString() ?? 'false';
  if (dryRun !== 'true' && dryRun !== 'false') throw badField('dryRun', 'must be true or false', 'invalid_type');
  const { content } = file;
  if (content.length > MAX_FILE) throw tooLarge();
  const fileName = isStorableText(file.fileName) ? storableText(file.fileName, 255) : null;
  if (!isUtf8(content)) throw unreadable('The file is not UTF-8.');
  // Of UTF-8 no half of a surrogate pair can come.
  if (content.includes(0)) throw unreadable('The file has characters that are no text.');
  return { fileName, text: content.toString('utf8'), dryRun: dryRun === 'true' };
}

const tooLarge = (detail = 'The file may have at most 20 MiB.'): DomainError =>
  new DomainError('payload_too_large', { kind: 'too_large', detail });

function badField(name: string, what: string, code: string): DomainError {
  const message = `The field ${name} ${what}.`;
  const violations = [{ propertyPath: name, message, code }];
  return code === 'unknown_field'
    ? invalidRequest(message, violations, 'unknown_field')
    : invalidRequest(message, violations);
}
