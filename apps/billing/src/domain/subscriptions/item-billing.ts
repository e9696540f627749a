import type { Day } from '@kontor/kernel';
import type { ItemDiscounts } from '../discounts/applied-discount.js';
import type { Meter } from '../metering/metered.js';
import type { PriceTerms } from '../rating/price-terms.js';
import type { PlannedChanges } from './planned-change.js';

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
  /** Measured quantities that are not billed yet (fair billing in advance), by day; null: none. */
  readonly quantitySteps: readonly QuantityStep[] | null;
  /** How often charged time was credited and charged anew. */
  readonly revision?: number;
}
