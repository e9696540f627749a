import { isUuid } from '@kontor/kernel';
import type { TenantTx } from '@kontor/persistence';
import { type OwnedObject, type ReplicaProvider, ReplicaSource } from '@kontor/service-kit';
import { MoreThan } from 'typeorm';
import { CustomerRow } from '../db/customer.row.js';
import { addressesByCustomer, addressesOf } from './customer-aggregate.js';
import { customerState } from './represent-customer.js';

/** Customers for the services that copy them. */
@ReplicaSource('customer')
export class CustomerSource implements ReplicaProvider {
  async fetch(tx: TenantTx, id: string): Promise<{ version: number; data: unknown } | null> {
    const customer = isUuid(id) ? await tx.manager.findOneBy(CustomerRow, { tenantId: tx.tenantId, id }) : null;
    return customer && { version: customer.version, data: customerState(customer, await addressesOf(tx, id)) };
  }

  async page(tx: TenantTx, after: string | null, limit: number): Promise<OwnedObject[]> {
    const where = { tenantId: tx.tenantId, ...(after === null ? {} : { id: MoreThan(after) }) };
    const customers = await tx.manager.find(CustomerRow, { where, order: { id: 'ASC' }, take: limit });
    const addresses = await addressesByCustomer(tx, customers.map((customer) => customer.id)); // prettier-ignore
    return customers.map((customer) => ({
      id: customer.id,
      version: customer.version,
      data: customerState(customer, addresses(customer.id)),
    }));
  }
}
