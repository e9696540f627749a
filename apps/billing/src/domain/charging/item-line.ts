import { invariant } from '@kontor/kernel';
import type { Meter, MeteredPeriod, MeteredUse } from '../metering/metered.js';
import type { ServicePeriod } from '../periods/service-periods.js';
import { freeUnitsOf } from '../proration/free-units.js';
import { daysOf } from '../proration/share.js';
import type { Discount } from '../rating/discount.js';
import { type RatedAmount, rateLine } from '../rating/rate-line.js';
import { rateUsage } from '../rating/rate-usage.js';
import type { ChargeablePrice, ItemBilling } from '../subscriptions/item-billing.js';
import type { ChargeDraft, UsageExplanation } from './charge.js';
import type { ItemContext } from './item-context.js';

interface Metering {
  readonly meter: Meter;
  readonly discounts: readonly Discount[];
  readonly context: ItemContext;
}

/** The line of a period whose quantity was measured. */
export function meteredLine(
  state: ItemBilling,
  period: ServicePeriod,
  price: ChargeablePrice,
  { meter, discounts, context }: Metering,
): ChargeDraft {
  invariant(context.measured !== undefined, 'an item with a meter is charged with its measured quantity');
  const { from, to, intervalFrom, intervalTo } = period;
  const metering: MeteredPeriod = {
    meter,
    itemId: state.id,
    from,
    to,
    intervalFrom,
    intervalTo,
    itemRevision: state.revision ?? 0,
    corrections: 0,
  };
  const metered: MeteredUse = { ...context.measured(metering), meter };
  const amount = rateUsage(price, metered, period.share, discounts);
  const line = lineOf({ ...state, quantity: metered.quantity }, period, price, amount);
  return { ...line, metered, explanation: { ...line.explanation, usage: usageOf(metered) } };
}

/** A measured quantity as explanations show it. */
export const usageOf = ({ meter, quantity, groups, closingId }: MeteredUse): UsageExplanation => ({
  source: meter.source,
  id: meter.id,
  name: meter.name,
  unit: meter.unit,
  quantity,
  groups,
  closingId,
});

/** The line of a period whose quantity was agreed. */
export const regularLine = (
  state: ItemBilling,
  period: ServicePeriod,
  price: ChargeablePrice,
  discounts: readonly Discount[],
): ChargeDraft => lineOf(state, period, price, rateLine(price, state.quantity, period.share, discounts));

function lineOf(state: ItemBilling, period: ServicePeriod, price: ChargeablePrice, amount: RatedAmount): ChargeDraft {
  return {
    kind: price.oneTime ? 'setup' : 'regular',
    itemId: state.id,
    pricePlanId: price.id,
    quantity: state.quantity,
    dueOn: period.dueOn,
    serviceFrom: period.from,
    serviceTo: period.to,
    intervalFrom: period.intervalFrom,
    intervalTo: period.intervalTo,
    amount,
    creditedChargeId: null,
    explanation: {
      period: { from: period.from, to: period.to },
      interval: { from: period.intervalFrom, to: period.intervalTo },
      days: daysOf(period.share),
      priceType: price.type,
      quantity: state.quantity,
      freeUnits:
        price.type === 'flat_fee' ? 0 : price.meter ? freeUnitsOf(price.freeUnits, period.share) : price.freeUnits,
      slices: amount.slices,
      discounts: amount.discounts,
      minimumPrice: amount.minimumApplied,
      credit: null,
    },
  };
}
