import { isUuid, notFound } from '@kontor/kernel';
import { searchedText, type TenantTx } from '@kontor/persistence';
import { isStorableText, type ListColumn, type ListQuery, listRows, page, type Page } from '@kontor/service-kit';
import type { AddressState } from '@kontor/contracts';
import * as tables from '../db/tables.js';
import type { CustomerRow } from '../db/customer.row.js';
import { customerSearch } from '../db/customer-search.js';
import { addressesByCustomer, addressesOf } from './customer-aggregate.js';
import { representAddress, representCustomer } from './represent-customer.js';
import type { CustomerJson } from './customer.schema.js';

/** A customer by its id, else by its externalId. @throws DomainError `not_found` */
export async function findCustomer(tx: TenantTx, reference: string): Promise<CustomerRow> {
  if (!isStorableText(reference)) throw notFound('Customer');
  const byId = isUuid(reference) ? await tables.customers.get(tx, reference) : null;
  const customer = byId ?? (await tables.customers.findOne(tx, { externalId: reference }));
  if (!customer) throw notFound('Customer');
  return customer;
}

export async function readCustomer(tx: TenantTx, reference: string): Promise<CustomerJson> {
  if (!isUuid(reference)) {
    const customer = await findCustomer(tx, reference);
    return representCustomer(customer, await addressesOf(tx, customer.id));
  }
  // Both are asked for at once: mostly the reference is the id.
  const [found, addresses] = await Promise.all([findCustomer(tx, reference), addressesOf(tx, reference)]);
  return representCustomer(found, found.id === reference ? addresses : await addressesOf(tx, found.id));
}

/** Customers as answers embed them, with the addresses of all in one query. */
export async function representCustomers(tx: TenantTx, customers: readonly CustomerRow[]): Promise<CustomerJson[]> {
  const addresses = await addressesByCustomer(
    tx,
    customers.map((customer) => customer.id),
  );
  return customers.map((customer) => representCustomer(customer, addresses(customer.id)));
}

/** Customers by id, in two queries; ids that are null or unknown are left out. */
export async function representCustomersById(
  tx: TenantTx,
  ids: readonly (string | null | undefined)[],
): Promise<Map<string, CustomerJson>> {
  const rows = await tables.customers.findByIds(
    tx,
    ids.filter((id) => typeof id === 'string'),
  );
  return new Map((await representCustomers(tx, rows)).map((json) => [json.id, json]));
}

const LIST_COLUMNS: Readonly<Record<string, string | ListColumn>> = {
  customerNumber: 'customer_number',
  externalId: 'external_id',
  email: 'email',
  companyName: 'company_name',
  lastName: 'last_name',
  status: 'status',
  createdAt: 'created_at',
  parentCustomerId: { sql: 'parent_customer_id', type: 'uuid' },
  customerGroupId: { sql: 'customer_group_id', type: 'uuid' },
  isParent: {
    sql: 'EXISTS (SELECT 1 FROM customer c WHERE c.tenant_id = t.tenant_id AND c.parent_customer_id = t.id)',
    type: 'when',
  },
  hasParent: { sql: 'parent_customer_id IS NOT NULL', type: 'when' },
};

/** One page of customers with their addresses, in four queries. */
export async function listCustomers(tx: TenantTx, list: ListQuery): Promise<Page<CustomerJson>> {
  const { rows, total } = await listRows(tx, list, {
    table: tables.customers,
    columns: LIST_COLUMNS,
    search: { ids: customerSearch.name, text: searchedText(customerSearch) },
  });
  return page(await representCustomers(tx, rows), total, list);
}

/** One page of a customer's addresses. @throws DomainError `not_found` */
export async function listAddresses(tx: TenantTx, customerId: string, list: ListQuery): Promise<Page<AddressState>> {
  await findCustomer(tx, customerId);
  const { rows, total } = await listRows(
    tx,
    { ...list, filters: { ...list.filters, customer: [customerId] } },
    {
      table: tables.customerAddresses,
      columns: {
        type: 'type',
        status: 'status',
        createdAt: 'created_at',
        customer: { sql: 'customer_id', type: 'uuid' },
      },
    },
  );
  return page(rows.map(representAddress), total, list);
}
