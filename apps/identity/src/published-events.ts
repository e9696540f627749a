import { type Notice, type NoticeType, tenantChangedV1 } from '@kontor/contracts';
import { notFound } from '@kontor/kernel';
import { appendEvent } from '@kontor/messaging';
import type { TenantTx } from '@kontor/persistence';
import { type TenantRow, tenants } from './db/tenant.row.js';
import { representTenant, type Tenant, tenantState } from './domain/tenant.js';

/**
 * Stores the tenant with its next version and publishes it, in this transaction. Lock the row before changing it.
 * Returns the tenant as stored.
 */
export async function saveTenant(tx: TenantTx, tenant: TenantRow, notices: Notice[]): Promise<Tenant> {
  tenant.version += 1n;
  await tenants.save(tx, tenant);
  await appendEvent(tx, tenantChangedV1, {
    aggregateId: tenant.tenantId,
    aggregateSeq: Number(tenant.version),
    payload: {
      id: tenant.tenantId,
      version: Number(tenant.version),
      deleted: false,
      state: tenantState(tenant),
      notices,
    },
  });
  return tenant;
}

/** The tenant's row, locked: the aggregate of all that identity publishes. @throws DomainError `not_found` */
export async function lockTenant(tx: TenantTx): Promise<TenantRow> {
  const tenant = await tenants.findOne(tx, {}, { lock: 'update' });
  if (!tenant) throw notFound('The tenant');
  return tenant;
}

/** An entry of the tenant's activity log that is not sent as a webhook. */
export const activity = (type: NoticeType, objectId: string, metadata: Record<string, unknown>): Notice => ({
  type,
  objectId,
  data: null,
  customerId: null,
  activity: { metadata },
});

/** A webhook and an entry of the activity log about the tenant as it is now. */
export const tenantNotice = (type: NoticeType, tenant: Tenant): Notice => ({
  type,
  objectId: tenant.tenantId,
  data: { tenant: representTenant(tenant) },
  customerId: null,
  activity: { metadata: {} },
});
