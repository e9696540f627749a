import { createHash } from 'node:crypto';
import type { TenantTx } from '@kontor/persistence';
import { type ListQuery, listRows, page, type Page } from '@kontor/service-kit';
import { findCustomer } from '../customers/customer.read.js';
import type { ContactPersonRow } from '../db/contact.row.js';
import * as tables from '../db/tables.js';
import type { ContactPersonJson, CustomerEmailJson } from './contact.schema.js';

/** The id of an address of a customer, a UUID (version 8): it stays while the default changes, which is no row. */
export function customerEmailId(customerId: string, email: string): string {
  const hex = createHash('sha256')
    .update(JSON.stringify([customerId, email.toLowerCase()]))
    .digest('hex');
  const variant = ((Number.parseInt(hex.slice(16, 18), 16) & 0x3f) | 0x80).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(18, 20)}-${hex.slice(20, 32)}`;
}

export const representContact = (row: ContactPersonRow): ContactPersonJson => ({
  id: row.id,
  customerId: row.customerId,
  salutation: row.salutation,
  firstName: row.firstName,
  lastName: row.lastName,
  email: row.email,
  phone: row.phone,
  role: row.role,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
});

/** @throws DomainError `not_found` */
export async function listContacts(
  tx: TenantTx,
  customerId: string,
  list: ListQuery,
): Promise<Page<ContactPersonJson>> {
  await findCustomer(tx, customerId);
  const { rows, total } = await listRows(
    tx,
    { ...list, filters: { customer: [customerId] } },
    {
      table: tables.contactPersons,
      columns: { customer: { sql: 'customer_id', type: 'uuid' } },
      defaultOrder: 'created_at ASC, id ASC',
    },
  );
  return page(rows.map(representContact), total, list);
}

/** All addresses of a customer, the default one first. @throws DomainError `not_found` */
export async function listEmails(tx: TenantTx, customerId: string, list: ListQuery): Promise<Page<CustomerEmailJson>> {
  const { email } = await findCustomer(tx, customerId);
  const rows = await tables.customerEmails.find(tx, { customerId }, { orderBy: { createdAt: 'asc', id: 'asc' } });
  const id = customerEmailId(customerId, email);
  // An address that became the default with the customer's own fields is there once.
  const others = rows.filter((row) => row.id !== id);
  const all = [
    { id, customerId, email, default: true },
    ...others.map((row) => ({ id: row.id, customerId, email: row.email, default: false })),
  ];
  return page(all.slice((list.page - 1) * list.limit, list.page * list.limit), all.length, list);
}
