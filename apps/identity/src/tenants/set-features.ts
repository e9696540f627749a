import { Injectable } from '@nestjs/common';
import type { TenantTx } from '@kontor/persistence';
import type { Tenant } from '../domain/tenant.js';
import { recordAudit } from '../audit-log/record-audit.js';
import { activity, lockTenant, saveTenant } from '../published-events.js';

/** Replaces the tenant's list of features. @throws DomainError `not_found` */
@Injectable()
export class SetFeatures {
  async execute(tx: TenantTx, features: readonly string[]): Promise<Tenant> {
    const tenant = await lockTenant(tx);
    const before = tenant.features;
    tenant.features = [...new Set(features)];
    await recordAudit(tx, {
      type: 'tenant.features_changed',
      subject: { kind: 'tenant', id: tx.tenantId, name: tenant.name },
      metadata: { before, after: tenant.features },
    });
    return saveTenant(tx, tenant, [activity('tenant.updated', tx.tenantId, { features: tenant.features })]);
  }
}
