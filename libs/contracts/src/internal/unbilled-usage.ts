/** billing: `GET /internal/unbilled-usage` answers since when usage is still to be billed, or corrected. */
export interface UnbilledUsageResponse {
  /** The first such day (`2026-11-21`), of the customer whose it is; null: all is billed. */
  since: string | null;
}
