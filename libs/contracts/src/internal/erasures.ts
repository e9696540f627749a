/** What an anonymization took away in one place. */
export interface RemovedData {
  /** The table, or `events`: what was in the log of published events. */
  what: string;
  count: number;
}

/** What an anonymization left, and until when. */
export interface KeptData {
  what: string;
  count: number;
  /** The last day, `YYYY-MM-DD`. */
  until: string;
  reason: string;
}

/**
 * billing → every service: `POST /internal/customers/:id/erasure` takes away a part of what is known of a customer, and is asked
 * again until nothing is left to wait for. `removed` counts all that was ever removed.
 */
export interface ErasureResponse {
  done: boolean;
  removed: RemovedData[];
  kept: KeptData[];
  /** What is still to come, in words. */
  waiting: string[];
  /** The day, `YYYY-MM-DD`, from which more of what is kept may go; null when nothing is kept. */
  nextTerm: string | null;
}

/**
 * identity → every service: `POST /internal/tenant-erasure` takes away a part of what is known of the tenant, and is asked again until
 * nothing is left to wait for. It answers an {@link ErasureResponse}.
 */
export interface TenantErasureRequest {
  /** Nothing has to stay: it was a sandbox. */
  wholly: boolean;
}

/** identity → every other service: `PUT /internal/tenant-erasure/closing`: the tenant stands still, or goes on. */
export interface TenantClosingRequest {
  closed: boolean;
}

/** billing → every service: `POST /internal/customers/:id/erasure` takes away a part of what is known of a customer that is anonymized. */
export interface CustomerErasureRequest {
  /** That in which it says nothing about a person any more. */
  version: number;
}

/** billing → every service: `GET /internal/customers/:id/obstacles`. Empty: the customer may be anonymized. */
export interface ErasureObstaclesResponse {
  obstacles: { code: string; message: string }[];
}
