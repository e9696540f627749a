import { DomainError, storable } from '@kontor/kernel';
import type { NewRow, TenantTx } from '@kontor/persistence';
import { type UsageImportRow, usageImports } from './usage-import.row.js';
import type { ImportProgress } from './import-progress.js';
import type { UsageImportJson } from './import.schema.js';
import type { ImportFormat } from './read-records.js';

/**
 * A running import reports each second; one without a report for so long was interrupted with its process. Where the
 * process lives after all (it stood still), its next report finds another attempt, and it ends: events count once
 * either way.
 */
const REPORT_TIMEOUT_SECONDS = 6;

const STORED = `${usageImports.select}, extract(epoch FROM now() - updated_at)::float8 AS "secondsSinceReport"`;

export type StoredImport = Omit<UsageImportRow, 'tenantId'>;

/** As it is stored, with the time since its last report. */
type ReadImport = UsageImportRow & { readonly secondsSinceReport: number };

/** A running import that has stopped reporting was interrupted. */
const current = ({ secondsSinceReport, ...row }: ReadImport): StoredImport =>
  row.status === 'running' && secondsSinceReport > REPORT_TIMEOUT_SECONDS ? { ...row, status: 'interrupted' } : row;

export async function findImport(tx: TenantTx, id: string): Promise<StoredImport | undefined> {
  const [row] = await tx.query<ReadImport>(`SELECT ${STORED} FROM usage_import WHERE tenant_id = $1 AND id = $2`, [
    tx.tenantId,
    id,
  ]);
  return row && current(row);
}

/** The latest imports. */
export async function listImports(tx: TenantTx, limit: number): Promise<StoredImport[]> {
  const rows = await tx.query<ReadImport>(
    `SELECT ${STORED} FROM usage_import WHERE tenant_id = $1 ORDER BY created_at DESC, id DESC LIMIT $2`,
    [tx.tenantId, limit],
  );
  return rows.map(current);
}

/**
 * Begins an upload under this id, or begins it anew after an interrupted one; a completed one is returned as it is.
 * @throws DomainError 409 `import_in_progress` while another upload under this id is running.
 */
export async function beginImport(tx: TenantTx, id: string, format: ImportFormat): Promise<StoredImport> {
  await usageImports.insertMissing(tx, newImport(tx, id, format));
  const [row] = await tx.query<ReadImport>(
    `SELECT ${STORED} FROM usage_import WHERE tenant_id = $1 AND id = $2 FOR UPDATE`,
    [tx.tenantId, id],
  );
  const { status } = current(row!);
  if (status === 'completed') return current(row!);
  if (status === 'running')
    throw new DomainError('import_in_progress', {
      kind: 'conflict',
      detail: 'An upload under this id is running.',
      retryAfterSeconds: Math.max(1, Math.ceil(REPORT_TIMEOUT_SECONDS - row!.secondsSinceReport)),
    });
  const [begun] = await tx.query<UsageImportRow>(
    `UPDATE usage_import SET attempt = attempt + 1, format = $3, status = 'running',
       bytes = 0, lines = 0, ingested = 0, duplicates = 0, failed = 0, errors = '[]',
       updated_at = now(), finished_at = NULL
     WHERE tenant_id = $1 AND id = $2
     RETURNING ${usageImports.select}`,
    [tx.tenantId, id, format],
  );
  return begun!;
}

/** Not begun yet: the first attempt counts it up. */
const newImport = (tx: TenantTx, id: string, format: ImportFormat): NewRow<UsageImportRow> => ({
  id,
  attempt: 0,
  format,
  status: 'interrupted',
  bytes: 0n,
  lines: 0n,
  ingested: 0n,
  duplicates: 0n,
  failed: 0n,
  errors: [],
  digest: null,
  createdAt: tx.now,
  updatedAt: new Date(),
  finishedAt: null,
});

/**
 * How far this upload is, or how it ended. @throws DomainError 409 `import_in_progress` when another one has replaced
 * it.
 */
export async function saveProgress(
  tx: TenantTx,
  { id, attempt }: Pick<StoredImport, 'id' | 'attempt'>,
  progress: ImportProgress,
  status: UsageImportRow['status'],
  digest: string | null = null,
): Promise<StoredImport> {
  const { bytes, lines, ingested, duplicates, failed, errors } = progress;
  const saved = await tx.query<UsageImportRow>(
    `UPDATE usage_import SET status = $4, bytes = $5, lines = $6, ingested = $7, duplicates = $8, failed = $9,
       errors = $10, digest = $11, updated_at = now(), finished_at = CASE WHEN $4 = 'running' THEN NULL ELSE now() END
     WHERE tenant_id = $1 AND id = $2 AND attempt = $3
     RETURNING ${usageImports.select}`,
    [tx.tenantId, id, attempt, status, bytes, lines, ingested, duplicates, failed, jsonOf(errors), digest],
  );
  if (!saved[0])
    throw new DomainError('import_in_progress', {
      kind: 'conflict',
      detail: 'Another upload under this id has begun.',
    });
  return saved[0];
}

/** An import as answers show it. */
export const representImport = (row: StoredImport): UsageImportJson => ({
  id: row.id,
  status: row.status,
  format: row.format,
  bytes: Number(row.bytes),
  lines: Number(row.lines),
  ingested: Number(row.ingested),
  duplicates: Number(row.duplicates),
  failed: Number(row.failed),
  errors: row.errors,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
  finishedAt: row.finishedAt?.toISOString() ?? null,
});

/** Errors cite the file, which may have escapes of what is no text, and cut what is long. */
const jsonOf = (errors: ImportProgress['errors']): string =>
  JSON.stringify(errors, (_name, value: unknown) => (typeof value === 'string' ? storable(value) : value));
