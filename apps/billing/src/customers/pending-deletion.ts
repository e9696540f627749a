import {
  cancelDue,
  completeDue,
  Database,
  type DueBatch,
  DueHandler,
  scheduleDue,
  type TenantTx,
} from '@kontor/persistence';
import type { CustomerRow } from '../db/customer.row.js';
import * as tables from '../db/tables.js';
import { refusingWhileReferenced } from '../db/constraints.js';
import { withoutEffect } from '../db/without-effect.js';
import { addressesOf, lockCustomer, publishCustomer } from './customer-aggregate.js';

/** Due work: a customer stays whose deletion nobody has ended; the ref is its id. On real time. */
const PENDING_DELETION = 'billing.customer-deletion';
/** Longer than any deletion takes. */
const STAYS_AFTER_MS = 60_000;

type Versions = Pick<CustomerRow, 'version' | 'deletionVersion'>;

const isPending = ({ version, deletionVersion }: Versions): boolean => deletionVersion === version;

/** The last one that was published: that of a deletion is published with it, or never. */
export const publishedVersion = (customer: Versions): number => customer.version - (isPending(customer) ? 1 : 0);

/**
 * Gives the customer the version that it is deleted in, unless anything changes it before. Deletions at the same time share it.
 * @throws DomainError `not_found`, `customer_anonymized`, `customer_merged`, `in_use` while something here refers to it
 */
export async function beginDeletion(tx: TenantTx, id: string): Promise<number> {
  const { customer } = await lockCustomer(tx, id);
  if (isPending(customer)) return customer.version;
  await refusingWhileReferenced('customer', () => withoutEffect(tx, () => tables.customers.delete(tx, { id })));
  customer.version += 1;
  customer.deletionVersion = customer.version;
  await tables.customers.update(tx, customer, ['version', 'deletionVersion']);
  const dueAt = new Date(Date.now() + STAYS_AFTER_MS);
  await scheduleDue(tx, { kind: PENDING_DELETION, ref: id, dueAt, wall: true });
  return customer.version;
}

/** The customer is gone, or stays: nobody has to look after it. */
export const endDeletion = (tx: TenantTx, id: string): Promise<void> => cancelDue(tx, PENDING_DELETION, id);

/**
 * It stays as it is: with its next version, which is returned, it comes back to the services that have released it. Null where no deletion, or not
 * the one of `version`, is pending.
 */
export async function keepCustomer(tx: TenantTx, id: string, version?: number): Promise<number | null> {
  const customer = await tables.customers.get(tx, id, { lock: 'update' });
  if (!customer || !isPending(customer) || (version ?? customer.version) !== customer.version) return null;
  customer.version += 1;
  await tables.customers.update(tx, customer, ['version']);
  await publishCustomer(tx, { customer, addresses: await addressesOf(tx, id) }, []);
  return customer.version;
}

/** After a process died while it deleted a customer: nobody has heard that it is gone. */
@DueHandler({ kind: PENDING_DELETION })
export class KeepCustomers {
  constructor(private readonly database: Database) {}

  async handle(batch: DueBatch): Promise<void> {
    for (const item of batch.items)
      await this.database.tenant(batch.tenantId, async (tx) => {
        await keepCustomer(tx, item.ref);
        await completeDue(tx, PENDING_DELETION, item);
      });
  }
}
