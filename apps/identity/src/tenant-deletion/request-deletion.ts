import { DomainError } from '@kontor/kernel';
import { Database, scheduleDue, type TenantTx } from '@kontor/persistence';
import { OPERATOR, requestContext, sandboxOnly } from '@kontor/service-kit';
import { Injectable } from '@nestjs/common';
import { recordAudit } from '../audit-log/record-audit.js';
import { type TenantDeletionRow, tenantDeletions } from '../db/tenant-deletion.row.js';
import type { TenantRow } from '../db/tenant.row.js';
import { eraseTime } from '../domain/tenant-deletion.js';
import { lockTenant, saveTenant, tenantNotice } from '../published-events.js';
import { representDeletion, type TenantDeletionJson } from './tenant-deletion.schema.js';

/** Due work: a tenant is closed, waits, and is taken away in all services; on the tenant's time. */
export const TENANT_DELETION = 'identity.tenant-deletion';

export interface DeletionRequest {
  /** Has to be that of the tenant. */
  readonly name: string;
  /** A sandbox is treated like a live tenant. */
  readonly asLive: boolean;
}

/**
 * Closes a tenant at once and has it deleted: a live one after a time in which it can be taken back, and of which stays what a law wants
 * kept; a sandbox at once and wholly. Asked again it answers how far it is.
 * @see docs/rules/tenants.md#deletion
 */
@Injectable()
export class RequestDeletion {
  constructor(private readonly db: Database) {}

  /** @throws DomainError `not_found`; `name_differs`; `operator_tenant`; `sandbox_only` */
  execute(tenantId: string, request: DeletionRequest): Promise<TenantDeletionJson> {
    return this.db.tenant(tenantId, async (tx) => {
      const tenant = await lockTenant(tx);
      await refuse(tx, tenant, request);
      const known = await tenantDeletions.findOne(tx, {});
      return representDeletion(known ?? (await begin(tx, tenant, tenant.mode === 'sandbox' && !request.asLive)));
    });
  }
}

async function begin(tx: TenantTx, tenant: TenantRow, wholly: boolean): Promise<TenantDeletionRow> {
  const actor = requestContext()?.actor;
  const row: TenantDeletionRow = {
    tenantId: tx.tenantId,
    status: 'closing',
    // An organisation that was suspended is so again when it is taken back.
    statusBefore: tenant.status === 'suspended' ? 'suspended' : 'active',
    wholly,
    requestedAt: tx.now,
    requestedBy: actor ? { kind: actor.kind, id: actor.id, name: actor.name ?? null } : null,
    eraseAt: eraseTime(tx.now, wholly),
    erasedAt: null,
    completedAt: null,
    parts: [],
  };
  await tenantDeletions.insert(tx, [row]);
  tenant.status = 'closed';
  await saveTenant(tx, tenant, [tenantNotice('tenant.deletion.requested', tenant)]);
  await recordAudit(tx, {
    type: 'tenant.deletion_requested',
    subject: { kind: 'tenant', id: tx.tenantId, name: tenant.name },
    metadata: { eraseAt: row.eraseAt.toISOString() },
  });
  await scheduleDue(tx, { kind: TENANT_DELETION, ref: tx.tenantId, dueAt: tx.now });
  return row;
}

async function refuse(tx: TenantTx, tenant: TenantRow, { name, asLive }: DeletionRequest): Promise<void> {
  if (name !== tenant.name)
    throw new DomainError('name_differs', {
      detail: 'The organisation is called otherwise: nothing is deleted.',
      violations: [{ propertyPath: 'name', message: 'This is not its name.', code: 'name_differs' }],
    });
  if (asLive && tenant.mode !== 'sandbox') throw sandboxOnly();
  const [operator] = await tx.query('SELECT FROM api_key WHERE tenant_id = $1 AND permissions ? $2 LIMIT 1', [
    tx.tenantId,
    OPERATOR,
  ]);
  if (operator)
    throw new DomainError('operator_tenant', {
      detail: 'The operator works with keys of this organisation: without it nobody could create others.',
    });
}
