import { customerChangedV1, type Notice, type NoticeType } from '@kontor/contracts';
import { DomainError, notFound } from '@kontor/kernel';
import { appendEvents } from '@kontor/messaging';
import type { TenantTx } from '@kontor/persistence';
import { customerAnonymized, customerMerged } from '@kontor/service-kit';
import * as tables from '../db/tables.js';
import type { CustomerAddressRow } from '../db/customer-address.row.js';
import type { CustomerRow } from '../db/customer.row.js';
import { customerState, representCustomer } from './represent-customer.js';
import type { CustomerJson } from './customer.schema.js';

/** A customer and its addresses: changed together, under the customer's lock, with one event per change. */
export interface CustomerAggregate {
  readonly customer: CustomerRow;
  readonly addresses: CustomerAddressRow[];
}

/** A public consequence of a change; `activity` alone is an entry in the log without a webhook. */
export interface CustomerNotice {
  readonly type: NoticeType;
  readonly metadata?: Record<string, unknown>;
}

/** The event's 256 KiB hold the representation once for the copies and once per notice. */
const MAX_REPRESENTATION_BYTES = 40_000;

const IN_ORDER = { createdAt: 'asc', id: 'asc' } as const;

export const addressesOf = (tx: TenantTx, customerId: string): Promise<CustomerAddressRow[]> =>
  tables.customerAddresses.find(tx, { customerId }, { orderBy: IN_ORDER });

/** Addresses of many customers, by customer, in one query. */
export async function addressesByCustomer(
  tx: TenantTx,
  customerIds: readonly string[],
): Promise<(customerId: string) => CustomerAddressRow[]> {
  const byCustomer = new Map<string, CustomerAddressRow[]>(customerIds.map((id) => [id, []]));
  if (customerIds.length > 0) {
    const addresses = await tables.customerAddresses.find(
      tx,
      { customerId: [...byCustomer.keys()] },
      { orderBy: IN_ORDER },
    );
    for (const address of addresses) byCustomer.get(address.customerId)?.push(address);
  }
  return (customerId) => byCustomer.get(customerId) ?? [];
}

/**
 * Loads a customer with its addresses and locks it until the transaction ends.
 * @throws DomainError `not_found`, `customer_anonymized`, `customer_merged`
 */
export async function lockCustomer(tx: TenantTx, id: string): Promise<CustomerAggregate> {
  const aggregate = await lockMergedCustomer(tx, id);
  const { mergedIntoCustomerId } = aggregate.customer;
  if (mergedIntoCustomerId) throw customerMerged(mergedIntoCustomerId);
  return aggregate;
}

/** {@link lockCustomer}, of one that was merged too. @throws DomainError `not_found`, `customer_anonymized` */
export async function lockMergedCustomer(tx: TenantTx, id: string): Promise<CustomerAggregate> {
  const customer = await tables.customers.get(tx, id, { lock: 'update' });
  if (!customer) throw notFound('Customer');
  if (customer.anonymizedAt) throw customerAnonymized();
  return { customer, addresses: await addressesOf(tx, id) };
}

/** The address with its customer, both locked. @throws DomainError `not_found` */
export async function lockCustomerOfAddress(
  tx: TenantTx,
  addressId: string,
): Promise<CustomerAggregate & { address: CustomerAddressRow }> {
  const found = await tables.customerAddresses.get(tx, addressId);
  if (!found) throw notFound('Address');
  const aggregate = await lockCustomer(tx, found.customerId);
  const address = aggregate.addresses.find((row) => row.id === addressId);
  if (!address) throw notFound('Address');
  return { ...aggregate, address };
}

/** Stores the customer with its next version and publishes it. Address rows are stored by their own use cases. */
export async function saveCustomer(
  tx: TenantTx,
  { customer, addresses }: CustomerAggregate,
  notices: readonly CustomerNotice[],
): Promise<CustomerJson> {
  customer.version += 1;
  customer.updatedAt = tx.now;
  await tables.customers.update(tx, customer);
  return publishCustomer(tx, { customer, addresses }, notices);
}

/**
 * Appends the customer's event in its present version.
 * @throws DomainError `customer_too_large` when addresses and custom fields together exceed what an event carries.
 */
export async function publishCustomer(
  tx: TenantTx,
  aggregate: CustomerAggregate,
  notices: readonly CustomerNotice[],
): Promise<CustomerJson> {
  refuseTooLarge(aggregate);
  const [published] = await publishCustomers(tx, [{ ...aggregate, notices }]);
  return published!;
}

/** Appends the events of several customers, none of which is too large. */
export async function publishCustomers(
  tx: TenantTx,
  changes: readonly (CustomerAggregate & { readonly notices: readonly CustomerNotice[] })[],
): Promise<CustomerJson[]> {
  const published = changes.map((change) => ({
    ...change,
    representation: representCustomer(change.customer, change.addresses),
  }));
  await appendEvents(
    tx,
    customerChangedV1,
    published.map(({ customer, addresses, representation, notices }) => ({
      aggregateId: customer.id,
      aggregateSeq: customer.version,
      payload: {
        id: customer.id,
        version: customer.version,
        deleted: false,
        state: customerState(customer, addresses),
        notices: notices.map((notice) => toNotice(customer.id, representation, notice)),
      },
    })),
  );
  return published.map(({ representation }) => representation);
}

/** @throws DomainError `customer_too_large` */
export function refuseTooLarge({ customer, addresses }: CustomerAggregate): void {
  const bytes = Buffer.byteLength(JSON.stringify(representCustomer(customer, addresses)));
  if (bytes <= MAX_REPRESENTATION_BYTES) return;
  throw new DomainError('customer_too_large', {
    detail: `Addresses and custom fields of a customer have at most ${MAX_REPRESENTATION_BYTES} bytes.`,
  });
}

const toNotice = (customerId: string, customer: CustomerJson, { type, metadata }: CustomerNotice): Notice => ({
  type,
  objectId: customerId,
  data: { customer },
  customerId,
  activity: { metadata: metadata ?? {} },
});
