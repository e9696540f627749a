import type { ChargeLine } from '@kontor/contracts';
import type { CustomerId } from '@kontor/kernel';
import { money, toMoneyJson, toUnitPriceJson } from '@kontor/money';
import { startText } from '../calendar/calendar-cache.js';
import type { ChargeDraft } from './charge.js';
import type { MeteredUse } from '../metering/metered.js';
import { describeLine } from './describe-line.js';
import type { AccountCharge } from './rated-account.js';
import type { Account, BillableProduct, RatingContext, Recipient } from './rating-context.js';
import type { AddressedCharge } from './recipients.js';

/** Name and description of a product in the language of the document. */
export function textsOf(product: BillableProduct, language: string): { name: string; description: string | null } {
  const translated = product.translations?.[language];
  return { name: translated?.name ?? product.name, description: translated?.description ?? product.description };
}

/**
 * A rated line as the event carries it: with its texts in the language of whoever gets it and its period as instants.
 * A line of another customer names that one.
 */
export function chargeLine(
  chargeId: string,
  { charge, subscription, item, account }: AddressedCharge,
  { customerId, language, zone }: Recipient,
  context: RatingContext,
): ChargeLine {
  const product = context.prices.productOf(charge.pricePlanId);
  const { currencyCode } = charge.amount.unitPrice;
  const texts = textsOf(product, language);
  const unit = unitOf(charge, product, context);
  const description = [
    item.description ?? texts.description,
    describeLine(charge.explanation, currencyCode, language),
  ].filter((text) => text !== null && text !== '');
  const name = item.name ?? texts.name;
  return {
    chargeId,
    ...(account.customerId === customerId
      ? {}
      : { customer: { id: account.customerId as CustomerId, name: account.name, number: account.customerNumber } }),
    kind: charge.kind,
    subscriptionId: subscription.id,
    subscriptionName:
      subscription.name ??
      (subscription.planId === null ? null : (context.plans.get(subscription.planId)?.name ?? null)),
    subscriptionNumber: subscription.number,
    poNumber: subscription.poNumber,
    subscriptionCustomFields: subscription.customFields,
    subscriptionItem: {
      id: item.id,
      name,
      description: item.description,
      furtherInformation: null,
      status: item.status,
      subscriptionId: subscription.id,
    },
    product: {
      type: product.type,
      id: product.id,
      ...texts,
      invoiceVisibility: product.invoiceVisibility,
      customFields: product.customFields,
    },
    isGood: product.isGood,
    name,
    description: description.length === 0 ? null : description.join('\n'),
    unit,
    quantity: charge.amount.quantity,
    unitPrice: toUnitPriceJson(charge.amount.unitPrice),
    netAmount: toMoneyJson(money(charge.amount.netMinor, currencyCode)),
    discountAmount:
      charge.amount.discountMinor === 0n ? null : toMoneyJson(money(charge.amount.discountMinor, currencyCode)),
    taxGroupId: product.taxGroupId,
    serviceFrom: startText(charge.serviceFrom, zone),
    serviceTo: startText(charge.serviceTo, zone),
    explanation: charge.explanation as unknown as Record<string, unknown>,
    ...(charge.creditedChargeId === null ? {} : { originalChargeId: charge.creditedChargeId }),
    ...(charge.metered?.closingId && charge.metered.meter.source === 'usage'
      ? { usage: usageSource(charge, charge.metered, account) }
      : {}),
  };
}

/** What a document's page about usage looks up: the frozen amounts behind a line. */
const usageSource = (
  charge: ChargeDraft,
  { meter, closingId }: MeteredUse,
  { zone }: Account,
): NonNullable<ChargeLine['usage']> => ({
  closingId: closingId as string,
  metricId: meter.id,
  metricName: meter.name ?? '',
  quantity: charge.explanation.quantity,
  unit: meter.unit,
  group: null,
  from: startText(charge.serviceFrom, zone),
  to: startText(charge.serviceTo, zone),
});

/** The product's unit, else the metric's; a line that is one amount for a measured quantity counts nothing. */
function unitOf(
  { amount, metered, explanation }: ChargeDraft,
  product: BillableProduct,
  context: RatingContext,
): ChargeLine['unit'] {
  if (
    metered &&
    !(
      amount.slices.length === 1 &&
      amount.slices[0]?.quantity === amount.quantity &&
      explanation.priceType !== 'package'
    )
  )
    return null;
  const unit = product.unitId === null ? undefined : context.units.get(product.unitId);
  if (unit) return { id: unit.id, name: unit.name };
  return metered?.meter.unit ? { id: metered.meter.id, name: metered.meter.unit } : null;
}

/**
 * Whether a document shows the line: some products only when they cost something, corrections only when they change
 * something.
 */
export const isShown = ({ charge }: AccountCharge, context: RatingContext): boolean =>
  charge.amount.netMinor !== 0n ||
  (charge.kind !== 'correction' && context.prices.productOf(charge.pricePlanId).invoiceVisibility === 'always');
