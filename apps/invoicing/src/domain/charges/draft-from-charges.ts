import type { ChargeLine, ChargesDue } from '@kontor/contracts';
import { fromUnitPriceJson } from '@kontor/money';
import type { Position } from '../invoices/position.js';

/** Batches of lines that become one document. */
export interface DraftPlan {
  readonly customerId: string;
  readonly currencyCode: string;
  readonly billingDay: string;
  readonly groupingKey: string;
  readonly paymentMethodId: string | null;
  readonly invoiceAddressId: string | null;
  readonly sourceType: ChargesDue['sourceType'];
  readonly immediate: boolean;
  readonly batches: readonly ChargesDue[];
}

/** What finds the open draft that further lines of the same customer and due day join. */
export const joinKey = (of: {
  customerId: string;
  billingDay: string;
  groupingKey: string;
  currencyCode: string;
}): string => `${of.customerId}|${of.billingDay}|${of.groupingKey}|${of.currencyCode}`;

/**
 * Sorts batches into documents: those of a customer, due day and grouping share a document, each immediate one has its
 * own.
 * @see docs/rules/invoices.md#daily-consolidation
 */
export function planDrafts(batches: readonly ChargesDue[]): DraftPlan[] {
  const plans = new Map<string, ChargesDue[]>();
  for (const batch of batches) {
    const key = batch.immediate ? batch.batchId : joinKey(batch);
    const joined = plans.get(key);
    if (joined) joined.push(batch);
    else plans.set(key, [batch]);
  }
  return [...plans.values()].map((joined) => {
    const { customerId, currencyCode, billingDay, groupingKey, ...first } = joined[0] as ChargesDue;
    const { paymentMethodId, invoiceAddressId, sourceType, immediate } = first;
    return {
      customerId,
      currencyCode,
      billingDay,
      groupingKey,
      paymentMethodId,
      invoiceAddressId,
      sourceType,
      immediate,
      batches: joined,
    };
  });
}

/**
 * Lines as positions, numbered on from `after`. The service period's end, excluded in charges, is the last included
 * instant here.
 */
export function positionsOfCharges(
  lines: readonly ChargeLine[],
  into: { invoiceId: string; after: number; now: Date; newId: () => string },
): Position[] {
  return lines.map((line, index): Position => {
    const price = fromUnitPriceJson(line.unitPrice, line.unitPrice.currencyCode);
    const netMinor = BigInt(line.netAmount.amount);
    const discount = BigInt(line.discountAmount?.amount ?? 0);
    return {
      id: into.newId(),
      invoiceId: into.invoiceId,
      ordinal: into.after + index + 1,
      parentId: null,
      groupId: null,
      groupName: null,
      groupRanking: null,
      type: line.kind === 'setup' ? 'setup' : 'product',
      name: line.name,
      description: line.description,
      quantity: line.quantity,
      unitId: line.unit?.id ?? null,
      unitName: line.unit?.name ?? null,
      priceAmount: price.amount,
      pricePrecision: price.precision,
      priceCurrencyCode: price.currencyCode,
      ratedNetMinor: netMinor,
      ratedDiscountMinor: netMinor < 0n && discount > 0n ? -discount : discount,
      discountPercentage: null,
      discountFixedMinor: null,
      taxGroupId: line.taxGroupId,
      isGood: line.isGood,
      product: line.product,
      subscriptionItem: line.subscriptionItem,
      subscription: {
        id: line.subscriptionId,
        name: line.subscriptionName,
        number: line.subscriptionNumber,
        poNumber: line.poNumber,
        customFields: line.subscriptionCustomFields,
        ...(line.customer && { customer: line.customer }),
      },
      chargeId: line.chargeId,
      originalChargeId: line.originalChargeId ?? null,
      usage: line.usage ?? null,
      serviceFrom: new Date(line.serviceFrom),
      serviceLast: lastInstant(new Date(line.serviceFrom), new Date(line.serviceTo)),
      createdAt: into.now,
    };
  });
}

/** The last millisecond of `[from, to)`; an empty period is its own instant. */
const lastInstant = (from: Date, to: Date): Date => (to > from ? new Date(to.getTime() - 1) : from);

/** Distinct subscriptions of some lines, sorted. */
export const subscriptionIdsOf = (lines: readonly Pick<ChargeLine, 'subscriptionId'>[]): string[] =>
  [...new Set(lines.map((line) => line.subscriptionId))].sort();
