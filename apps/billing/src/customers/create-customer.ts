import { Injectable } from '@nestjs/common';
import type { TenantState } from '@kontor/contracts';
import { type DomainError, newUuid } from '@kontor/kernel';
import {
  Database,
  type PartResult,
  Replicas,
  settledInTurn,
  SharedTransactions,
  type TenantTx,
} from '@kontor/persistence';
import { ReplicaFreshness, requestContext } from '@kontor/service-kit';
import * as tables from '../db/tables.js';
import { alreadyExists } from '../db/constraints.js';
import { CustomerAddressRow } from '../db/customer-address.row.js';
import { CustomerRow } from '../db/customer.row.js';
import type { CustomFieldRow } from '../db/settings.row.js';
import { nextNumbers } from '../db/number-series.js';
import { hasPostalFields } from '../domain/customers/addresses.js';
import type { VatCheckOutcome } from '../domain/customers/vat-id.js';
import { languageOfCountry } from '../domain/customers/language.js';
import { FALLBACK_CURRENCY, FALLBACK_ZONE, tenantOf } from '../settings/tenant.js';
import { enterVatId, scheduleVatChecks, vatNotices } from './check-vat-id.js';
import { type CustomerAggregate, publishCustomers, refuseTooLarge } from './customer-aggregate.js';
import { checkCustomerInput, customFieldsOfCustomers, type CustomerInput, ownFields } from './customer-input.js';
import { textOrNull } from '../fields.js';
import type { CustomerJson } from './customer.schema.js';

interface Known {
  readonly customFields: readonly CustomFieldRow[];
  readonly tenant: TenantState | null;
  readonly vatId: VatCheckOutcome | null;
}

interface NewCustomer extends CustomerAggregate {
  /** The number that was asked for; null takes the next running one. */
  readonly wantedNumber: string | null;
  readonly checksVatId: boolean;
}

/**
 * Creates a customer, with its default address when a postal field is given. All of a tenant take a number from one row, so those
 * of one caller that come at the same time share a transaction; each is answered and refused by itself.
 * @throws DomainError `validation_failed`, `already_exists` (customerNumber, externalId)
 */
@Injectable()
export class CreateCustomer {
  private readonly shared: SharedTransactions<CustomerInput, CustomerJson>;

  constructor(
    database: Database,
    private readonly replicas: Replicas,
    private readonly freshness: ReplicaFreshness,
  ) {
    this.shared = new SharedTransactions(database, (tx, inputs) => this.createMany(tx, inputs));
  }

  async execute(tenantId: string, input: CustomerInput): Promise<CustomerJson> {
    const customer = await this.shared.run(tenantId, requestContext()?.principal?.subjectId ?? '', input);
    await this.freshness.copied('customer', tenantId, customer.id, 1);
    return customer;
  }

  /** {@link execute} as a part of something larger; `vatId`: what was found out about the VAT id before. */
  async within(tx: TenantTx, input: CustomerInput, vatId: VatCheckOutcome | null): Promise<CustomerJson> {
    const [created] = await this.createMany(tx, [input], vatId);
    if (created?.status !== 'fulfilled') throw created?.reason;
    return created.value;
  }

  /** Several in one transaction, each by itself: refused, or created. */
  async createMany(
    tx: TenantTx,
    inputs: readonly CustomerInput[],
    vatId: VatCheckOutcome | null = null,
  ): Promise<PartResult<CustomerJson>[]> {
    const customFields = await customFieldsOfCustomers(tx);
    const tenant = await tenantOf(tx, this.replicas);
    const made = await settledInTurn(inputs, (input) => newAggregate(tx, input, { customFields, tenant, vatId }));
    const wanted = made.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    const refused = await insertWithNumbers(tx, wanted);
    const created = wanted.filter((customer) => !refused.has(customer));
    await tables.customerAddresses.insert(
      tx,
      created.flatMap(({ addresses }) => addresses),
    );
    await scheduleVatChecks(
      tx,
      created.flatMap(({ customer, checksVatId }) => (checksVatId ? [customer] : [])),
    );
    const published = await publishCustomers(
      tx,
      created.map(({ customer, addresses }) => ({
        customer,
        addresses,
        notices: [{ type: 'customer.created' }, ...vatNotices(customer)],
      })),
    );
    const answers = new Map(created.map((customer, i) => [customer, published[i] as CustomerJson]));
    return made.map((result): PartResult<CustomerJson> => {
      if (result.status === 'rejected') return result;
      const value = answers.get(result.value);
      return value ? { status: 'fulfilled', value } : { status: 'rejected', reason: refused.get(result.value) };
    });
  }
}

/** @throws DomainError before anything has changed */
function newAggregate(tx: TenantTx, input: CustomerInput, { customFields, tenant, vatId }: Known): NewCustomer {
  checkCustomerInput(input, customFields);
  const customer = newCustomer(tx, input, tenant);
  const addresses = hasPostalFields(input) ? [addressFromCustomer(customer, input, tx.now)] : [];
  const wantsCheck = customer.vatId !== null && enterVatId(customer, tenant?.mode ?? 'live', tx.now);
  if (wantsCheck && vatId !== null) {
    customer.vatIdStatus = vatId;
    customer.vatIdValidatedAt = vatId === 'valid' ? tx.now : null;
  }
  const checksVatId = wantsCheck && (vatId === null || vatId === 'unavailable');
  refuseTooLarge({ customer, addresses });
  return { customer, addresses, wantedNumber: textOrNull(input.customerNumber), checksVatId };
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
    anonymizedAt: null,
    parentCustomerId: null,
    mergedIntoCustomerId: null,
    customerGroupId: null,
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

/**
 * Inserts each under the wanted number, or the next running one that was not chosen by hand. Returns the refusals of those whose
 * number or external id is taken; of several in one transaction the first has it.
 */
async function insertWithNumbers(
  tx: TenantTx,
  customers: readonly NewCustomer[],
): Promise<ReadonlyMap<NewCustomer, DomainError>> {
  const refused = await refuseTakenExternalIds(tx, customers);
  let left = customers.filter((customer) => !refused.has(customer));
  while (left.length > 0) {
    const unnumbered = left.filter(({ wantedNumber }) => wantedNumber === null);
    const numbers = await nextNumbers(tx, 'customer', unnumbered.length);
    unnumbered.forEach(({ customer }, i) => (customer.customerNumber = numbers[i]!));
    for (const { customer, wantedNumber } of left) customer.customerNumber = wantedNumber ?? customer.customerNumber;
    const inserted = await tables.customers.insertMissing(
      tx,
      left.map(({ customer }) => customer),
    );
    const done = new Set(inserted.map(({ id }) => id));
    left = left.filter(({ customer }) => !done.has(customer.id));
    const taken = await takenNumbers(tx, left);
    for (const created of left) {
      const isTaken = taken.has(created.customer.customerNumber);
      if (!isTaken || created.wantedNumber !== null)
        refused.set(created, alreadyExists(isTaken ? 'customerNumber' : 'externalId'));
    }
    left = left.filter((customer) => !refused.has(customer));
  }
  return refused;
}

/** Before numbers are drawn, so that a refusal leaves no hole. */
async function refuseTakenExternalIds(
  tx: TenantTx,
  customers: readonly NewCustomer[],
): Promise<Map<NewCustomer, DomainError>> {
  const refused = new Map<NewCustomer, DomainError>();
  const externalIds = customers.flatMap(({ customer }) => customer.externalId ?? []);
  if (externalIds.length === 0) return refused;
  const taken = new Set(
    (await tables.customers.find(tx, { externalId: externalIds })).map(({ externalId }) => externalId),
  );
  for (const created of customers) {
    const { externalId } = created.customer;
    if (externalId === null) continue;
    if (taken.has(externalId)) refused.set(created, alreadyExists('externalId'));
    taken.add(externalId);
  }
  return refused;
}

async function takenNumbers(tx: TenantTx, customers: readonly NewCustomer[]): Promise<ReadonlySet<string>> {
  if (customers.length === 0) return new Set();
  const customerNumber = customers.map(({ customer }) => customer.customerNumber);
  return new Set((await tables.customers.find(tx, { customerNumber })).map((row) => row.customerNumber));
}
