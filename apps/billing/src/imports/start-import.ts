import { DomainError, newUuid, validationFailed } from '@kontor/kernel';
import { Database, scheduleDue, type TenantTx } from '@kontor/persistence';
import { invalidRequest, isStorableText, readMultipart } from '@kontor/service-kit';
import { Injectable } from '@nestjs/common';
import { type ImportKind, type ImportLineRow, ImportRow } from '../db/import.row.js';
import * as tables from '../db/tables.js';
import { type CsvRecord, readCsv, TooManyRecords, UnreadableCsv } from '../domain/imports/read-csv.js';
import { type ImportJson, representImport } from './import.schema.js';
import { Importers } from './importers.js';
import { unknownColumns } from './read-line.js';

export const IMPORT_DUE = 'billing.import';
const MAX_FILE = 20 * 1024 * 1024;
const MAX_LINES = 200_000;
const PORTION = 5_000;
/** Lines are kept so long for their report. */
const KEPT_DAYS = 30;

interface Upload {
  readonly fileName: string | null;
  readonly text: string;
  readonly dryRun: boolean;
}

/**
 * Stores the lines of a file; they are taken in as due work.
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
    const [header, ...records] = recordsOf(upload.text);
    const columns = this.checkHeader(kind, header?.cells ?? []);
    return this.database.tenant(tenantId, (tx) => this.store(tx, kind, upload, columns, records));
  }

  private checkHeader(kind: ImportKind, columns: readonly string[]): readonly string[] {
    if (columns.length === 0) throw validationFailed('file', 'The file has no header.', 'required');
    const [unknown] = unknownColumns(this.importers.of(kind), columns);
    if (unknown !== undefined)
      throw validationFailed('file', `The column "${unknown.slice(0, 100)}" is unknown.`, 'unknown_field');
    const twice = columns.find((column, n) => columns.indexOf(column) !== n);
    if (twice !== undefined) throw validationFailed('file', `The column "${twice}" is there twice.`, 'duplicate');
    return columns;
  }

  private async store(
    tx: TenantTx,
    kind: ImportKind,
    { fileName, dryRun }: Upload,
    columns: readonly string[],
    records: readonly CsvRecord[],
  ): Promise<ImportJson> {
    await tx.query('DELETE FROM import WHERE tenant_id = $1 AND completed_at < $2', [
      tx.tenantId,
      new Date(tx.now.getTime() - KEPT_DAYS * 86_400_000),
    ]);
    const row = Object.assign(new ImportRow(), {
      tenantId: tx.tenantId,
      id: newUuid(),
      kind,
      dryRun,
      fileName,
      status: 'running' as const,
      lines: records.length,
      takenTo: 0,
      imported: 0,
      duplicates: 0,
      // Lines with too many cells are not looked at.
      failed: records.filter(({ cells }) => cells.length > columns.length).length,
      createdAt: tx.now,
      completedAt: null,
    } satisfies ImportRow);
    await tables.imports.insert(tx, row);
    for (let from = 0; from < records.length; from += PORTION)
      await tables.importLines.insert(
        tx,
        records.slice(from, from + PORTION).map((record) => lineOf(row.id, columns, record)),
      );
    await scheduleDue(tx, { kind: IMPORT_DUE, ref: row.id, dueAt: tx.now });
    return representImport(row);
  }
}

const lineOf = (
  importId: string,
  columns: readonly string[],
  { line, cells }: CsvRecord,
): Omit<ImportLineRow, 'tenantId'> => {
  const tooMany = cells.length > columns.length;
  return {
    importId,
    line,
    cells: Object.fromEntries(columns.map((column, n) => [column, cells[n] ?? ''])),
    status: tooMany ? 'failed' : 'waiting',
    objectId: null,
    code: tooMany ? 'too_many_cells' : null,
    message: tooMany ? `The line has ${cells.length} cells, the header ${columns.length}.` : null,
    propertyPath: null,
  };
};

function recordsOf(text: string): CsvRecord[] {
  if (!isStorableText(text)) throw unreadable('The file has characters that are no text.');
  try {
    return readCsv(text, MAX_LINES + 1);
  } catch (error) {
    if (error instanceof TooManyRecords)
      throw new DomainError('payload_too_large', {
        kind: 'too_large',
        detail: `A file has at most ${MAX_LINES} lines.`,
      });
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
  const fileName = isStorableText(file.fileName) ? file.fileName.slice(0, 255) : null;
  try {
    return { fileName, text: new TextDecoder('utf-8', { fatal: true }).decode(content), dryRun: dryRun === 'true' };
  } catch {
    throw unreadable('The file is not UTF-8.');
  }
}

const tooLarge = (): DomainError =>
  new DomainError('payload_too_large', { kind: 'too_large', detail: 'The file may have at most 20 MiB.' });

function badField(name: string, what: string, code: string): DomainError {
  const message = `The field ${name} ${what}.`;
  const violations = [{ propertyPath: name, message, code }];
  return code === 'unknown_field'
    ? invalidRequest(message, violations, 'unknown_field')
    : invalidRequest(message, violations);
}
