import { Injectable } from '@nestjs/common';
import { isCurrency } from '@kontor/money';
import { invariant } from '@kontor/kernel';
import type { TenantTx } from '@kontor/persistence';
import type { TenantRow } from '../db/tenant.row.js';
import type { Tenant } from '../domain/tenant.js';
import { activity, saveTenant } from '../published-events.js';

export interface NewTenant {
  readonly name: string;
  readonly mode: 'live' | 'sandbox';
  readonly plan: 'standard' | 'enterprise';
  readonly features: readonly string[];
}

/** Creates the tenant of the transaction: Berlin time and euros until it says otherwise. */
@Injectable()
export class CreateTenant {
  async execute(tx: TenantTx, request: NewTenant): Promise<Tenant> {
    const tenant: TenantRow = {
      tenantId: tx.tenantId,
      version: 0n,
      name: request.name,
      mode: request.mode,
      status: 'active',
      plan: request.plan,
      features: [...new Set(request.features)],
      timeZone: 'Europe/Berlin',
      currencyCode: 'EUR',
      createdAt: tx.now,
    };
    invariant(isCurrency(tenant.currencyCode), 'a tenant has a currency');
    return saveTenant(tx, tenant, [activity('tenant.created', tx.tenantId, { name: request.name })]);
  }
}
