import { type Static, Type } from '@sinclair/typebox';
import { CUSTOMER_SETTINGS, OVERRIDABLE_SETTINGS } from '../domain/settings/billing-settings.js';
import { billingSettingsSchema } from '../domain/settings/billing-settings.schema.js';
import { INVOICES_TO, type InvoicesTo } from '../db/customer.row.js';
import { CustomFields, Instant, oneOf, orNull, TextOrNull, Uuid } from '../schema.js';

export const addressSchema = Type.Object(
  {
    id: Uuid,
    type: oneOf(['TYPE_DEFAULT', 'TYPE_INVOICE']),
    default: Type.Boolean(),
    status: oneOf(['active', 'archived']),
    companyName: TextOrNull,
    salutation: TextOrNull,
    firstName: TextOrNull,
    lastName: TextOrNull,
    street: TextOrNull,
    houseNumber: TextOrNull,
    zip: TextOrNull,
    city: TextOrNull,
    addition: TextOrNull,
    countryCode: Type.String(),
    vatId: TextOrNull,
    costCentre: TextOrNull,
  },
  { $id: 'Address' },
);

export type AddressJson = Static<typeof addressSchema>;

/** Answer of the customer operations; other services embed it. */
export const customerSchema = Type.Object(
  {
    id: Uuid,
    customerNumber: Type.String(),
    externalId: TextOrNull,
    status: oneOf(['STATUS_ACTIVE', 'STATUS_ARCHIVED', 'STATUS_SUSPENDED']),
    email: Type.String(),
    invoiceEmail: TextOrNull,
    phone: TextOrNull,
    companyName: TextOrNull,
    firstName: TextOrNull,
    lastName: TextOrNull,
    language: Type.String({ enum: ['de', 'en'] }),
    countryCode: Type.String(),
    currencyCode: Type.String(),
    timeZone: Type.String(),
    vatId: TextOrNull,
    vatIdStatus: oneOf(['unchecked', 'valid', 'invalid', 'unavailable']),
    street: TextOrNull,
    houseNumber: TextOrNull,
    zip: TextOrNull,
    city: TextOrNull,
    addition: TextOrNull,
    accountingSystemId: TextOrNull,
    parentCustomerId: TextOrNull,
    invoicesTo: Type.Unsafe<InvoicesTo>({
      type: 'string',
      enum: [...INVOICES_TO],
      description: 'Who gets its invoices: itself, or its parent, on whose invoice its lines are a group.',
    }),
    mergedIntoCustomerId: Type.Union([Uuid, Type.Null()], {
      description: 'The customer that this one was merged into: everything is its since.',
    }),
    customerGroupId: TextOrNull,
    customFields: CustomFields,
    addresses: Type.Array(addressSchema),
    createdAt: Instant,
    updatedAt: Instant,
  },
  { $id: 'Customer' },
);

export type CustomerJson = Static<typeof customerSchema>;

export const hierarchyNodeSchema = Type.Composite(
  [customerSchema, Type.Object({ level: Type.Integer({ minimum: 1, maximum: 3 }) })],
  {
    $id: 'CustomerHierarchyNode',
  },
);

export type HierarchyNode = Static<typeof hierarchyNodeSchema>;

/** Null: the tenant's setting holds. */
export const customerSettingsSchema = Type.Object(
  Object.fromEntries([
    ...OVERRIDABLE_SETTINGS.map((key) => [key, orNull(billingSettingsSchema.properties[key])]),
    ...CUSTOMER_SETTINGS.map((key) => [key, TextOrNull]),
  ]),
  { $id: 'CustomerSettings' },
);
