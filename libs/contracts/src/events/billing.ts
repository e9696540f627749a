import { Type } from '@sinclair/typebox';
import { defineEvent, InstantText, MoneySchema, nullable, stateOf, type Static, Text, UnitPriceSchema } from '../define-event.js';

/** Owner billing. `customer-addresses` of the API, as copied to other services. */
export const AddressState = Type.Object({
  id: Type.String(),
  type: Type.String(),
  default: Type.Boolean(),
  status: Type.String(),
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
});
export type AddressState = Static<typeof AddressState>;

/** Overrides of the billing settings by one customer; null inherits the tenant's value. Keys as in `/settings/billing`. */
export const SettingsOverrides = Type.Record(Type.String(), Type.Unknown());

export const CustomerState = Type.Object({
  id: Type.String(),
  customerNumber: Type.String(),
  externalId: Text,
  status: Type.String(),
  email: Type.String(),
  invoiceEmail: Text,
  phone: Text,
  companyName: Text,
  firstName: Text,
  lastName: Text,
  language: Type.String(),
  countryCode: Type.String(),
  currencyCode: Type.String(),
  timeZone: Type.String(),
  vatId: Text,
  vatIdStatus: Type.String(),
  parentCustomerId: Text,
  accountingSystemId: Text,
  customFields: nullable(Type.Record(Type.String(), Type.String())),
  addresses: Type.Array(AddressState),
  settings: SettingsOverrides,
  /** GET's representation, for embedding in other resources. */
  representation: Type.Record(Type.String(), Type.Unknown()),
});
export type CustomerState = Static<typeof CustomerState>;

const id = (n: number): string => `0199f000-0000-7000-8000-${String(n).padStart(12, '0')}`;

export const exampleAddress: AddressState = {
  id: id(11), type: 'TYPE_DEFAULT', default: true, status: 'active', companyName: 'Backhaus Elbe GmbH', salutation: null, firstName: null,
  lastName: null, street: 'Elbchaussee', houseNumber: '12', zip: '22765', city: 'Hamburg', addition: null, countryCode: 'DE', vatId: null, costCentre: null,
}; // prettier-ignore

export const customerChangedV1 = defineEvent({
  type: 'billing.customer.changed.v1',
  topic: 'billing.customer',
  description: 'A customer, one of its addresses or its overrides of the billing settings changed.',
  schema: stateOf(CustomerState),
  example: {
    id: id(1),
    version: 1,
    deleted: false,
    state: {
      id: id(1), customerNumber: 'K-10001', externalId: null, status: 'STATUS_ACTIVE', email: 'rechnung@backhaus-elbe.example', invoiceEmail: null,
      phone: null, companyName: 'Backhaus Elbe GmbH', firstName: null, lastName: null, language: 'de', countryCode: 'DE', currencyCode: 'EUR',
      timeZone: 'Europe/Berlin', vatId: 'DE123456789', vatIdStatus: 'valid', parentCustomerId: null, accountingSystemId: null, customFields: null,
      addresses: [exampleAddress], settings: {}, representation: {},
    }, // prettier-ignore
    notices: [],
  },
});

export const paymentMethodChosenV1 = defineEvent({
  type: 'billing.customer.payment-method-chosen.v1',
  topic: 'billing.customer',
  description:
    "A payment method was chosen as the default of its customer; their owner makes it so. Takes one number of the customer's sequence.",
  schema: Type.Object({ customerId: Type.String(), paymentMethodId: Type.String() }),
  example: { customerId: id(1), paymentMethodId: id(40) },
});

/**
 * Effective billing settings of the tenant: every key of `/settings/billing` with its value, and `customFieldDefinitions`
 * (object, key, type, options, required) of the custom-fields configuration. The id is the tenant's.
 */
export const SettingsState = Type.Record(Type.String(), Type.Unknown());

export const settingsChangedV1 = defineEvent({
  type: 'billing.settings.changed.v1',
  topic: 'billing.settings',
  description: 'The billing settings of the tenant changed.',
  schema: stateOf(SettingsState),
  example: { id: id(2), version: 1, deleted: false, state: { paymentTermDays: 14, creditOverpayments: false }, notices: [] },
});

export const CatalogueKind = Type.Union(
  ['tax_group', 'product', 'product_family', 'unit', 'measurement', 'plan', 'price_plan', 'billing_group'].map((kind) =>
    Type.Literal(kind),
  ),
);

/** Representation of the object as GET answers it; a tax group's additionally has `type`, `reverseChargeType` and `taxes`. */
export const CatalogueState = Type.Object({ kind: Type.String(), object: Type.Record(Type.String(), Type.Unknown()) });
export type CatalogueState = Static<typeof CatalogueState>;

export const catalogueChangedV1 = defineEvent({
  type: 'billing.catalogue.changed.v1',
  topic: 'billing.catalogue',
  description: 'A product, price plan, plan, unit, measurement, product family, tax group or billing group changed.',
  schema: stateOf(CatalogueState),
  example: {
    id: id(3),
    version: 1,
    deleted: false,
    state: {
      kind: 'tax_group',
      object: { id: id(3), type: 'standard', reverseChargeType: 'REVERSE_CHARGE', internalDescription: 'Standard' },
    },
    notices: [],
  },
});

export const SubscriptionState = Type.Object({
  id: Type.String(),
  number: Type.String(),
  externalId: Text,
  name: Text,
  status: Type.String(),
  customerId: Type.String(),
  poNumber: Text,
  customFields: nullable(Type.Record(Type.String(), Type.String())),
  paymentMethodId: Text,
});
export type SubscriptionState = Static<typeof SubscriptionState>;

export const subscriptionChangedV1 = defineEvent({
  type: 'billing.subscription.changed.v1',
  topic: 'billing.subscription',
  description: 'A subscription or one of its items changed.',
  schema: stateOf(SubscriptionState),
  example: {
    id: id(4),
    version: 1,
    deleted: false,
    state: {
      id: id(4), number: 'S-10001', externalId: null, name: 'Team', status: 'active', customerId: id(1), poNumber: null, customFields: null, paymentMethodId: null,
    }, // prettier-ignore
    notices: [],
  },
});

/** What a line was measured by: the frozen amount of one closing. */
export const UsageSource = Type.Object({
  closingId: Type.String(),
  metricId: Type.String(),
  metricName: Type.String(),
  /** Measured, before free units; decimal text. Of a correction: the difference. */
  quantity: Type.String(),
  unit: Text,
  /** What the amount is of where the metric is grouped: `{ region: 'eu' }`. */
  group: nullable(Type.Record(Type.String(), Type.String())),
  /** Half-open measured period. */
  from: InstantText,
  to: InstantText,
});
export type UsageSource = Static<typeof UsageSource>;

/** One line of a future invoice: `quantity × unitPrice`, rounded once half away from zero, is `netAmount`, before discounts. */
export const ChargeLine = Type.Object({
  chargeId: Type.String(),
  kind: Type.Union([Type.Literal('regular'), Type.Literal('credit'), Type.Literal('correction'), Type.Literal('setup')]),
  subscriptionId: Type.String(),
  subscriptionName: Text,
  subscriptionNumber: Text,
  poNumber: Text,
  subscriptionCustomFields: nullable(Type.Record(Type.String(), Type.String())),
  /** Fields id, name, description, furtherInformation, status, subscriptionId. */
  subscriptionItem: Type.Record(Type.String(), Type.Unknown()),
  /** Fields type, id, name, description, invoiceVisibility, customFields. */
  product: nullable(Type.Record(Type.String(), Type.Unknown())),
  /** True for goods, which are taxed otherwise when exported. */
  isGood: Type.Boolean(),
  name: Type.String(),
  description: Text,
  unit: nullable(Type.Object({ id: Type.String(), name: Type.String() })),
  /** Decimal text; negative for credits. */
  quantity: Type.String(),
  unitPrice: UnitPriceSchema,
  netAmount: MoneySchema,
  /** Positive; total of the line's discounts in the line's currency. */
  discountAmount: nullable(MoneySchema),
  taxGroupId: Type.String(),
  /** Half-open service period. */
  serviceFrom: InstantText,
  serviceTo: InstantText,
  /** For people: days, slices, discounts. */
  explanation: nullable(Type.Record(Type.String(), Type.Unknown())),
  /** Only on lines that bill usage. */
  usage: Type.Optional(nullable(UsageSource)),
});
export type ChargeLine = Static<typeof ChargeLine>;

/** The lines of ONE invoice. `batchId` is answered by `invoicing.charges.settled.v1`. */
export const ChargesDue = Type.Object({
  batchId: Type.String(),
  runId: Text,
  customerId: Type.String(),
  /** The customer's version that the lines rely on; a copy that is older is refreshed first. */
  customerVersion: Type.Integer(),
  /** Calendar day (customer's zone) on which the lines fall due. */
  billingDay: Type.String(),
  /** What splits invoices of one day: effective payment method and invoice address. */
  groupingKey: Type.String(),
  paymentMethodId: Text,
  invoiceAddressId: Text,
  /** Currency of the document: the customer's. Lines may differ and are converted. */
  currencyCode: Type.String(),
  /** True for billImmediately and immediate changes: never joined with other lines. */
  immediate: Type.Boolean(),
  sourceType: Type.Union([Type.Literal('subscription'), Type.Literal('cart')]),
  lines: Type.Array(ChargeLine),
});
export type ChargesDue = Static<typeof ChargesDue>;

export const chargesDueV1 = defineEvent({
  type: 'billing.charges.due.v1',
  topic: 'billing.charges',
  description: 'The lines of one invoice are rated and waiting for their document.',
  schema: ChargesDue,
  example: {
    batchId: id(5), runId: id(6), customerId: id(1), customerVersion: 1, billingDay: '2026-02-28', groupingKey: 'default', paymentMethodId: null,
    invoiceAddressId: null, currencyCode: 'EUR', immediate: false, sourceType: 'subscription',
    lines: [
      {
        chargeId: id(7), kind: 'regular', subscriptionId: id(4), subscriptionName: 'Team', subscriptionNumber: 'S-10001', poNumber: null,
        subscriptionCustomFields: null,
        subscriptionItem: { id: id(8), name: 'Team', description: null, furtherInformation: null, status: 'active', subscriptionId: id(4) },
        product: { type: 'product', id: id(9), name: 'Team', description: null, invoiceVisibility: 'always', customFields: null }, isGood: false,
        name: 'Team', description: null, unit: null, quantity: '3', unitPrice: { amount: 1000, currencyCode: 'EUR' },
        netAmount: { amount: 3000, currencyCode: 'EUR' }, discountAmount: null, taxGroupId: id(3), serviceFrom: '2026-02-27T23:00:00.000Z',
        serviceTo: '2026-03-30T22:00:00.000Z', explanation: null,
      },
    ],
  }, // prettier-ignore
});
