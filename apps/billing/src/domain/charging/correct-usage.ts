import type { Day } from '@kontor/kernel';
import { formatDecimal, subtractDecimal } from '@kontor/money';
import { freeUnitsOf } from '../proration/free-units.js';
import { daysOf, shareOf } from '../proration/share.js';
import { discountsOfLine, type ExplainedDiscount } from '../rating/discount.js';
import { onceForm, payable } from '../rating/rate-line.js';
import { quantityOf, rateUsage } from '../rating/rate-usage.js';
import type { ChargeDraft } from './charge.js';
import type { ChargeablePrice } from '../subscriptions/item-billing.js';
import { usageOf } from './item-line.js';
import { type Meter, type MeteredPeriod, type MeteredQuantity, type MeteredUse } from '../metering/metered.js';

/** A billed period whose usage has changed since. */
export interface BilledUsage {
  /** The period's first line. */
  readonly chargeId: string;
  /** The closing that is no longer true: the last one that was billed. */
  readonly closingId: string;
  readonly itemId: string;
  readonly itemRevision: number;
  readonly pricePlanId: string;
  readonly serviceFrom: Day;
  readonly serviceTo: Day;
  readonly intervalFrom: Day;
  readonly intervalTo: Day;
  /** What it was billed with, corrections included. */
  readonly quantity: string;
  /** Minor units charged for it after discounts, corrections included. */
  readonly charged: bigint;
  /** That the period's first line was rated with. */
  readonly discounts: readonly ExplainedDiscount[];
  /** Lines that have corrected it so far. */
  readonly corrections: number;
}

/** The closing that a correction needs. */
export const correctedPeriod = (billed: BilledUsage, meter: Meter): MeteredPeriod => ({
  meter,
  itemId: billed.itemId,
  from: billed.serviceFrom,
  to: billed.serviceTo,
  intervalFrom: billed.intervalFrom,
  intervalTo: billed.intervalTo,
  itemRevision: billed.itemRevision,
  corrections: billed.corrections + 1,
});

/**
 * Rates the whole period again, tiers, free units and minimum price with it, and charges the difference to what was
 * charged for it; less usage is a credit. The line keeps the period's days.
 */
export function correctUsage(
  billed: BilledUsage,
  price: ChargeablePrice,
  meter: Meter,
  measured: MeteredQuantity,
  dueOn: Day,
): ChargeDraft {
  const period = { from: billed.serviceFrom, to: billed.serviceTo };
  const interval = { from: billed.intervalFrom, to: billed.intervalTo };
  const share = shareOf(period, interval, price.proRata);
  const metered: MeteredUse = { ...measured, meter };
  const rated = rateUsage(price, metered, share, discountsOfLine(billed.discounts));
  const netMinor = payable(rated) - billed.charged;
  return {
    kind: 'correction',
    itemId: billed.itemId,
    pricePlanId: billed.pricePlanId,
    quantity: measured.quantity,
    dueOn,
    serviceFrom: period.from,
    serviceTo: period.to,
    intervalFrom: interval.from,
    intervalTo: interval.to,
    amount: {
      ...onceForm(netMinor, price.currencyCode),
      netMinor,
      discountMinor: 0n,
      discounts: [],
      slices: rated.slices,
      minimumApplied: rated.minimumApplied,
    },
    creditedChargeId: billed.chargeId,
    metered,
    explanation: {
      period,
      interval,
      days: daysOf(share),
      priceType: price.type,
      quantity: formatDecimal(subtractDecimal(quantityOf(measured.quantity), quantityOf(billed.quantity))),
      freeUnits: freeUnitsOf(price.freeUnits, share),
      slices: rated.slices,
      discounts: rated.discounts,
      minimumPrice: rated.minimumApplied,
      credit: null,
      usage: {
        ...usageOf(metered),
        correction: { quantity: billed.quantity, billed: Number(billed.charged), now: Number(payable(rated)) },
      },
    },
  };
}
