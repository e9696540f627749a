import { Injectable } from '@nestjs/common';
import type { TenantState } from '@kontor/contracts';
import { newUuid } from '@kontor/kernel';
import { Database, Replicas, type TenantTx } from '@kontor/persistence';
import { ReplicaFreshness } from '@kontor/service-kit';
import * as tables from '../db/tables.js';
import { alreadyExists } from '../db/constraints.js';
import { CustomerAddressRow } from '../db/customer-address.row.js';
import { CustomerRow } from '../db/customer.row.js';
import { nextNumber } from '../db/number-series.js';
import { hasPostalFields } from '../domain/customers/addresses.js';
import { languageOfCountry } from '../domain/customers/language.js';
import { FALLBACK_CURRENCY, FALLBACK_ZONE, tenantOf } from '../settings/tenant.js';
import { startVatCheck } from './check-vat-id.js';
import { publishCustomer } from './customer-aggregate.js';
import { checkCustomerInput, type CustomerInput, ownFields } from './customer-input.js';
import { textOrNull } from '../fields.js';
import type { CustomerJson } from './customer.schema.js';

/**
 * Creates a customer, with its default address when a postal field is given.
 * @throws DomainError `validation_failed`, `already_exists` (customerNumber, externalId)
 */
@Injectable()
export class CreateCustomer {
  constructor(
    private readonly database: Database,
    private readonly replicas: Replicas,
    private readonly freshness: ReplicaFreshness,
  ) {}

  async execute(tenantId: string, input: CustomerInput): Promise<CustomerJson> {
    const customer = await this.database.tenant(tenantId, (tx) => this.create(tx, input));
    await this.freshness.copied('customer', tenantId, customer.id, 1);
    return customer;
  }

  private async create(tx: TenantTx, input: CustomerInput): Promise<CustomerJson> {
    await checkCustomerInput(tx, input);
    const tenant = await tenantOf(tx, this.replicas);
    const customer = newCustomer(tx, input, tenant);
    const addresses = hasPostalFields(input) ? [addressFromCustomer(customer, input, tx.now)] : [];
    const vatNotices = customer.vatId === null ? [] : await startVatCheck(tx, customer, tenant?.mode ?? 'live');
    await insertWithNumber(tx, customer, textOrNull(input.customerNumber));
    if (addresses[0]) await tables.customerAddresses.insert(tx, addresses);
    return publishCustomer(tx, { customer, addresses }, [{ type: 'customer.created' }, ...vatNotices]);
  }
}

function newCustomer(tx: TenantTx, input: CustomerInput, tenant: TenantState | null): CustomerRow {
  const fields = ownFields(input, tenant?.currencyCode ?? FALLBACK_CURRENCY);
  return Object.assign(new CustomerRow(), {
    ...fields,
    tenantId: tx.tenantId,
    id: newUuid(),
    version: 1,
    customerNumber: '',
    status: 'STATUS_ACTIVE',
    language: textOrNull(input.language) ?? languageOfCountry(fields.countryCode),
    timeZone: tenant?.timeZone ?? FALLBACK_ZONE,
    vatIdStatus: 'unchecked',
    vatIdValidatedAt: null,
    parentCustomerId: null,
    settings: {},
    createdAt: tx.now,
    updatedAt: tx.now,
  } satisfies CustomerRow);
}

/** The default address that a customer's own fields describe. */
export const addressFromCustomer = (customer: CustomerRow, input: CustomerInput, now: Date): CustomerAddressRow =>
  Object.assign(new CustomerAddressRow(), {
    tenantId: customer.tenantId,
    id: newUuid(),
    customerId: customer.id,
    type: 'TYPE_DEFAULT',
    isDefault: true,
    status: 'active',
    companyName: customer.companyName,
    salutation: null,
    firstName: customer.firstName,
    lastName: customer.lastName,
    street: textOrNull(input.street),
    houseNumber: textOrNull(input.houseNumber),
    zip: textOrNull(input.zip),
    city: textOrNull(input.city),
    addition: textOrNull(input.addition),
    countryCode: customer.countryCode,
    vatId: null,
    costCentre: null,
    createdAt: now,
    updatedAt: now,
  } satisfies CustomerAddressRow);

/** Inserts under the wanted number, or the next running one that was not chosen by hand. */
async function insertWithNumber(tx: TenantTx, customer: CustomerRow, wanted: string | null): Promise<void> {
  for (;;) {
    customer.customerNumber = wanted ?? (await nextNumber(tx, 'customer'));
    const inserted = await tables.customers.insertMissing(tx, customer);
    if (inserted.length > 0) return;
    const isTaken = await tables.customers.exists(tx, { customerNumber: customer.customerNumber });
    if (!isTaken || wanted !== null) throw alreadyExists(isTaken ? 'customerNumber' : 'externalId');
  }
}
