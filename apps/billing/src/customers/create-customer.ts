import { Injectable } from '@nestjs/common';
import type { TenantState } from '@kontor/contracts';
import { type DomainError, languageOfCountry, newUuid } from '@kontor/kernel';
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
import { FALLBACK_CURRENCY, FALLBACK_ZONE, tenantOf } from '../settings/tenant.js';
import { enterVatId, scheduleVatChecks, vatNotices } from './check-vat-id.js';
import { type CustomerAggregate, publishCustomers, refuseTooLarge } from './customer-aggregate.js';
import { checkCustomerInput, customFieldsOfCustomers, type CustomerInput, ownFields } from './customer-input.js';
import { textOrNull } from '../fields.js';
import type { CustomerJson } from './customer.schema.js';

/** What whoever creates a customer as a part of something larger knows of it already. */
export interface KnownBefore {
  /** What was found out about the VAT id. */
  readonly vatId: VatCheckOutcome | null;
  /** Drawn from the series before; null: it is drawn with the insert. */
  readonly number: string | null;
}

interface Known extends KnownBefore {
  readonly customFields: readonly CustomFieldRow[];
  readonly tenant: TenantState | null;
}

interface NewCustomer extends CustomerAggregate {
  /** The number that was asked for; null takes a running one. */
  readonly wantedNumber: string | null;
  /** The running one; null: the next. */
  drawnNumber: string | null;
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

  /** {@link execute} as a part of something larger. */
  async within(tx: TenantTx, input: CustomerInput, known: KnownBefore): Promise<CustomerJson> {
    const [created] = await this.createMany(tx, [input], known);
    if (created?.status !== 'fulfilled') throw created?.reason;
    return created.value;
  }

  /** Several in one transaction, each by itself: refused, or created. */
  async createMany(
    tx: TenantTx,
    inputs: readonly CustomerInput[],
    before: KnownBefore = { vatId: null, number: null },
  ): Promise<PartResult<CustomerJson>[]> {
    const customFields = await customFieldsOfCustomers(tx);
    const tenant = await tenantOf(tx, this.replicas);
    const made = await settledInTurn(inputs, (input) => newAggregate(tx, input, { ...before, customFields, tenant }));
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
function newAggregate(tx: TenantTx, input: CustomerInput, known: Known): NewCustomer {
  const { customFields, tenant, vatId } = known;
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
  const wantedNumber = textOrNull(input.customerNumber);
  return { customer, addresses, wantedNumber, drawnNumber: known.number, checksVatId };
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
    deletionVersion: null,
    anonymizedAt: null,
    parentCustomerId: null,
    invoicesTo: 'self',
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
    const unnumbered = left.filter(({ wantedNumber, drawnNumber }) => (wantedNumber ?? drawnNumber) === null);
    const numbers = await nextNumbers(tx, 'customer', unnumbered.length);
    unnumbered.forEach((created, i) => (created.drawnNumber = numbers[i]!));
    for (const { customer, wantedNumber, drawnNumber } of left)
      customer.customerNumber = (wantedNumber ?? drawnNumber)!;
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
      created.drawnNumber = null;
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
