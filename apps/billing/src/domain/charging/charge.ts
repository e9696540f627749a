import type { Day } from '@kontor/kernel';
import type { Meter, MeteredUse } from '../metering/metered.js';
import type { ItemDiscounts } from '../discounts/applied-discount.js';
import type { ExplainedDiscount } from '../rating/discount.js';
import type { PriceSlice, PriceTerms } from '../rating/price-terms.js';
import type { ChangeCredit, PlannedChanges } from './planned-change.js';
import type { RatedAmount } from '../rating/rate-line.js';

/** A price plan as billing needs it. */
export interface ChargeablePrice extends PriceTerms {
  readonly id: string;
  /** Discounts may be for certain products. */
  readonly productId?: string;
  readonly billingInterval: string;
  readonly payInAdvance: boolean;
  readonly proRata: boolean;
  /** Charged once, at the start, whatever the interval. */
  readonly oneTime: boolean;
  /** What measures the quantity; null or absent: it is agreed. Then it is billed at the end of its period. */
  readonly meter?: Meter | null;
}

/** A quantity that holds from a day on. */
export interface QuantityStep {
  readonly from: Day;
  /** Decimal text. */
  readonly quantity: string;
}

/** Where the billing of one subscription item stands; the stored row fits as it is. Days are the customer's. */
export interface ItemBilling extends ItemDiscounts {
  readonly id: string;
  readonly pricePlanId: string;
  /** Decimal text. */
  readonly quantity: string;
  /** First billed day; null until the subscription is active. */
  readonly startOn: Day | null;
  /** Boundaries of its intervals are counted from here. */
  readonly anchorOn: Day | null;
  /** End of what is charged; null: nothing yet. */
  readonly billedTo: Day | null;
  /** From this day on what was billed in advance is credited (a pause, a change) … */
  readonly creditFrom: Day | null;
  /** … with the lines of this day. */
  readonly creditDueOn: Day | null;
  /** Another price or quantity from a day on. */
  readonly plannedChanges: PlannedChanges;
  /** What goes back when it ends inside a paid period; null: the unused days. */
  readonly endCredit?: ChangeCredit | null;
  /** Measured quantities that are not billed yet (fair billing in advance), by day; null: none. */
  readonly quantitySteps: readonly QuantityStep[] | null;
  /** How often charged time was credited and charged anew. */
  readonly revision?: number;
}

export type ChargeKind = 'regular' | 'credit' | 'correction' | 'setup';

/** What a credit leaves of an earlier line. */
export interface CreditedCharge {
  readonly id: string;
  readonly itemId: string;
  readonly usedTo: Day;
  readonly usedAmount: bigint;
}

/** Why a line costs what it costs, for previews, timelines and the document's description. Days; decimals as text. */
export interface Explanation {
  readonly period: { readonly from: Day; readonly to: Day };
  readonly interval: { readonly from: Day; readonly to: Day };
  /** Used days of the interval's days; null for a whole interval. */
  readonly days: { readonly used: number; readonly of: number } | null;
  readonly priceType: string;
  readonly quantity: string;
  readonly freeUnits: number;
  readonly slices: readonly PriceSlice[];
  readonly discounts: readonly ExplainedDiscount[];
  readonly minimumPrice: boolean;
  /** For a credit: what had been billed and what of it was used, in minor units. */
  readonly credit: { readonly billed: number; readonly used: number } | null;
  /** For a measured quantity: what was measured. */
  readonly usage?: UsageExplanation;
}

export interface UsageExplanation {
  readonly source: Meter['source'];
  /** Of the usage metric or the measurement. */
  readonly id: string;
  readonly name: string | null;
  readonly unit: string | null;
  /** Measured in the period, before free units. */
  readonly quantity: string;
  readonly groups: MeteredUse['groups'];
  readonly closingId: string | null;
  /** For a correction: what the period had been billed with, and the amounts before and after in minor units. */
  readonly correction?: { readonly quantity: string; readonly billed: number; readonly now: number };
}

/** The part of an explanation that the columns of a stored line do not have. */
export type StoredExplanation = Omit<Explanation, 'period' | 'interval' | 'quantity'>;

/** A rated line that is not stored yet. */
export interface ChargeDraft {
  readonly kind: ChargeKind;
  readonly itemId: string;
  readonly pricePlanId: string;
  readonly quantity: string;
  readonly dueOn: Day;
  readonly serviceFrom: Day;
  readonly serviceTo: Day;
  readonly intervalFrom: Day;
  readonly intervalTo: Day;
  readonly amount: RatedAmount;
  readonly creditedChargeId: string | null;
  readonly metered?: MeteredUse;
  readonly explanation: Explanation;
}
