import type { CustomerState } from '@kontor/contracts';
import type { CustomerAddressRow } from '../db/customer-address.row.js';
import type { CustomerRow } from '../db/customer.row.js';
import { defaultAddress } from '../domain/customers/addresses.js';
import type { AddressJson, CustomerJson } from './customer.schema.js';

/** An address as every answer shows it. */
export const representAddress = (address: CustomerAddressRow): AddressJson => ({
  id: address.id,
  type: address.type,
  default: address.isDefault,
  status: address.status,
  companyName: address.companyName,
  salutation: address.salutation,
  firstName: address.firstName,
  lastName: address.lastName,
  street: address.street,
  houseNumber: address.houseNumber,
  zip: address.zip,
  city: address.city,
  addition: address.addition,
  countryCode: address.countryCode,
  vatId: address.vatId,
  costCentre: address.costCentre,
});

/** A customer as GET answers it. The postal fields are those of its default TYPE_DEFAULT address. */
export function representCustomer(customer: CustomerRow, addresses: readonly CustomerAddressRow[]): CustomerJson {
  const postal = defaultAddress(addresses, 'TYPE_DEFAULT');
  return {
    ...ownFieldsOf(customer, addresses),
    street: postal?.street ?? null,
    houseNumber: postal?.houseNumber ?? null,
    zip: postal?.zip ?? null,
    city: postal?.city ?? null,
    addition: postal?.addition ?? null,
    invoicesTo: customer.invoicesTo,
    customerGroupId: customer.customerGroupId,
    createdAt: customer.createdAt.toISOString(),
    updatedAt: customer.updatedAt.toISOString(),
  };
}

/** What other services copy of a customer. */
export const customerState = (customer: CustomerRow, addresses: readonly CustomerAddressRow[]): CustomerState => ({
  ...ownFieldsOf(customer, addresses),
  anonymizedAt: customer.anonymizedAt?.toISOString() ?? null,
  settings: customer.settings,
  representation: representCustomer(customer, addresses),
});

/** What clients and services are shown alike. */
const ownFieldsOf = (customer: CustomerRow, addresses: readonly CustomerAddressRow[]) => ({
  id: customer.id,
  customerNumber: customer.customerNumber,
  externalId: customer.externalId,
  status: customer.status,
  email: customer.email,
  invoiceEmail: customer.invoiceEmail,
  phone: customer.phone,
  companyName: customer.companyName,
  firstName: customer.firstName,
  lastName: customer.lastName,
  language: customer.language,
  countryCode: customer.countryCode,
  currencyCode: customer.currencyCode,
  timeZone: customer.timeZone,
  vatId: customer.vatId,
  vatIdStatus: customer.vatIdStatus,
  accountingSystemId: customer.accountingSystemId,
  parentCustomerId: customer.parentCustomerId,
  mergedIntoCustomerId: customer.mergedIntoCustomerId,
  customFields: customer.customFields,
  addresses: addresses.map(representAddress),
});
