import { Injectable } from '@nestjs/common';
import { Database } from '@kontor/persistence';
import type { Tenant } from '../domain/tenant.js';
import { activity, lockTenant, saveTenant } from '../published-events.js';

/**
 * Suspends a tenant, or ends that. Nobody gets in to a suspended one: keys, customers and apps are refused within a second. What
 * is due goes on: invoices are finalized and money is booked.
 */
@Injectable()
export class SetTenantStatus {
  constructor(private readonly db: Database) {}

  /** Setting what is already so changes nothing. @throws DomainError `not_found` */
  execute(tenantId: string, status: Tenant['status']): Promise<Tenant> {
    return this.db.tenant(tenantId, async (tx) => {
      const tenant = await lockTenant(tx);
      if (tenant.status === status) return tenant;
      tenant.status = status;
      return saveTenant(tx, tenant, [activity('tenant.updated', tx.tenantId, { status })]);
    });
  }
}
