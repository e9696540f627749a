import { Injectable } from '@nestjs/common';
import type { AddressState } from '@kontor/contracts';
import { DomainError, invalidTransition, newUuid } from '@kontor/kernel';
import { Database, type TenantTx } from '@kontor/persistence';
import { ReplicaFreshness } from '@kontor/service-kit';
import * as tables from '../db/tables.js';
import { CustomerAddressRow } from '../db/customer-address.row.js';
import type { CustomerRow } from '../db/customer.row.js';
import { supersededDefaults } from '../domain/customers/addresses.js';
import {
  type CustomerAggregate,
  type CustomerNotice,
  lockCustomer,
  lockCustomerOfAddress,
  saveCustomer,
} from './customer-aggregate.js';
import { type AddressInput, normalizedVatId } from './customer-input.js';
import { textOrNull } from '../fields.js';
import { representAddress } from './represent-customer.js';

export const MAX_ADDRESSES = 50;

interface Written {
  readonly address: AddressState;
  readonly customerId: string;
  readonly version: number;
}

/** Adds and changes addresses of a customer; each change is a change of the customer. */
@Injectable()
export class WriteAddress {
  constructor(
    private readonly database: Database,
    private readonly freshness: ReplicaFreshness,
  ) {}

  /**
   * Adds an address, which becomes the default of its type.
   * @throws DomainError `not_found`, `too_many_addresses`
   */
  add(tenantId: string, customerId: string, input: AddressInput): Promise<AddressState> {
    return this.write(tenantId, async (tx) => {
      const aggregate = await lockCustomer(tx, customerId);
      const { address, notices } = await addAddress(tx, aggregate, input);
      await saveCustomer(tx, aggregate, notices);
      return { address: representAddress(address), customerId, version: aggregate.customer.version };
    });
  }

  /**
   * Replaces an address. One that is archived or gets another type is no default any more.
   * @throws DomainError `not_found`
   */
  replace(tenantId: string, id: string, input: AddressInput): Promise<AddressState> {
    return this.write(tenantId, async (tx) => {
      const { address, ...aggregate } = await lockCustomerOfAddress(tx, id);
      const before = representAddress(address);
      const wasType = address.type;
      Object.assign(address, addressFields(input, aggregate.customer));
      if (address.status === 'archived' || address.type !== wasType) address.isDefault = false;
      const after = representAddress(address);
      if (JSON.stringify(before) === JSON.stringify(after))
        return { address: after, customerId: address.customerId, version: aggregate.customer.version };
      await store(tx, address);
      await saveCustomer(tx, aggregate, [
        { type: 'customer.updated', metadata: { changed: ['addresses'], address: after } },
      ]);
      return { address: after, customerId: address.customerId, version: aggregate.customer.version };
    });
  }

  /**
   * Makes an address the default of its type, or unsets that.
   * @throws DomainError `not_found`, `invalid_status_transition` for an archived address
   */
  setDefault(tenantId: string, id: string, isDefault: boolean): Promise<AddressState> {
    return this.write(tenantId, async (tx) => {
      const { address, ...aggregate } = await lockCustomerOfAddress(tx, id);
      if (isDefault && address.status === 'archived') throw invalidTransition('address', 'archived', 'default');
      if (address.isDefault !== isDefault) {
        address.isDefault = isDefault;
        if (isDefault) await demote(tx, aggregate, address);
        await store(tx, address);
        await saveCustomer(tx, aggregate, [
          { type: 'customer.address.default_changed', metadata: { address: representAddress(address) } },
        ]);
      }
      return {
        address: representAddress(address),
        customerId: address.customerId,
        version: aggregate.customer.version,
      };
    });
  }

  private async write(tenantId: string, work: (tx: TenantTx) => Promise<Written>): Promise<AddressState> {
    let written: Written | undefined;
    const address = await this.database.tenant(tenantId, async (tx) => (written = await work(tx)).address);
    if (written) await this.freshness.copied('customer', tenantId, written.customerId, written.version);
    return address;
  }
}

/** Adds an address to a locked customer, which is saved by the caller. @throws DomainError `too_many_addresses` */
export async function addAddress(
  tx: TenantTx,
  aggregate: CustomerAggregate,
  input: AddressInput,
): Promise<{ address: CustomerAddressRow; notices: CustomerNotice[] }> {
  const { customer, addresses } = aggregate;
  if (addresses.length >= MAX_ADDRESSES) {
    throw new DomainError('too_many_addresses', { detail: `A customer has at most ${MAX_ADDRESSES} addresses.` });
  }
  const address = newAddress(tx, customer, input);
  if (address.isDefault) await demote(tx, aggregate, address);
  await tables.customerAddresses.insert(tx, address);
  addresses.push(address);
  const notices: CustomerNotice[] = [
    { type: 'customer.address.added', metadata: { address: representAddress(address) } },
  ];
  if (address.isDefault)
    notices.push({ type: 'customer.address.default_changed', metadata: { address: representAddress(address) } });
  return { address, notices };
}

const addressFields = (input: AddressInput, customer: CustomerRow) => ({
  type: input.type ?? ('TYPE_DEFAULT' as const),
  status: input.status ?? ('active' as const),
  companyName: textOrNull(input.companyName),
  salutation: textOrNull(input.salutation),
  firstName: textOrNull(input.firstName),
  lastName: textOrNull(input.lastName),
  street: textOrNull(input.street),
  houseNumber: textOrNull(input.houseNumber),
  zip: textOrNull(input.zip),
  city: textOrNull(input.city),
  addition: textOrNull(input.addition),
  countryCode: textOrNull(input.countryCode) ?? customer.countryCode,
  vatId: normalizedVatId(input.vatId),
  costCentre: textOrNull(input.costCentre),
});

const newAddress = (tx: TenantTx, customer: CustomerRow, input: AddressInput): CustomerAddressRow =>
  Object.assign(new CustomerAddressRow(), {
    tenantId: tx.tenantId,
    id: newUuid(),
    customerId: customer.id,
    ...addressFields(input, customer),
    isDefault: input.status !== 'archived',
    createdAt: tx.now,
    updatedAt: tx.now,
  } satisfies CustomerAddressRow);

/** The former default of the type steps back before the new one is stored: there is never more than one. */
async function demote(tx: TenantTx, { addresses }: CustomerAggregate, chosen: CustomerAddressRow): Promise<void> {
  for (const id of supersededDefaults(addresses, chosen)) {
    const former = addresses.find((address) => address.id === id);
    if (!former) continue;
    former.isDefault = false;
    await store(tx, former);
  }
}

async function store(tx: TenantTx, address: CustomerAddressRow): Promise<void> {
  address.updatedAt = tx.now;
  await tables.customerAddresses.update(tx, address);
}
