import { Injectable } from '@nestjs/common';
import { Database } from '@kontor/persistence';
import { tenantClosed } from '@kontor/service-kit';
import { recordAudit } from '../audit-log/record-audit.js';
import type { Tenant } from '../domain/tenant.js';
import { activity, lockTenant, saveTenant } from '../published-events.js';

/**
 * Suspends a tenant, or ends that. Nobody gets in to a suspended one: keys, customers and apps are refused within a second. What
 * is due goes on: invoices are finalized and money is booked.
 */
@Injectable()
export class SetTenantStatus {
  constructor(private readonly db: Database) {}

  /** Setting what is already so changes nothing. @throws DomainError `not_found`, `tenant_closed` */
  execute(tenantId: string, status: 'active' | 'suspended'): Promise<Tenant> {
    return this.db.tenant(tenantId, async (tx) => {
      const tenant = await lockTenant(tx);
      if (tenant.status === status) return tenant;
      if (tenant.status === 'closed') throw tenantClosed();
      tenant.status = status;
      await recordAudit(tx, {
        type: status === 'suspended' ? 'tenant.suspended' : 'tenant.resumed',
        subject: { kind: 'tenant', id: tenantId, name: tenant.name },
      });
      return saveTenant(tx, tenant, [activity('tenant.updated', tx.tenantId, { status })]);
    });
  }
}
