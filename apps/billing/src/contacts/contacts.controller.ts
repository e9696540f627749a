import type { Principal } from '@kontor/contracts';
import { Database } from '@kontor/persistence';
import { Caller, IdParam, List, type ListQuery, Operation } from '@kontor/service-kit';
import { Body, Controller, Delete, Get, Post, Put } from '@nestjs/common';
import { customerSchema } from '../customers/customer.schema.js';
import { AssignGroupDto, ContactPersonDto, CustomerEmailDto } from './contact.dto.js';
import { contactPersonSchema, customerEmailSchema } from './contact.schema.js';
import { listContacts, listEmails } from './contacts.read.js';
import { WriteContacts } from './write-contacts.js';

const tag = 'Customers';
const id = '018f2f1c-0000-7000-8000-000000000001';
const createdAt = '2026-02-01T09:00:00.000Z';
const person = {
  salutation: 'Frau',
  firstName: 'Jana',
  lastName: 'Petersen',
  email: 'petersen@backhaus-elbe.example',
  phone: null,
  role: 'Accounting',
};
const email = { email: 'einkauf@backhaus-elbe.example' };
const shownPerson = { id, customerId: id, ...person, createdAt, updatedAt: createdAt };

/** People, e-mail addresses and the group of a customer. */
@Controller()
export class ContactsController {
  constructor(
    private readonly db: Database,
    private readonly contacts: WriteContacts,
  ) {}

  @Get('customers/:id/contact-persons')
  @Operation({
    id: 'listContactPersons',
    summary: 'List the contact persons of a customer',
    tag,
    permission: 'customer:read',
    response: contactPersonSchema,
  })
  persons(@Caller() { tenantId }: Principal, @IdParam() customerId: string, @List() list: ListQuery) {
    return this.db.tenant(tenantId, (tx) => listContacts(tx, customerId, list), { readOnly: true });
  }

  @Post('customers/:id/contact-persons')
  @Operation({
    id: 'addContactPerson',
    summary: 'Add a contact person',
    description: 'At most 100 (422 `too_many_contacts`). Reported as `customer.contact_person.assigned`.',
    tag,
    permission: 'customer:write',
    success: 201,
    response: contactPersonSchema,
    examples: { request: person, response: shownPerson },
  })
  addPerson(@Caller() { tenantId }: Principal, @IdParam() customerId: string, @Body() body: ContactPersonDto) {
    return this.contacts.addPerson(tenantId, customerId, body);
  }

  @Put('contact-persons/:id')
  @Operation({
    id: 'replaceContactPerson',
    summary: 'Replace a contact person',
    description: 'Fields that are left out become empty.',
    tag,
    permission: 'customer:write',
    response: contactPersonSchema,
    examples: { request: person, response: shownPerson },
  })
  replacePerson(@Caller() { tenantId }: Principal, @IdParam() personId: string, @Body() body: ContactPersonDto) {
    return this.contacts.replacePerson(tenantId, personId, body);
  }

  @Delete('contact-persons/:id')
  @Operation({
    id: 'removeContactPerson',
    summary: 'Remove a contact person',
    description: 'Reported as `customer.contact_person.removed`.',
    tag,
    permission: 'customer:write',
    success: 204,
  })
  removePerson(@Caller() { tenantId }: Principal, @IdParam() personId: string): Promise<void> {
    return this.contacts.removePerson(tenantId, personId);
  }

  @Get('customers/:id/emails')
  @Operation({
    id: 'listCustomerEmails',
    summary: 'List the e-mail addresses of a customer',
    description: 'The default one, which is `email` of the customer, comes first.',
    tag,
    permission: 'customer:read',
    response: customerEmailSchema,
  })
  emails(@Caller() { tenantId }: Principal, @IdParam() customerId: string, @List() list: ListQuery) {
    return this.db.tenant(tenantId, (tx) => listEmails(tx, customerId, list), { readOnly: true });
  }

  @Post('customers/:id/emails')
  @Operation({
    id: 'addCustomerEmail',
    summary: 'Add an e-mail address beside the default one',
    description:
      'One that the customer has, whatever its case, is 422 `already_exists`. Reported as `customer.email.added`.',
    tag,
    permission: 'customer:write',
    success: 201,
    response: customerEmailSchema,
    examples: { request: email, response: { id, customerId: id, ...email, default: false } },
  })
  addEmail(@Caller() { tenantId }: Principal, @IdParam() customerId: string, @Body() body: CustomerEmailDto) {
    return this.contacts.addEmail(tenantId, customerId, body.email);
  }

  @Post('customer-emails/:id/default')
  @Operation({
    id: 'makeCustomerEmailDefault',
    summary: 'Make an e-mail address the default',
    description: 'It becomes `email` of the customer; the former default stays beside it.',
    tag,
    permission: 'customer:write',
    success: 201,
    response: customerEmailSchema,
    examples: { response: { id, customerId: id, ...email, default: true } },
  })
  makeDefault(@Caller() { tenantId }: Principal, @IdParam() emailId: string) {
    return this.contacts.makeDefault(tenantId, emailId);
  }

  @Delete('customer-emails/:id')
  @Operation({
    id: 'removeCustomerEmail',
    summary: 'Remove an e-mail address',
    description: 'The default one is 404 here: a customer always has one.',
    tag,
    permission: 'customer:write',
    success: 204,
  })
  removeEmail(@Caller() { tenantId }: Principal, @IdParam() emailId: string): Promise<void> {
    return this.contacts.removeEmail(tenantId, emailId);
  }

  @Put('customers/:id/group')
  @Operation({
    id: 'assignCustomerGroup',
    summary: 'Put a customer into a group, or into none',
    description: 'An archived group takes no further customers. Reported as `customer.group.assigned`.',
    tag,
    permission: 'customer:write',
    response: customerSchema,
    examples: { request: { customerGroup: id } },
  })
  assignGroup(@Caller() { tenantId }: Principal, @IdParam() customerId: string, @Body() body: AssignGroupDto) {
    return this.contacts.assignGroup(tenantId, customerId, body.customerGroup);
  }
}
