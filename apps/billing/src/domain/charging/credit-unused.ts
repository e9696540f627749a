import { type Day, daysBetween } from '@kontor/kernel';
import { onceForm, payable, rateLine } from '../rating/rate-line.js';
import type { BilledCharge, ChargeablePrice, ChargeDraft, CreditedCharge } from './charge.js';

export interface UnusedCredit {
  readonly lines: ChargeDraft[];
  readonly credited: CreditedCharge[];
}

const latest = (a: Day, b: Day): Day => (a > b ? a : b);

/**
 * Gives back what was billed in advance from a day on: billed − rounded used part, so that both sum to what was billed.
 * Prices without proRata give nothing back.
 */
export function creditUnused(
  itemId: string,
  from: Day,
  dueOn: Day,
  billed: readonly BilledCharge[],
  priceOf: (pricePlanId: string) => ChargeablePrice,
): UnusedCredit {
  const lines: ChargeDraft[] = [];
  const credited: CreditedCharge[] = [];
  for (const charge of billed) {
    const price = priceOf(charge.pricePlanId);
    if (charge.usedTo <= from || !price.proRata || price.oneTime || price.meter) continue;
    const usedTo = latest(from, charge.serviceFrom);
    const usedAmount = usedPart(charge, usedTo, price);
    credited.push({ id: charge.id, itemId, usedTo, usedAmount });
    if (usedAmount < charge.usedAmount) lines.push(creditLine(itemId, charge, usedTo, usedAmount, dueOn, price));
  }
  return { lines, credited };
}

/** The price of the used days, rounded, and never more than what was billed. */
function usedPart(charge: BilledCharge, usedTo: Day, price: ChargeablePrice): bigint {
  const days = daysBetween(charge.serviceFrom, usedTo);
  if (days === 0) return 0n;
  const used = payable(rateLine(price, charge.quantity, { days, of: daysBetween(charge.intervalFrom, charge.intervalTo) }));
  return used < charge.usedAmount ? used : charge.usedAmount;
}

function creditLine(itemId: string, charge: BilledCharge, from: Day, used: bigint, dueOn: Day, price: ChargeablePrice): ChargeDraft {
  const netMinor = used - charge.usedAmount;
  const period = { from, to: charge.usedTo };
  const interval = { from: charge.intervalFrom, to: charge.intervalTo };
  return {
    kind: 'credit',
    itemId,
    pricePlanId: charge.pricePlanId,
    quantity: charge.quantity,
    dueOn,
    serviceFrom: from,
    serviceTo: charge.usedTo,
    intervalFrom: charge.intervalFrom,
    intervalTo: charge.intervalTo,
    amount: { ...onceForm(netMinor, price.currencyCode), netMinor, discountMinor: 0n, slices: [], minimumApplied: false },
    creditedChargeId: charge.id,
    explanation: {
      period,
      interval,
      days: { used: daysBetween(from, charge.usedTo), of: daysBetween(interval.from, interval.to) },
      priceType: price.type,
      quantity: charge.quantity,
      freeUnits: price.freeUnits,
      slices: [],
      discounts: [],
      minimumPrice: false,
      credit: { billed: Number(charge.usedAmount), used: Number(used) },
    },
  };
}
