import { DomainError, notFound } from '@kontor/kernel';
import { Database, scheduleDue } from '@kontor/persistence';
import { Injectable } from '@nestjs/common';
import { recordAudit } from '../audit-log/record-audit.js';
import { type TenantDeletionRow, tenantDeletions } from '../db/tenant-deletion.row.js';
import { isRevocable } from '../domain/tenant-deletion.js';
import { lockTenant } from '../published-events.js';
import { TENANT_DELETION } from './request-deletion.js';

/** Takes a deletion back while nothing is gone; the tenant is open again a moment later, and does what became due meanwhile. */
@Injectable()
export class RevokeDeletion {
  constructor(private readonly db: Database) {}

  /** @throws DomainError `not_found` where none was asked for; `deletion_began` when something may be gone */
  execute(tenantId: string): Promise<TenantDeletionRow> {
    return this.db.tenant(tenantId, async (tx) => {
      const row = await tenantDeletions.findOne(tx, {}, { lock: 'update' });
      if (!row) throw notFound('The deletion');
      if (row.status === 'revoking') return row;
      if (!isRevocable(row.status) || row.eraseAt <= tx.now)
        throw new DomainError('deletion_began', { detail: 'The deletion has begun: it cannot be taken back.' });
      const tenant = await lockTenant(tx);
      row.status = 'revoking';
      await tenantDeletions.update(tx, row);
      await recordAudit(tx, {
        type: 'tenant.deletion_revoked',
        subject: { kind: 'tenant', id: tx.tenantId, name: tenant.name },
      });
      await scheduleDue(tx, { kind: TENANT_DELETION, ref: tx.tenantId, dueAt: tx.now });
      return row;
    });
  }
}
