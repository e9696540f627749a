import { Injectable } from '@nestjs/common';
import { Database } from '@kontor/persistence';
import { ReplicaFreshness } from '@kontor/service-kit';
import { lockCustomer, saveCustomer } from './customer-aggregate.js';
import { representCustomer } from './represent-customer.js';
import type { CustomerJson } from './customer.schema.js';

/**
 * Archives a customer, who then gets no new subscriptions and invoices, or unarchives it. Repeating it changes nothing.
 * @throws DomainError `not_found`
 */
@Injectable()
export class ArchiveCustomer {
  constructor(
    private readonly database: Database,
    private readonly freshness: ReplicaFreshness,
  ) {}

  async execute(tenantId: string, id: string, archived: boolean): Promise<CustomerJson> {
    const { json, version } = await this.database.tenant(tenantId, async (tx) => {
      const aggregate = await lockCustomer(tx, id);
      const { customer } = aggregate;
      const status = archived ? 'STATUS_ARCHIVED' : 'STATUS_ACTIVE';
      if ((customer.status === 'STATUS_ARCHIVED') === archived) {
        return { json: representCustomer(customer, aggregate.addresses), version: customer.version };
      }
      customer.status = status;
      const saved = await saveCustomer(tx, aggregate, [
        { type: archived ? 'customer.archived' : 'customer.unarchived' },
      ]);
      return { json: saved, version: customer.version };
    });
    await this.freshness.copied('customer', tenantId, id, version);
    return json;
  }
}
