import type { Day } from '@kontor/kernel';
import type { UsedQuantity } from '../rating/rate-usage.js';

/** What measures the quantity of an item, in place of an agreed one. */
export interface Meter {
  readonly source: 'usage' | 'measurement';
  /** Of the usage metric or the measurement. */
  readonly id: string;
  /** Properties whose values choose a price; empty: one amount. */
  readonly groupBy: readonly string[];
  /** For people. */
  readonly name: string | null;
  readonly unit: string | null;
}

/** A period of an item whose quantity is measured. Days are the customer's, half-open. */
export interface MeteredPeriod {
  readonly meter: Meter;
  readonly itemId: string;
  readonly from: Day;
  readonly to: Day;
  readonly intervalFrom: Day;
  readonly intervalTo: Day;
  /**
   * How often the same days of the item have been measured before: because they were charged anew, and for corrections.
   */
  readonly itemRevision: number;
  readonly corrections: number;
}

/** What was measured in a period. Exact decimals. */
export interface MeteredQuantity extends UsedQuantity {
  /** The frozen amounts that it comes from; null where the source freezes none. */
  readonly closingId: string | null;
}

/** What of a line was measured, as it is stored and shown. */
export interface MeteredUse extends MeteredQuantity {
  readonly meter: Meter;
}

/** A request for the quantity of a metered period, with what its source needs to find it. */
export interface QuantityRequest extends MeteredPeriod {
  /** A UUID that the same period has again and again: its closing's. */
  readonly key: string;
  readonly customerId: string;
  readonly subscriptionId: string;
  /** The period as instants, half-open. */
  readonly fromInstant: Date;
  readonly toInstant: Date;
}

/** Why a period has no quantity. */
export interface Unmeasured {
  readonly reason: string;
  /** The source did not answer in time: a later request may succeed. */
  readonly retryable: boolean;
}

/** Measured quantities by the key of their request. */
export type Measured = ReadonlyMap<string, MeteredQuantity | Unmeasured>;

export const isUnmeasured = (found: MeteredQuantity | Unmeasured): found is Unmeasured => 'reason' in found;
