import { type TSchema, Type } from '@sinclair/typebox';
import { BILLING_GROUP_TYPES } from '../catalogue/catalogue.dto.js';
import { measurementSchema, planSchema, pricePlanSchema, productSchema } from '../catalogue/catalogue.schema.js';
import { addressSchema, customerSchema } from '../customers/customer.schema.js';

const Uuid = Type.String({ format: 'uuid' });
const Instant = Type.String({ format: 'date-time' });
const orNull = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()]);
const Text = orNull(Type.String());
const At = orNull(Instant);
const oneOf = (values: readonly string[]) => Type.String({ enum: [...values] });

const Quantity = Type.String({ description: 'Decimal text.' });
const Period = Type.Object({
  id: Uuid,
  contractPeriodCount: Type.Integer(),
  contractPeriod: Text,
  cancellationPeriod: Text,
  createdAt: Instant,
  updatedAt: Instant,
});
const MeasurementValue = Type.Object({ id: Uuid, measurement: orNull(measurementSchema), quantity: Quantity, measuredAt: Instant });

/** Answer of the operations on an item. @see interface.md "Subscription item" */
export const subscriptionItemSchema = Type.Object(
  {
    id: Uuid,
    parent: Type.Null(),
    subscriptionId: Uuid,
    type: oneOf(['plan', 'addon', 'product']),
    status: oneOf(['pending', 'active', 'cancelled', 'terminated']),
    name: Text,
    description: Text,
    furtherInformation: Text,
    quantity: Quantity,
    plan: Type.Null(),
    pricePlan: orNull(Type.Omit(pricePlanSchema, ['product', 'measurement', 'customer'])),
    product: orNull(productSchema),
    measurementValues: Type.Array(MeasurementValue),
    currentMeasurementValue: MeasurementValue,
    billing: Type.Object({
      lastBilledAt: At,
      lastBilledFrom: At,
      lastBilledTo: At,
      nextBillingAt: At,
      billingInterval: Text,
    }),
    pendingChange: orNull(Type.Object({ pricePlan: orNull(Uuid), quantity: orNull(Quantity), from: At })),
    startDate: At,
    endDate: At,
    appliedDiscounts: Type.Array(Type.Unknown()),
    periods: Type.Array(Period),
    inheritedPeriod: Type.Boolean(),
    activatedAt: At,
  },
  { $id: 'SubscriptionItem' },
);

/** Answer of the operations on a subscription. @see interface.md "Subscription" */
export const subscriptionSchema = Type.Object(
  {
    id: Uuid,
    externalId: Text,
    number: Type.String(),
    customer: customerSchema,
    plan: orNull(Type.Omit(planSchema, ['items'])),
    name: Text,
    items: Type.Array(subscriptionItemSchema),
    billingGroup: orNull(
      Type.Object({
        id: Uuid,
        name: Type.String(),
        type: oneOf(BILLING_GROUP_TYPES),
        customDay: orNull(Type.Integer()),
        customMonth: orNull(Type.Integer()),
      }),
    ),
    periods: Type.Array(Period),
    status: oneOf(['draft', 'active', 'paused', 'cancelled', 'terminated', 'offer']),
    activatedAt: At,
    poNumber: Text,
    contractDetails: Type.Object({ contractStart: At, contractEnd: At }),
    billingStart: At,
    trialDays: Type.Integer(),
    trialEndsOn: At,
    customFields: orNull(Type.Record(Type.String(), Type.String())),
    paymentMethod: orNull(Type.Object({ id: Uuid }, { additionalProperties: true, description: "null: the customer's default applies." })),
    invoiceAddress: orNull(addressSchema),
    defaultPaymentMethod: Type.Boolean(),
    defaultInvoiceAddress: Type.Boolean(),
    nextBillingDate: At,
    lastBillingAt: At,
    cancellationDate: At,
    cancelledAt: At,
    cancellationReason: orNull(Type.Object({}, { additionalProperties: true })),
    isCancellationPending: Type.Boolean(),
    nextPossibleCancellationDate: Type.Array(Instant),
    partner: Type.Null(),
    createdAt: Instant,
    updatedAt: Instant,
  },
  { $id: 'Subscription' },
);

export const changeOptionsSchema = Type.Object({
  current: Type.Object({ pricePlan: Uuid, quantity: Quantity }),
  options: Type.Array(pricePlanSchema),
  timings: Type.Array(Type.String()),
  endOfPeriod: orNull(Type.String({ format: 'date' })),
});

/** The changed item; with `?preview=true` what the change would be. */
export const itemChangeSchema = Type.Union([
  subscriptionItemSchema,
  Type.Object({
    timing: oneOf(['immediate', 'end_of_period']),
    effectiveOn: orNull(Type.String({ format: 'date' })),
    invoice: Type.Object({}, { additionalProperties: true, description: 'As POST /subscriptions/{id}/preview-invoice answers it.' }),
  }),
]);
