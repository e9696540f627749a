import type { CustomerId, UsageMetricId } from '@kontor/kernel';

/** One period of a subscription item of which the usage is wanted. */
export interface UsagePeriod {
  /** UUID, the same whenever the same period is asked for: the closing's id. */
  id: string;
  itemId: string;
  customerId: CustomerId;
  metricId: UsageMetricId;
  /** ISO instants, half-open. */
  from: string;
  to: string;
  /** Properties of the metric's groupBy whose values choose a price. */
  groupBy: string[];
}

export interface UsageAmount {
  id: string;
  /** Exact decimal, rounded as the metric says. */
  quantity: string;
  /** Only what was asked for by groupBy. */
  groups: { group: Record<string, string>; quantity: string }[];
}

/**
 * usage: `POST /internal/closings` freezes the usage of periods: asked again, an id has the same amounts whatever has arrived since.
 * `POST /internal/closings/preview` answers usage so far and keeps nothing.
 */
export interface CloseUsageRequest {
  periods: UsagePeriod[];
}
export interface CloseUsageResponse {
  amounts: UsageAmount[];
  /** Periods that cannot be measured: `unknown_reference` for a metric or a group that is not there. */
  refused: { id: string; reason: string }[];
  /** Periods that are still being measured: ask again. */
  open: string[];
}
