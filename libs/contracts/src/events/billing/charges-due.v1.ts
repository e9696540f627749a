import type { CustomerId, PaymentMethodId, SubscriptionId, UsageMetricId } from '@kontor/kernel';
import { type Static, Type } from '@sinclair/typebox';
import { defineEvent } from '../../define-event.js';
import { exampleId } from '../../example-id.js';
import { idOf, InstantText, MoneySchema, nullable, NullableText, UnitPriceSchema } from '../../schemas.js';

/** What a line was measured by: the frozen amount of one closing. */
export const UsageSource = Type.Object({
  closingId: Type.String(),
  metricId: idOf<UsageMetricId>(),
  metricName: Type.String(),
  /** Measured, before free units; decimal text. Of a correction: the difference. */
  quantity: Type.String(),
  unit: NullableText,
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
  kind: Type.Union([
    Type.Literal('regular'),
    Type.Literal('credit'),
    Type.Literal('correction'),
    Type.Literal('setup'),
  ]),
  /** Whose line it is when another customer pays for it. */
  customer: Type.Optional(Type.Object({ id: idOf<CustomerId>(), name: Type.String(), number: Type.String() })),
  subscriptionId: idOf<SubscriptionId>(),
  subscriptionName: NullableText,
  subscriptionNumber: NullableText,
  poNumber: NullableText,
  subscriptionCustomFields: nullable(Type.Record(Type.String(), Type.String())),
  /** Fields id, name, description, furtherInformation, status, subscriptionId. */
  subscriptionItem: Type.Record(Type.String(), Type.Unknown()),
  /** Fields type, id, name, description, invoiceVisibility, customFields. */
  product: nullable(Type.Record(Type.String(), Type.Unknown())),
  /** True for goods, which are taxed otherwise when exported. */
  isGood: Type.Boolean(),
  name: Type.String(),
  description: NullableText,
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
  /** The line that this one credits or corrects: it is taxed as that one was. */
  originalChargeId: Type.Optional(nullable(Type.String())),
  /** Only on lines that bill usage. */
  usage: Type.Optional(nullable(UsageSource)),
});
export type ChargeLine = Static<typeof ChargeLine>;

/** One of the events in which the lines of a large invoice come. */
const ChargesPart = Type.Object({
  /** `batchId` of the first of them. */
  of: Type.String(),
  /** Counted from 1. */
  number: Type.Integer(),
  /** Of all of them. */
  count: Type.Integer(),
});
export type ChargesPart = Static<typeof ChargesPart>;

/** Lines of ONE invoice, all of them unless it is a part. `batchId` is answered by `invoicing.charges.settled.v1`. */
export const ChargesDue = Type.Object({
  batchId: Type.String(),
  runId: NullableText,
  customerId: idOf<CustomerId>(),
  /** The customer's version that the lines rely on; a copy that is older is refreshed first. */
  customerVersion: Type.Integer(),
  /** Calendar day (customer's zone) on which the lines fall due. */
  billingDay: Type.String(),
  /** What splits invoices of one day: effective payment method and invoice address. */
  groupingKey: Type.String(),
  paymentMethodId: nullable(idOf<PaymentMethodId>()),
  invoiceAddressId: NullableText,
  /** Currency of the document: the customer's. Lines may differ and are converted. */
  currencyCode: Type.String(),
  /** True for billImmediately and immediate changes: never joined with other lines. */
  immediate: Type.Boolean(),
  sourceType: Type.Union([Type.Literal('subscription'), Type.Literal('cart')]),
  /** Of an immediate billing: the id that its document gets, which the request has answered. */
  invoiceId: Type.Optional(Type.String()),
  /** Of a large invoice, which is made when all of its parts are there. */
  part: Type.Optional(ChargesPart),
  lines: Type.Array(ChargeLine),
});
export type ChargesDue = Static<typeof ChargesDue>;

export const chargesDueV1 = defineEvent({
  type: 'billing.charges.due.v1',
  topic: 'billing.charges',
  description: 'The lines of one invoice are rated and waiting for their document.',
  schema: ChargesDue,
  example: {
    batchId: exampleId(5),
    runId: exampleId(6),
    customerId: exampleId(1),
    customerVersion: 1,
    billingDay: '2026-02-28',
    groupingKey: 'default',
    paymentMethodId: null,
    invoiceAddressId: null,
    currencyCode: 'EUR',
    immediate: false,
    sourceType: 'subscription',
    lines: [
      {
        chargeId: exampleId(7),
        kind: 'regular',
        subscriptionId: exampleId(4),
        subscriptionName: 'Team',
        subscriptionNumber: 'S-10001',
        poNumber: null,
        subscriptionCustomFields: null,
        subscriptionItem: {
          id: exampleId(8),
          name: 'Team',
          description: null,
          furtherInformation: null,
          status: 'active',
          subscriptionId: exampleId(4),
        },
        product: {
          type: 'product',
          id: exampleId(9),
          name: 'Team',
          description: null,
          invoiceVisibility: 'always',
          customFields: null,
        },
        isGood: false,
        name: 'Team',
        description: null,
        unit: null,
        quantity: '3',
        unitPrice: { amount: 1000, currencyCode: 'EUR' },
        netAmount: { amount: 3000, currencyCode: 'EUR' },
        discountAmount: null,
        taxGroupId: exampleId(3),
        serviceFrom: '2026-02-27T23:00:00.000Z',
        serviceTo: '2026-03-30T22:00:00.000Z',
        explanation: null,
      },
    ],
  },
});
