import { embedded } from '@kontor/service-kit';
import { type Static, Type } from '@sinclair/typebox';
import { BILLING_GROUP_TYPES } from '../catalogue/catalogue.dto.js';
import {
  couponSchema,
  discountTerms,
  measurementSchema,
  planSchema,
  pricePlanSchema,
  productSchema,
} from '../catalogue/catalogue.schema.js';
import { CHANGE_CREDITS, type ChangeKind } from '../domain/subscriptions/planned-change.js';
import { addressSchema, customerSchema } from '../customers/customer.schema.js';
import { previewedInvoiceSchema } from '../preview/preview.schema.js';
import { CustomFields, Instant, oneOf, orNull, TextOrNull, Uuid } from '../schema.js';

const At = orNull(Instant);

const Quantity = Type.String({ description: 'Decimal text.' });
const Period = Type.Object({
  id: Uuid,
  contractPeriodCount: Type.Integer(),
  contractPeriod: TextOrNull,
  cancellationPeriod: TextOrNull,
  createdAt: Instant,
  updatedAt: Instant,
});
const MeasurementValue = Type.Object({
  id: Uuid,
  measurement: orNull(measurementSchema),
  quantity: Quantity,
  measuredAt: Instant,
});

/** Only where a request has billed. */
const BilledInvoice = orNull(
  Type.Object(
    { id: Uuid },
    {
      description:
        'The document that this request has billed; it exists as soon as its lines are on it. null: nothing.',
    },
  ),
);
const Credit = oneOf(CHANGE_CREDITS);
const AppliedDiscount = Type.Object({
  id: Uuid,
  coupon: orNull(
    Type.Pick(couponSchema, [
      'id',
      'code',
      'name',
      'type',
      'percentage',
      'fixedAmount',
      'frequency',
      'frequencyInterval',
      'isEnabled',
      'createdAt',
      'updatedAt',
    ]),
  ),
  status: oneOf(['pending', 'active', 'exhausted', 'removed']),
  discount: Type.Object(discountTerms),
  appliedIntervals: Type.Integer({ description: 'How many billing intervals it was taken off.' }),
  appliedAt: Instant,
});

const PendingChange = Type.Object({
  id: Uuid,
  kind: Type.Unsafe<ChangeKind>({
    type: 'string',
    enum: ['change', 'phase', 'plan'],
    description: 'Asked for this item, agreed from the beginning (a ramp), or part of a change of the whole plan.',
  }),
  pricePlan: Uuid,
  quantity: Quantity,
  from: Instant,
  credit: Credit,
});

/** Answer of the operations on an item. @see docs/rules/subscriptions.md#answer */
export const subscriptionItemSchema = Type.Object(
  {
    id: Uuid,
    parent: orNull(
      Type.Object({
        id: Uuid,
        type: oneOf(['plan', 'addon', 'product']),
        status: oneOf(['pending', 'active', 'cancelled', 'terminated']),
        name: TextOrNull,
      }),
    ),
    subscriptionId: Uuid,
    type: oneOf(['plan', 'addon', 'product']),
    status: oneOf(['pending', 'active', 'cancelled', 'terminated']),
    name: TextOrNull,
    description: TextOrNull,
    furtherInformation: TextOrNull,
    quantity: Quantity,
    plan: orNull(Type.Omit(planSchema, ['items'])),
    pricePlan: orNull(Type.Omit(pricePlanSchema, ['product', 'measurement', 'customer'])),
    product: orNull(productSchema),
    measurementValues: Type.Array(MeasurementValue),
    currentMeasurementValue: MeasurementValue,
    billing: Type.Object({
      lastBilledAt: At,
      lastBilledFrom: At,
      lastBilledTo: At,
      nextBillingAt: At,
      billingInterval: TextOrNull,
    }),
    pendingChange: orNull(Type.Object({ pricePlan: orNull(Uuid), quantity: orNull(Quantity), from: At })),
    pendingChanges: Type.Array(PendingChange),
    startDate: At,
    endDate: At,
    appliedDiscounts: Type.Array(AppliedDiscount),
    periods: Type.Array(Period),
    inheritedPeriod: Type.Boolean(),
    activatedAt: At,
    billedInvoice: Type.Optional(BilledInvoice),
  },
  { $id: 'SubscriptionItem' },
);

export type SubscriptionItemJson = Static<typeof subscriptionItemSchema>;

/** Answer of the operations on a subscription. @see docs/rules/subscriptions.md#answer */
export const CancellationReason = Type.Unsafe<Record<string, unknown>>(
  Type.Object({ id: Uuid, code: Type.String(), name: Type.String(), createdAt: Instant, updatedAt: Instant }),
);

export const subscriptionSchema = Type.Object(
  {
    id: Uuid,
    externalId: TextOrNull,
    number: Type.String(),
    customer: customerSchema,
    plan: orNull(Type.Omit(planSchema, ['items'])),
    name: TextOrNull,
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
    poNumber: TextOrNull,
    contractDetails: Type.Object({ contractStart: At, contractEnd: At }),
    billingStart: At,
    trialDays: Type.Integer(),
    trialEndsOn: At,
    customFields: CustomFields,
    paymentMethod: orNull(embedded('PaymentMethod', "null: the customer's default applies.")),
    invoiceAddress: orNull(addressSchema),
    defaultPaymentMethod: Type.Boolean(),
    defaultInvoiceAddress: Type.Boolean(),
    nextBillingDate: At,
    lastBillingAt: At,
    cancellationDate: At,
    cancelledAt: At,
    cancellationReason: orNull(CancellationReason),
    isCancellationPending: Type.Boolean(),
    nextPossibleCancellationDate: Type.Array(Instant),
    partner: orNull(
      Type.Object(
        { id: Uuid, name: Type.String(), number: Type.String(), email: Type.String() },
        { description: 'The customer that has brought the subscription or looks after it.' },
      ),
    ),
    pendingPlanChange: orNull(
      Type.Object({ id: Uuid, plan: Type.Omit(planSchema, ['items']), from: Instant, credit: Credit }),
    ),
    createdAt: Instant,
    updatedAt: Instant,
    billedInvoice: Type.Optional(BilledInvoice),
  },
  { $id: 'Subscription' },
);

export type SubscriptionJson = Static<typeof subscriptionSchema>;

export const changeOptionsSchema = Type.Object({
  current: Type.Object({ pricePlan: Uuid, quantity: Quantity }),
  options: Type.Array(
    Type.Composite([
      pricePlanSchema,
      Type.Object({
        direction: Type.Unsafe<'upgrade' | 'downgrade' | 'same'>({
          type: 'string',
          enum: ['upgrade', 'downgrade', 'same'],
          description: 'By the price per month at equal quantity.',
        }),
      }),
    ]),
  ),
  quantity: Type.Object({ increase: Type.Boolean(), decrease: Type.Boolean() }),
  timings: Type.Array(Type.String()),
  credits: Type.Array(Type.String()),
  defaultTiming: oneOf(['immediately', 'end_of_period']),
  endOfPeriod: orNull(Type.String({ format: 'date' })),
});

/** What a change of an item would be. */
export const changePreviewSchema = Type.Object({
  timing: oneOf(['immediately', 'end_of_period', 'custom']),
  /** First day of the new price, in the customer's zone. */
  effectiveOn: orNull(Type.String({ format: 'date' })),
  invoice: previewedInvoiceSchema,
});

export type ChangePreviewJson = Static<typeof changePreviewSchema>;

/** The changed item; with `?preview=true` what the change would be. */
export const itemChangeSchema = Type.Union([subscriptionItemSchema, changePreviewSchema]);

const Direction = oneOf(['upgrade', 'downgrade', 'same']);
const PlanReference = Type.Omit(planSchema, ['items']);

/** Everything of a subscription that waits for its day. */
export const pendingChangesSchema = Type.Object(
  {
    data: Type.Array(
      Type.Object({
        id: Uuid,
        kind: oneOf(['change', 'phase', 'plan']),
        subscriptionItem: orNull(Uuid),
        plan: orNull(PlanReference),
        pricePlan: orNull(Uuid),
        quantity: orNull(Quantity),
        from: Instant,
        credit: Credit,
      }),
    ),
  },
  { $id: 'PendingChanges' },
);

/** What a change of the plan would be. */
export const planChangePreviewSchema = Type.Object({
  timing: oneOf(['immediately', 'end_of_period', 'custom']),
  /** First day of the new plan, in the customer's zone. */
  effectiveOn: Type.String({ format: 'date' }),
  direction: Direction,
  invoice: previewedInvoiceSchema,
});

export type PlanChangePreviewJson = Static<typeof planChangePreviewSchema>;

/** The subscription; with `preview` what the change would be. */
export const planChangeSchema = Type.Union([subscriptionSchema, planChangePreviewSchema]);

export const planOptionsSchema = Type.Object({
  current: orNull(PlanReference),
  options: Type.Array(Type.Object({ plan: PlanReference, direction: Direction })),
  timings: Type.Array(Type.String()),
  credits: Type.Array(Type.String()),
  defaultTiming: oneOf(['immediately', 'end_of_period']),
  pendingPlanChange: orNull(Type.Object({ id: Uuid, plan: PlanReference, from: Instant, credit: Credit })),
});
