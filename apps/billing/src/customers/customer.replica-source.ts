import { isUuid } from '@kontor/kernel';
import type { TenantTx } from '@kontor/persistence';
import { type OwnedObject, type ReplicaProvider, ReplicaSource } from '@kontor/service-kit';
import * as tables from '../db/tables.js';
import { rowsAfter } from '../db/rows-after.js';
import { addressesByCustomer, addressesOf } from './customer-aggregate.js';
import { publishedVersion } from './pending-deletion.js';
import { customerState } from './represent-customer.js';

/** Customers for the services that copy them. */
@ReplicaSource('customer')
export class CustomerSource implements ReplicaProvider {
  async fetch(tx: TenantTx, id: string): Promise<{ version: number; data: unknown } | null> {
    const customer = isUuid(id) ? await tables.customers.get(tx, id) : null;
    return (
      customer && { version: publishedVersion(customer), data: customerState(customer, await addressesOf(tx, id)) }
    );
  }

  async page(tx: TenantTx, after: string | null, limit: number): Promise<OwnedObject[]> {
    const customers = await rowsAfter(tx, tables.customers, after, limit);
    const addresses = await addressesByCustomer(
      tx,
      customers.map((customer) => customer.id),
    );
    return customers.map((customer) => ({
      id: customer.id,
      version: publishedVersion(customer),
      data: customerState(customer, addresses(customer.id)),
    }));
  }
}
