import type { AddressState, CustomerState } from '@kontor/contracts';

/** The recipient's address as frozen on the document (`invoiceAddress`). */
export type InvoiceAddress = AddressState;

/**
 * The address of a document: the named one, else the customer's default invoice address, else its default address.
 * Null when there is none. A named address that is gone (archived ones stay usable) falls back to the default.
 */
export function addressFor(customer: CustomerState, invoiceAddressId: string | null): InvoiceAddress | null {
  const usable = (type: string) =>
    customer.addresses.find((a) => a.type === type && a.default && a.status === 'active');
  const named = invoiceAddressId === null ? undefined : customer.addresses.find((a) => a.id === invoiceAddressId);
  const address = named ?? usable('TYPE_INVOICE') ?? usable('TYPE_DEFAULT');
  return address ? withNames(address, customer) : null;
}

/** An address without any name gets the customer's. */
function withNames(address: AddressState, customer: CustomerState): InvoiceAddress {
  if (address.companyName || address.lastName) return address;
  return { ...address, companyName: customer.companyName, firstName: customer.firstName, lastName: customer.lastName };
}

/** True when a letter could be delivered: name, street, postcode, city, country. @see § 14 (4) no. 1 UStG */
export const isAddressComplete = (address: InvoiceAddress | null): address is InvoiceAddress =>
  Boolean(
    address &&
    (address.companyName || address.lastName) &&
    address.street &&
    address.zip &&
    address.city &&
    address.countryCode,
  );

/** The VAT id that the document shows: the address's, else the customer's. */
export const vatIdOf = (customer: CustomerState, address: InvoiceAddress | null): string | null =>
  address?.vatId ?? customer.vatId;

/** Lines of the name in the address window: the company, then the person. */
export function nameLines(address: InvoiceAddress): string[] {
  const person = personOf(address);
  return [address.companyName, person].filter((line): line is string => Boolean(line));
}

export function personOf(address: InvoiceAddress): string | null {
  const name = [address.firstName, address.lastName].filter(Boolean).join(' ');
  if (!name) return null;
  const salutation = address.salutation && address.salutation !== 'Firma' ? `${address.salutation} ` : '';
  return salutation + name;
}
