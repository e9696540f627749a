import type { UsageMetricId } from '@kontor/kernel';

/** billing: `POST /internal/unbilled-usage` answers since when usage of these metrics is still to be billed. */
export interface UnbilledUsageRequest {
  metricIds: UsageMetricId[];
}
export interface UnbilledUsageResponse {
  /** The first such day (`2026-11-21`), of the customer whose it is; null: all is billed. */
  since: string | null;
}
