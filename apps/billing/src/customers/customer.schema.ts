import { Type } from '@sinclair/typebox';
import { OVERRIDABLE_SETTINGS } from '../domain/settings/billing-settings.js';

const Text = Type.Union([Type.String(), Type.Null()]);
const Instant = Type.String({ format: 'date-time' });
const Uuid = Type.String({ format: 'uuid' });

export const addressSchema = Type.Object(
  {
    id: Uuid,
    type: Type.String({ enum: ['TYPE_DEFAULT', 'TYPE_INVOICE'] }),
    default: Type.Boolean(),
    status: Type.String({ enum: ['active', 'archived'] }),
    companyName: Text,
    salutation: Text,
    firstName: Text,
    lastName: Text,
    street: Text,
    houseNumber: Text,
    zip: Text,
    city: Text,
    addition: Text,
    countryCode: Type.String(),
    vatId: Text,
    costCentre: Text,
  },
  { $id: 'Address' },
);

/** Answer of the customer operations; other services embed it. */
export const customerSchema = Type.Object(
  {
    id: Uuid,
    customerNumber: Type.String(),
    externalId: Text,
    status: Type.String({ enum: ['STATUS_ACTIVE', 'STATUS_ARCHIVED', 'STATUS_SUSPENDED'] }),
    email: Type.String(),
    invoiceEmail: Text,
    phone: Text,
    companyName: Text,
    firstName: Text,
    lastName: Text,
    language: Type.String({ enum: ['de', 'en'] }),
    countryCode: Type.String(),
    currencyCode: Type.String(),
    timeZone: Type.String(),
    vatId: Text,
    vatIdStatus: Type.String({ enum: ['unchecked', 'valid', 'invalid', 'unavailable'] }),
    street: Text,
    houseNumber: Text,
    zip: Text,
    city: Text,
    addition: Text,
    accountingSystemId: Text,
    parentCustomerId: Text,
    customFields: Type.Union([Type.Record(Type.String(), Type.String()), Type.Null()]),
    addresses: Type.Array(addressSchema),
    createdAt: Instant,
    updatedAt: Instant,
  },
  { $id: 'Customer' },
);

export const hierarchyNodeSchema = Type.Composite([customerSchema, Type.Object({ level: Type.Integer({ minimum: 1, maximum: 3 }) })], {
  $id: 'CustomerHierarchyNode',
});

/** Null: the tenant's setting holds. */
export const customerSettingsSchema = Type.Object(
  Object.fromEntries([...OVERRIDABLE_SETTINGS, 'timeZone'].map((key) => [key, Type.Unknown()])),
  {
    $id: 'CustomerSettings',
  },
);
