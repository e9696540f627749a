import { invalidTransition } from '@kontor/kernel';
import { Database } from '@kontor/persistence';
import { ReplicaFreshness } from '@kontor/service-kit';
import { Injectable } from '@nestjs/common';
import { lockCustomer, saveCustomer } from '../customers/customer-aggregate.js';
import type { CustomerJson } from '../customers/customer.schema.js';
import { representCustomer } from '../customers/represent-customer.js';
import { announceOfCustomer } from '../entitlements/sync-entitlements.js';

/**
 * Suspends a customer, or lifts that: meanwhile it gets no new subscription and may use nothing of what it is entitled to; what
 * runs goes on and is billed. Repeating it changes nothing.
 * @see docs/rules/customers.md#suspending
 * @throws DomainError `not_found`, `invalid_status_transition` for an archived customer
 */
@Injectable()
export class SuspendCustomer {
  constructor(
    private readonly database: Database,
    private readonly freshness: ReplicaFreshness,
  ) {}

  async execute(tenantId: string, id: string, suspended: boolean): Promise<CustomerJson> {
    const { json, version } = await this.database.tenant(tenantId, async (tx) => {
      const aggregate = await lockCustomer(tx, id);
      const { customer, addresses } = aggregate;
      const from = customer.status;
      const to = suspended ? 'STATUS_SUSPENDED' : 'STATUS_ACTIVE';
      if (from === 'STATUS_ARCHIVED')
        throw invalidTransition('customer', 'archived', suspended ? 'suspend' : 'unsuspend');
      if (from === to) return { json: representCustomer(customer, addresses), version: customer.version };
      customer.status = to;
      const saved = await saveCustomer(tx, aggregate, [
        { type: 'customer.updated', metadata: { changed: ['status'], from, to } },
      ]);
      await announceOfCustomer(tx, id);
      return { json: saved, version: customer.version };
    });
    await this.freshness.copied('customer', tenantId, id, version);
    return json;
  }
}
