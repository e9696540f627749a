import type { Day, Interval } from '@kontor/kernel';
import type { MeteredPeriod, MeteredQuantity } from '../metering/metered.js';
import type { Gap } from '../periods/service-periods.js';
import type { ChargeablePrice } from '../subscriptions/item-billing.js';
import type { ChangeCredit } from '../subscriptions/planned-change.js';
import type { BilledCharge } from './credit-unused.js';
import type { PreviewedLines } from './previewed-lines.js';

/** What an item is charged by. */
export interface ItemContext {
  readonly priceOf: (pricePlanId: string) => ChargeablePrice;
  /** Pauses of the subscription. */
  readonly gaps: readonly Gap[];
  /** First day that is no longer billed: the earlier of the item's and the subscription's end. */
  readonly endsOn: Day | null;
  /** What goes back of what is paid beyond that day; null or absent: the unused days. */
  readonly endCredit?: ChangeCredit | null;
  /** Lines that fall due on or before this day are charged. */
  readonly until: Day;
  /** Anchor of a new interval that begins on a day; the day itself unless a billing group aligns it. */
  readonly anchorFor: (day: Day, interval: Interval) => Day;
  /** Earlier lines that may have to be credited. */
  readonly billed: readonly BilledCharge[];
  /** What was measured in a period that falls due; needed by items with a meter. */
  readonly measured?: (period: MeteredPeriod) => MeteredQuantity;
  /** Counts the lines of a preview. */
  readonly previewed?: PreviewedLines | undefined;
}
