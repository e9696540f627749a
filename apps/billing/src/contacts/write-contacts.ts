import { DomainError, newUuid, notFound } from '@kontor/kernel';
import { Database, type TenantTx } from '@kontor/persistence';
import { ReplicaFreshness } from '@kontor/service-kit';
import { Injectable } from '@nestjs/common';
import { optionalReferenceTo } from '../catalogue/catalogue-resource.js';
import { type CustomerNotice, lockCustomer, saveCustomer } from '../customers/customer-aggregate.js';
import type { CustomerJson } from '../customers/customer.schema.js';
import { readCustomer } from '../customers/customer.read.js';
import { ContactPersonRow } from '../db/contact.row.js';
import type { CustomerRow } from '../db/customer.row.js';
import * as tables from '../db/tables.js';
import { textOrNull } from '../fields.js';
import type { ContactPersonDto } from './contact.dto.js';
import type { ContactPersonJson, CustomerEmailJson } from './contact.schema.js';
import { customerEmailId, representContact } from './contacts.read.js';

export const MAX_OF_EACH = 100;

/** Contact persons, e-mail addresses and the group of a customer; each change is a change of the customer. */
@Injectable()
export class WriteContacts {
  constructor(
    private readonly database: Database,
    private readonly freshness: ReplicaFreshness,
  ) {}

  /** @throws DomainError `not_found`, `too_many_contacts` */
  addPerson(tenantId: string, customerId: string, body: ContactPersonDto): Promise<ContactPersonJson> {
    return this.change(tenantId, customerId, async (tx) => {
      refuseTooMany(await tables.contactPersons.count(tx, { customerId }));
      const row = Object.assign(new ContactPersonRow(), {
        tenantId,
        id: newUuid(),
        customerId,
        ...personFields(body),
        createdAt: tx.now,
        updatedAt: tx.now,
      } satisfies ContactPersonRow);
      await tables.contactPersons.insert(tx, row);
      const contactPerson = representContact(row);
      return {
        result: contactPerson,
        notice: { type: 'customer.contact_person.assigned', metadata: { contactPerson } },
      };
    });
  }

  /** @throws DomainError `not_found` */
  async replacePerson(tenantId: string, id: string, body: ContactPersonDto): Promise<ContactPersonJson> {
    return this.change(tenantId, await this.customerOfPerson(tenantId, id), async (tx) => {
      const row = await tables.contactPersons.get(tx, id, { lock: 'update' });
      if (!row) throw notFound('Contact person');
      const before = JSON.stringify(personFields(row));
      Object.assign(row, personFields(body));
      if (JSON.stringify(personFields(row)) === before) return { result: representContact(row) };
      row.updatedAt = tx.now;
      await tables.contactPersons.update(tx, row);
      const contactPerson = representContact(row);
      return {
        result: contactPerson,
        notice: { type: 'customer.updated', metadata: { changed: ['contactPersons'], contactPerson } },
      };
    });
  }

  /** @throws DomainError `not_found` */
  async removePerson(tenantId: string, id: string): Promise<void> {
    await this.change(tenantId, await this.customerOfPerson(tenantId, id), async (tx) => {
      const row = await tables.contactPersons.get(tx, id, { lock: 'update' });
      if (!row) throw notFound('Contact person');
      await tables.contactPersons.delete(tx, { id });
      const metadata = { contactPerson: representContact(row) };
      return { result: undefined, notice: { type: 'customer.contact_person.removed', metadata } };
    });
  }

  /** Adds an address beside the default one. @throws DomainError `not_found`, `already_exists`, `too_many_contacts` */
  addEmail(tenantId: string, customerId: string, wanted: string): Promise<CustomerEmailJson> {
    const email = wanted.trim();
    const id = customerEmailId(customerId, email);
    return this.change(tenantId, customerId, async (tx, customer) => {
      refuseTooMany(await tables.customerEmails.count(tx, { customerId }));
      const isDefault = customerEmailId(customerId, customer.email) === id;
      if (isDefault || (await tables.customerEmails.exists(tx, { id })))
        throw new DomainError('already_exists', {
          detail: 'The customer has this e-mail address.',
          violations: [
            { propertyPath: 'email', message: 'The customer has this e-mail address.', code: 'already_exists' },
          ],
        });
      await tables.customerEmails.insert(tx, { id, customerId, email, createdAt: tx.now });
      return {
        result: { id, customerId, email, default: false },
        notice: { type: 'customer.email.added', metadata: { email } },
      };
    });
  }

  /** Makes an address the default; the former default stays beside it. @throws DomainError `not_found` */
  async makeDefault(tenantId: string, id: string): Promise<CustomerEmailJson> {
    const known = await this.database.tenant(tenantId, (tx) => tables.customerEmails.get(tx, id), { readOnly: true });
    if (!known) throw notFound('E-mail address');
    const { customerId } = known;
    return this.change(tenantId, customerId, async (tx, customer) => {
      const row = await tables.customerEmails.get(tx, id, { lock: 'update' });
      // Somebody else made it the default meanwhile: then it is no row of its own any more.
      if (!row && customerEmailId(customerId, customer.email) !== id) throw notFound('E-mail address');
      if (!row) return { result: { id, customerId, email: customer.email, default: true } };
      const from = customer.email;
      await tables.customerEmails.delete(tx, { id });
      await tables.customerEmails.insertMissing(tx, {
        id: customerEmailId(customerId, from),
        customerId,
        email: from,
        createdAt: tx.now,
      });
      customer.email = row.email;
      return {
        result: { id, customerId, email: row.email, default: true },
        notice: { type: 'customer.email.default_changed', metadata: { from, to: row.email } },
      };
    });
  }

  /** @throws DomainError `not_found`, also for the default one, which a customer always has */
  async removeEmail(tenantId: string, id: string): Promise<void> {
    const known = await this.database.tenant(tenantId, (tx) => tables.customerEmails.get(tx, id), { readOnly: true });
    if (!known) throw notFound('E-mail address');
    await this.change(tenantId, known.customerId, async (tx) => {
      if ((await tables.customerEmails.delete(tx, { id })) === 0) throw notFound('E-mail address');
      const metadata = { changed: ['emails'], removed: known.email };
      return { result: undefined, notice: { type: 'customer.updated', metadata } };
    });
  }

  /** @throws DomainError `not_found`, `unknown_reference`, `validation_failed` when it is archived */
  async assignGroup(tenantId: string, id: string, wanted: string | null): Promise<CustomerJson> {
    await this.change(tenantId, id, async (tx, customer) => {
      const from = customer.customerGroupId;
      const to = await optionalReferenceTo(tx, tables.customerGroups, wanted, 'customerGroup', {
        label: 'customer group',
        before: from,
      });
      if (to === from) return { result: undefined };
      customer.customerGroupId = to;
      const metadata = { customerGroupId: to, formerCustomerGroupId: from };
      return { result: undefined, notice: { type: 'customer.group.assigned', metadata } };
    });
    return this.database.tenant(tenantId, (tx) => readCustomer(tx, id), { readOnly: true });
  }

  private async customerOfPerson(tenantId: string, id: string): Promise<string> {
    const known = await this.database.tenant(tenantId, (tx) => tables.contactPersons.get(tx, id), { readOnly: true });
    if (!known) throw notFound('Contact person');
    return known.customerId;
  }

  private async change<T>(
    tenantId: string,
    customerId: string,
    work: (tx: TenantTx, customer: CustomerRow) => Promise<{ readonly result: T; readonly notice?: CustomerNotice }>,
  ): Promise<T> {
    let version: number | null = null;
    const result = await this.database.tenant(tenantId, async (tx) => {
      const aggregate = await lockCustomer(tx, customerId);
      const { result, notice } = await work(tx, aggregate.customer);
      if (notice) await saveCustomer(tx, aggregate, [notice]);
      version = notice ? aggregate.customer.version : null;
      return result;
    });
    if (version !== null) await this.freshness.copied('customer', tenantId, customerId, version);
    return result;
  }
}

/** @throws DomainError `too_many_contacts` */
function refuseTooMany(present: number): void {
  if (present >= MAX_OF_EACH)
    throw new DomainError('too_many_contacts', { detail: `A customer has at most ${MAX_OF_EACH} of them.` });
}

const personFields = (body: ContactPersonDto | ContactPersonRow) => ({
  salutation: body.salutation ?? null,
  firstName: textOrNull(body.firstName),
  lastName: body.lastName.trim(),
  email: textOrNull(body.email),
  phone: textOrNull(body.phone),
  role: textOrNull(body.role),
});
