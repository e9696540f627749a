import type { CustomerId } from '@kontor/kernel';
import { type Static, Type } from '@sinclair/typebox';
import { defineEvent } from '../../define-event.js';
import { exampleId } from '../../example-id.js';
import { idOf, nullable, NullableText, stateOf } from '../../schemas.js';

/** Owner billing. `customer-addresses` of the API, as copied to other services. */
export const AddressState = Type.Object({
  id: Type.String(),
  type: Type.String(),
  default: Type.Boolean(),
  status: Type.String(),
  companyName: NullableText,
  salutation: NullableText,
  firstName: NullableText,
  lastName: NullableText,
  street: NullableText,
  houseNumber: NullableText,
  zip: NullableText,
  city: NullableText,
  addition: NullableText,
  countryCode: Type.String(),
  vatId: NullableText,
  costCentre: NullableText,
});
export type AddressState = Static<typeof AddressState>;

/** Overrides of the billing settings by one customer; null inherits the tenant's value. Keys as in `/settings/billing`. */
export const SettingsOverrides = Type.Record(Type.String(), Type.Unknown());

export const CustomerState = Type.Object({
  id: idOf<CustomerId>(),
  customerNumber: Type.String(),
  externalId: NullableText,
  status: Type.String(),
  email: Type.String(),
  invoiceEmail: NullableText,
  phone: NullableText,
  companyName: NullableText,
  firstName: NullableText,
  lastName: NullableText,
  language: Type.String(),
  countryCode: Type.String(),
  currencyCode: Type.String(),
  timeZone: Type.String(),
  vatId: NullableText,
  vatIdStatus: Type.String(),
  parentCustomerId: nullable(idOf<CustomerId>()),
  /** The customer that it was merged into, by whose hands everything goes since. */
  mergedIntoCustomerId: Type.Optional(nullable(idOf<CustomerId>())),
  /** Since when nothing is known of it any more. */
  anonymizedAt: Type.Optional(NullableText),
  accountingSystemId: NullableText,
  customFields: nullable(Type.Record(Type.String(), Type.String())),
  addresses: Type.Array(AddressState),
  settings: SettingsOverrides,
  /** GET's representation, for embedding in other resources. */
  representation: Type.Record(Type.String(), Type.Unknown()),
});
export type CustomerState = Static<typeof CustomerState>;

export const exampleAddress: AddressState = {
  id: exampleId(11),
  type: 'TYPE_DEFAULT',
  default: true,
  status: 'active',
  companyName: 'Backhaus Elbe GmbH',
  salutation: null,
  firstName: null,
  lastName: null,
  street: 'Elbchaussee',
  houseNumber: '12',
  zip: '22765',
  city: 'Hamburg',
  addition: null,
  countryCode: 'DE',
  vatId: null,
  costCentre: null,
};

export const customerChangedV1 = defineEvent({
  type: 'billing.customer.changed.v1',
  topic: 'billing.customer',
  description: 'A customer, one of its addresses or its overrides of the billing settings changed.',
  schema: stateOf(CustomerState),
  example: {
    id: exampleId(1),
    version: 1,
    deleted: false,
    state: {
      id: exampleId(1),
      customerNumber: 'K-10001',
      externalId: null,
      status: 'STATUS_ACTIVE',
      email: 'rechnung@backhaus-elbe.example',
      invoiceEmail: null,
      phone: null,
      companyName: 'Backhaus Elbe GmbH',
      firstName: null,
      lastName: null,
      language: 'de',
      countryCode: 'DE',
      currencyCode: 'EUR',
      timeZone: 'Europe/Berlin',
      vatId: 'DE123456789',
      vatIdStatus: 'valid',
      parentCustomerId: null,
      mergedIntoCustomerId: null,
      anonymizedAt: null,
      accountingSystemId: null,
      customFields: null,
      addresses: [exampleAddress],
      settings: {},
      representation: {},
    },
    notices: [],
  },
});
