/** identity → every service: `GET /internal/clock/:tenantId`. Counters are per tenant; equal means quiescent. */
export interface ClockProgress {
  now: string;
  /** Earliest due work, ISO instant. */
  nextDue: string | null;
  claimed: number;
  /** Outbox rows not yet published. */
  unpublished: number;
  /** Events ever published by this service, by topic. */
  published: Record<string, number>;
  /** Events ever applied here, by `consumer` then topic. */
  applied: Record<string, Record<string, number>>;
  parked: number;
}
