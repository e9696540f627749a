import { languageOfCountry, validationFailed } from '@kontor/kernel';
import { Injectable } from '@nestjs/common';
import { Database, Replicas, type TenantTx } from '@kontor/persistence';
import { ReplicaFreshness } from '@kontor/service-kit';
import * as tables from '../db/tables.js';
import { refusingDuplicates } from '../db/constraints.js';
import type { CustomerRow } from '../db/customer.row.js';
import { defaultAddress, followedFields, hasPostalFields, isMove } from '../domain/customers/addresses.js';
import { changedKeys } from '../domain/settings/billing-settings.js';
import { FALLBACK_CURRENCY, tenantOf } from '../settings/tenant.js';
import { startVatCheck } from './check-vat-id.js';
import { addressFromCustomer } from './create-customer.js';
import { type CustomerAggregate, type CustomerNotice, lockCustomer, saveCustomer } from './customer-aggregate.js';
import { checkCustomerInput, customFieldsOfCustomers, type CustomerInput, ownFields } from './customer-input.js';
import { textOrNull } from '../fields.js';
import { paysForOthers } from './payers.js';
import { representCustomer } from './represent-customer.js';
import type { CustomerJson } from './customer.schema.js';

/** Names of the unique constraints of customers and the properties that they protect. */
export const CUSTOMER_CONSTRAINTS = {
  customer_number_unique: 'customerNumber',
  customer_external_id_unique: 'externalId',
};

/**
 * Replaces a customer's own fields (omitted ones get their default; the number stays). The fields of its address, the
 * country too, are replaced together when street, zip or city is sent; otherwise all of them stay. Names follow there while
 * they are the customer's own.
 * @see docs/rules/customers.md#fields
 * @throws DomainError `not_found`, `validation_failed`, `already_exists`
 */
@Injectable()
export class ChangeCustomer {
  constructor(
    private readonly database: Database,
    private readonly replicas: Replicas,
    private readonly freshness: ReplicaFreshness,
  ) {}

  async execute(tenantId: string, id: string, input: CustomerInput): Promise<CustomerJson> {
    const { json, version } = await refusingDuplicates(CUSTOMER_CONSTRAINTS, () =>
      this.database.tenant(tenantId, (tx) => this.change(tx, id, input)),
    );
    await this.freshness.copied('customer', tenantId, id, version);
    return json;
  }

  private async change(
    tx: TenantTx,
    id: string,
    input: CustomerInput,
  ): Promise<{ json: CustomerJson; version: number }> {
    const aggregate = await lockCustomer(tx, id);
    checkCustomerInput(input, await customFieldsOfCustomers(tx));
    const { customer, addresses } = aggregate;
    const before = { ...customer } as CustomerRow;
    const shown = representCustomer(customer, addresses);
    const tenant = await tenantOf(tx, this.replicas);

    const fields = ownFields(input, tenant?.currencyCode ?? FALLBACK_CURRENCY);
    if (keepsCountry(aggregate, input)) fields.countryCode = customer.countryCode;
    if (fields.currencyCode !== customer.currencyCode) await refuseOtherCurrency(tx, customer);
    Object.assign(customer, fields, {
      customerNumber: textOrNull(input.customerNumber) ?? customer.customerNumber,
      language: textOrNull(input.language) ?? languageOfCountry(fields.countryCode),
    });
    const vatNotices = customer.vatId === before.vatId ? [] : await startVatCheck(tx, customer, tenant?.mode ?? 'live');
    const addressAdded = await changeDefaultAddress(tx, aggregate, before, input);
    const changed = changedKeys(shown, representCustomer(customer, addresses));
    if (changed.length === 0) return { json: shown, version: customer.version };

    const json = await saveCustomer(tx, aggregate, [
      ...noticesOf(before, customer, changed, addressAdded),
      ...vatNotices,
    ]);
    return { json, version: customer.version };
  }
}

/** Whoever shares invoices shares their currency. @throws DomainError `validation_failed` */
async function refuseOtherCurrency(tx: TenantTx, { id, invoicesTo, currencyCode }: CustomerRow): Promise<void> {
  if (invoicesTo === 'self' && !(await paysForOthers(tx, id))) return;
  throw validationFailed(
    'currencyCode',
    `The customer shares invoices with others of its hierarchy, in ${currencyCode}.`,
    'currency_mismatch',
  );
}

/** The country goes with the address; of a customer without one it changes when it is named. */
function keepsCountry({ addresses }: CustomerAggregate, input: CustomerInput): boolean {
  if (isMove(input)) return false;
  return defaultAddress(addresses, 'TYPE_DEFAULT') !== undefined || textOrNull(input.countryCode) === null;
}

/** Brings the default address in line; true when the customer got its first one by it. */
async function changeDefaultAddress(
  tx: TenantTx,
  { customer, addresses }: CustomerAggregate,
  before: CustomerRow,
  input: CustomerInput,
): Promise<boolean> {
  const address = defaultAddress(addresses, 'TYPE_DEFAULT');
  if (!address) {
    if (!hasPostalFields(input)) return false;
    const added = addressFromCustomer(customer, input, tx.now);
    await tables.customerAddresses.insert(tx, added);
    addresses.push(added);
    return true;
  }
  const { street, houseNumber, zip, city, addition } = addressFromCustomer(customer, input, tx.now);
  const changes = {
    ...followedFields(address, before, customer),
    ...(isMove(input) ? { street, houseNumber, zip, city, addition, countryCode: customer.countryCode } : {}),
  };
  if (changedKeys({ ...address } as never, { ...address, ...changes } as never).length === 0) return false;
  Object.assign(address, changes, { updatedAt: tx.now });
  await tables.customerAddresses.update(tx, address);
  return false;
}

function noticesOf(
  before: CustomerRow,
  after: CustomerRow,
  changed: readonly string[],
  addressAdded: boolean,
): CustomerNotice[] {
  const notices: CustomerNotice[] = [{ type: 'customer.updated', metadata: { changed } }];
  if (before.email !== after.email)
    notices.push({ type: 'customer.email.default_changed', metadata: { from: before.email, to: after.email } });
  if (changed.includes('customFields'))
    notices.push({ type: 'custom_fields.updated', metadata: { customFields: after.customFields } });
  if (addressAdded) notices.push({ type: 'customer.address.added' });
  return notices;
}
