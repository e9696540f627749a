import type { Day } from '@kontor/kernel';
import type { Meter, MeteredUse } from '../metering/metered.js';
import type { ExplainedDiscount } from '../rating/discount.js';
import type { PriceSlice } from '../rating/price-terms.js';
import type { RatedAmount } from '../rating/rate-line.js';

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
