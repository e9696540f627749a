import { notFound } from '@kontor/kernel';
import type { Database } from '@kontor/persistence';
import { type TenantDeletionRow, tenantDeletions } from '../db/tenant-deletion.row.js';

/** @throws DomainError `not_found` where none was asked for */
export async function readDeletion(db: Database, tenantId: string): Promise<TenantDeletionRow> {
  const row = await db.tenant(tenantId, (tx) => tenantDeletions.findOne(tx, {}), { readOnly: true });
  if (!row) throw notFound('The deletion');
  return row;
}
