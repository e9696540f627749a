import type { PaymentMethodState } from '@kontor/contracts';
import type { Day } from '@kontor/kernel';
import { money, toMoneyJson } from '@kontor/money';
import type { BillingGroupJson, PlanJson, PricePlanJson } from '../catalogue/catalogue.schema.js';
import { embedCoupon } from '../catalogue/represent-catalogue.js';
import type { CustomerJson } from '../customers/customer.schema.js';
import type { CouponRow } from '../db/catalogue.row.js';
import type { SubscriptionItemRow } from '../db/subscription-item.row.js';
import type { SubscriptionRow } from '../db/subscription.row.js';
import { type AppliedDiscount, type DiscountUse, statusOf, useOf } from '../domain/discounts/applied-discount.js';
import { startText } from '../domain/calendar/calendar-cache.js';
import type { Reading } from './latest-readings.js';
import { contractTermEnd, possibleCancellationDays } from '../domain/subscriptions/contract-terms.js';
import { isCancellationPending, itemEnd, type PriceOf } from '../domain/subscriptions/subscription.js';
import type { SubscriptionItemJson, SubscriptionJson } from './subscription.schema.js';

export interface SubscriptionParts {
  readonly customer: CustomerJson;
  readonly plan: PlanJson | null;
  readonly group: BillingGroupJson | null;
  readonly items: readonly SubscriptionItemRow[];
  readonly pricePlans: ReadonlyMap<string, PricePlanJson>;
  readonly priceOf: PriceOf;
  /** Readings of the items, newest first. */
  readonly values: ReadonlyMap<string, readonly Reading[]>;
  /** That the items' discounts come from. */
  readonly coupons: ReadonlyMap<string, CouponRow>;
  /** The subscription's method; null: the customer's default applies. */
  readonly paymentMethod: PaymentMethodState | null;
  /** The customer that has brought it; null: none. */
  readonly partner: CustomerJson | null;
  /** The plan of a change that waits. */
  readonly nextPlan: PlanJson | null;
  readonly now: Date;
  readonly zone: string;
}

const iso = (at: Date | null): string | null => at?.toISOString() ?? null;
const startIso = (day: Day | null, zone: string): string | null => (day === null ? null : startText(day, zone));

const periodJson = (subscription: SubscriptionRow) => ({
  id: subscription.id,
  contractPeriodCount: subscription.contractPeriodCount ?? 1,
  contractPeriod: subscription.contractPeriod,
  cancellationPeriod: subscription.cancellationPeriod,
  createdAt: subscription.createdAt.toISOString(),
  updatedAt: subscription.updatedAt.toISOString(),
});

const hasTerms = (subscription: SubscriptionRow): boolean =>
  subscription.contractPeriod !== null || subscription.cancellationPeriod !== null;

const embeddedPlan = ({ items: _items, ...plan }: PlanJson) => plan;

/** A price plan where an item embeds it: product, measurement and customer stand beside it. */
const embeddedPricePlan = ({
  product: _product,
  measurement: _measurement,
  customer: _customer,
  ...pricePlan
}: PricePlanJson) => pricePlan;

const latest = (instants: readonly (Date | null)[]): Date | null =>
  instants.reduce((a, b) => (a === null || (b !== null && b > a) ? b : a), null);

/** One item as GET answers it; billing dates are the starts of the customer's days. */
export function representItem(
  item: SubscriptionItemRow,
  subscription: SubscriptionRow,
  parts: Pick<SubscriptionParts, 'pricePlans' | 'plan' | 'zone' | 'values' | 'coupons' | 'items'>,
): SubscriptionItemJson {
  const pricePlan = parts.pricePlans.get(item.pricePlanId) ?? null;
  const measurement = pricePlan?.measurement ?? null;
  const readings = (parts.values.get(item.id) ?? []).filter(({ measurementId }) => measurementId === measurement?.id);
  const values = readings.map(({ id, quantity, measuredAt }) => ({
    id,
    measurement,
    quantity,
    measuredAt: measuredAt.toISOString(),
  }));
  const agreed = {
    id: item.id,
    measurement,
    quantity: item.quantity,
    measuredAt: (item.activatedAt ?? item.createdAt).toISOString(),
  };
  return {
    id: item.id,
    parent: parentOf(item, parts),
    subscriptionId: item.subscriptionId,
    type: item.type,
    status: item.status,
    name: item.name ?? pricePlan?.product.name ?? null,
    description: item.description,
    furtherInformation: null,
    quantity: item.quantity,
    plan: item.type === 'plan' ? parts.plan && embeddedPlan(parts.plan) : null,
    pricePlan: pricePlan && embeddedPricePlan(pricePlan),
    product: pricePlan?.product ?? null,
    measurementValues: values.length === 0 ? [agreed] : values,
    currentMeasurementValue: values[0] ?? agreed,
    billing: {
      lastBilledAt: iso(item.lastBilledAt),
      lastBilledFrom: startIso(item.billedFrom, parts.zone),
      lastBilledTo: startIso(item.billedFrom === null ? null : item.billedTo, parts.zone),
      nextBillingAt: startIso(item.nextDueOn, parts.zone),
      billingInterval: pricePlan?.billingInterval ?? null,
    },
    pendingChange: pendingChange(item, parts.zone),
    pendingChanges: pendingChanges(item, parts.zone),
    startDate: iso(item.startDate) ?? startIso(item.startOn, parts.zone),
    endDate: startIso(itemEnd(subscription, item), parts.zone),
    appliedDiscounts: (item.discounts ?? []).map((discount, n) =>
      appliedDiscount(discount, useOf(item, n), parts.coupons),
    ),
    periods: hasTerms(subscription) ? [periodJson(subscription)] : [],
    inheritedPeriod: true,
    activatedAt: iso(item.activatedAt),
  };
}

function appliedDiscount(
  discount: AppliedDiscount,
  use: DiscountUse,
  coupons: ReadonlyMap<string, CouponRow>,
): SubscriptionItemJson['appliedDiscounts'][number] {
  const { id, couponId, terms, appliedAt } = discount;
  const { name, type, frequency, percentage, fixedAmount, currencyCode, frequencyInterval } = terms;
  const coupon = couponId === null ? undefined : coupons.get(couponId);
  return {
    id,
    coupon: coupon ? embedCoupon(coupon) : null,
    status: statusOf(discount, use),
    discount: {
      name,
      type,
      percentage,
      fixedAmount:
        fixedAmount === null || currencyCode === null ? null : toMoneyJson(money(BigInt(fixedAmount), currencyCode)),
      frequency,
      frequencyInterval,
    },
    appliedIntervals: use.intervals,
    appliedAt,
  };
}

/**
 * What the item becomes: another price or quantity that was agreed, else the latest measured one that is not billed
 * yet.
 */
function pendingChange(item: SubscriptionItemRow, zone: string) {
  const [next] = pendingChanges(item, zone);
  if (next) return { pricePlan: next.pricePlan, quantity: next.quantity, from: next.from };
  const step = item.quantitySteps?.at(-1);
  return step ? { pricePlan: item.pricePlanId, quantity: step.quantity, from: startIso(step.from, zone) } : null;
}

/** Everything that was agreed for later, each with what the item has from then on. */
export function pendingChanges(item: SubscriptionItemRow, zone: string): SubscriptionItemJson['pendingChanges'] {
  let { pricePlanId, quantity } = item;
  return (item.plannedChanges ?? []).map((change) => {
    pricePlanId = change.pricePlanId ?? pricePlanId;
    quantity = change.quantity ?? quantity;
    const { id, kind, credit, from } = change;
    return { id, kind, pricePlan: pricePlanId, quantity, from: startText(from, zone), credit };
  });
}

/** The item that another one belongs to, as it is embedded. */
function parentOf(
  { parentId }: SubscriptionItemRow,
  { items, pricePlans }: Pick<SubscriptionParts, 'items' | 'pricePlans'>,
): SubscriptionItemJson['parent'] {
  const parent = parentId === null ? undefined : items.find(({ id }) => id === parentId);
  if (!parent) return null;
  const { id, type, status } = parent;
  return { id, type, status, name: parent.name ?? pricePlans.get(parent.pricePlanId)?.product.name ?? null };
}

const partnerJson = ({ id, companyName, firstName, lastName, customerNumber, email }: CustomerJson) => ({
  id,
  name: companyName ?? [firstName, lastName].filter((part) => part !== null).join(' '),
  number: customerNumber,
  email,
});

/** A change of the whole plan that waits for its day. */
function planChangeJson(
  { planChange }: SubscriptionRow,
  nextPlan: PlanJson | null,
  zone: string,
): SubscriptionJson['pendingPlanChange'] {
  if (!planChange || !nextPlan) return null;
  const { id, from, credit } = planChange;
  return { id, plan: embeddedPlan(nextPlan), from: startText(from, zone), credit };
}

/** `GET /subscriptions/{id}`. @see docs/rules/subscriptions.md#answer */
export function representSubscription(subscription: SubscriptionRow, parts: SubscriptionParts): SubscriptionJson {
  const { zone, now, items, customer } = parts;
  const nextDays = items.flatMap((item) => item.nextDueOn ?? []).sort();
  const live = subscription.status === 'active' || subscription.status === 'paused' || subscription.status === 'draft';
  const termEnd = contractTermEnd(subscription, now, zone);
  const address = customer.addresses.find(({ id }) => id === subscription.invoiceAddressId);
  return {
    id: subscription.id,
    externalId: subscription.externalId,
    number: subscription.number,
    customer,
    plan: parts.plan && embeddedPlan(parts.plan),
    name: subscription.name ?? parts.plan?.name ?? null,
    items: items.map((item) => representItem(item, subscription, parts)),
    billingGroup: parts.group && {
      id: parts.group.id,
      name: parts.group.name,
      type: parts.group.type,
      customDay: parts.group.customDay,
      customMonth: parts.group.customMonth,
    },
    periods: hasTerms(subscription) ? [periodJson(subscription)] : [],
    status: subscription.status,
    activatedAt: iso(subscription.activatedAt),
    poNumber: subscription.poNumber,
    contractDetails: {
      contractStart: iso(subscription.contractStart ?? subscription.billingStart),
      contractEnd: termEnd === null ? null : startText(termEnd, zone),
    },
    billingStart: iso(subscription.billingStart),
    trialDays: subscription.trialDays,
    trialEndsOn: iso(subscription.trialEndsOn),
    customFields: subscription.customFields,
    paymentMethod: (parts.paymentMethod?.representation ?? null) as SubscriptionJson['paymentMethod'],
    invoiceAddress: address ?? null,
    // A method that was removed leaves its place to the default.
    defaultPaymentMethod: parts.paymentMethod === null,
    defaultInvoiceAddress: subscription.invoiceAddressId === null,
    nextBillingDate: startIso(nextDays[0] ?? null, zone),
    lastBillingAt: iso(latest(items.map((item) => item.lastBilledAt))),
    cancellationDate: iso(subscription.cancellationDate),
    cancelledAt: iso(subscription.cancelledAt),
    cancellationReason: subscription.cancellationReason,
    isCancellationPending: isCancellationPending(subscription),
    nextPossibleCancellationDate: live
      ? possibleCancellationDays(subscription, items, parts.priceOf, now, zone).map((day) => startText(day, zone))
      : [],
    partner: parts.partner && partnerJson(parts.partner),
    pendingPlanChange: planChangeJson(subscription, parts.nextPlan, zone),
    createdAt: subscription.createdAt.toISOString(),
    updatedAt: subscription.updatedAt.toISOString(),
  };
}
