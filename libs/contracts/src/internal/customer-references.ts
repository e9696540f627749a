/**
 * Every service that keeps objects of customers: `GET /internal/customers/:id/references`; invoicing of tax groups:
 * `GET /internal/tax-groups/:id/references`. Empty: it may be deleted.
 */
export interface ReferencesResponse {
  /** Kinds of objects that refer to it: `invoice`, `payment_method`. */
  references: string[];
}

/**
 * `POST /internal/customers/:id/release`, answered as above. Empty: nothing refers to the customer, and nothing will; else it stays as it is.
 * It comes back with a later version.
 */
export interface ReleaseCustomerRequest {
  /** That of its deletion. */
  version: number;
}
