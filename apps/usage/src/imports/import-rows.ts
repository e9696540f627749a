import { DomainError } from '@kontor/kernel';
import type { TenantTx } from '@kontor/persistence';
import type { UsageImportRow } from '../db/usage-import.row.js';
import type { ImportProgress } from './import-progress.js';
import type { ImportFormat } from './read-records.js';

/**
 * A running import tells so each second; one that was silent for so long was broken off with its process. Where it lives after all (a
 * process that stood still), its next word finds the attempt taken, and it ends: events count once either way.
 */
const SILENCE_SECONDS = 6;

const COLUMNS = `id, attempt, format, bytes, lines, ingested, duplicates, failed, errors, created_at AS "createdAt", updated_at AS "updatedAt",
  finished_at AS "finishedAt",
  CASE WHEN status = 'running' AND updated_at < now() - interval '${SILENCE_SECONDS} seconds' THEN 'interrupted' ELSE status END AS status`;

export type StoredImport = Omit<UsageImportRow, 'tenantId'>;

export async function findImport(tx: TenantTx, id: string): Promise<StoredImport | undefined> {
  return (await tx.query<StoredImport>(`SELECT ${COLUMNS} FROM usage_import WHERE tenant_id = $1 AND id = $2`, [tx.tenantId, id]))[0];
}

/** The latest imports. */
export const listImports = (tx: TenantTx, limit: number): Promise<StoredImport[]> =>
  tx.query<StoredImport>(`SELECT ${COLUMNS} FROM usage_import WHERE tenant_id = $1 ORDER BY created_at DESC, id DESC LIMIT $2`, [tx.tenantId, limit]); // prettier-ignore

/**
 * Begins an upload under this id, or begins it anew after one that broke off; a completed one comes back as it is.
 * @throws DomainError 409 `import_in_progress` while another upload under this id is running.
 */
export async function beginImport(tx: TenantTx, id: string, format: ImportFormat): Promise<StoredImport> {
  await tx.query(
    `INSERT INTO usage_import (tenant_id, id, attempt, format, status, created_at) VALUES ($1, $2, 0, $3, 'interrupted', $4)
     ON CONFLICT DO NOTHING`,
    [tx.tenantId, id, format, tx.now],
  );
  const [row] = await tx.query<StoredImport & { silentIn: number }>(
    `SELECT ${COLUMNS}, greatest(1, ceil(extract(epoch FROM updated_at - now())::float8 + ${SILENCE_SECONDS})) AS "silentIn"
     FROM usage_import WHERE tenant_id = $1 AND id = $2 FOR UPDATE`,
    [tx.tenantId, id],
  );
  if (row!.status === 'completed') return row!;
  if (row!.status === 'running')
    throw new DomainError('import_in_progress', { status: 409, detail: 'An upload under this id is running.', retryAfterSeconds: row!.silentIn }); // prettier-ignore
  const begun = await tx.query<StoredImport>(
    `UPDATE usage_import SET attempt = attempt + 1, format = $3, status = 'running', bytes = 0, lines = 0, ingested = 0, duplicates = 0, failed = 0,
       errors = '[]', updated_at = now(), finished_at = NULL
     WHERE tenant_id = $1 AND id = $2 RETURNING ${COLUMNS}`,
    [tx.tenantId, id, format],
  );
  return begun[0]!;
}

/** How far this upload is, or how it ended. @throws DomainError 409 `import_in_progress` when another one has taken its place. */
export async function saveProgress(
  tx: TenantTx,
  { id, attempt }: Pick<StoredImport, 'id' | 'attempt'>,
  progress: ImportProgress,
  status: UsageImportRow['status'],
): Promise<StoredImport> {
  const { bytes, lines, ingested, duplicates, failed, errors } = progress;
  const saved = await tx.query<StoredImport>(
    `UPDATE usage_import SET status = $4, bytes = $5, lines = $6, ingested = $7, duplicates = $8, failed = $9, errors = $10, updated_at = now(),
       finished_at = CASE WHEN $4 = 'running' THEN NULL ELSE now() END
     WHERE tenant_id = $1 AND id = $2 AND attempt = $3 RETURNING ${COLUMNS}`,
    [tx.tenantId, id, attempt, status, bytes, lines, ingested, duplicates, failed, JSON.stringify(errors)],
  );
  if (!saved[0]) throw new DomainError('import_in_progress', { status: 409, detail: 'Another upload under this id has begun.' });
  return saved[0];
}

/** An import as answers show it. */
export const representImport = (row: StoredImport) => ({
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
