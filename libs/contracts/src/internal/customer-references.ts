/** Every service that keeps objects of customers: `GET /internal/customers/:id/references`. Empty: it may be deleted. */
export interface CustomerReferencesResponse {
  /** Kinds of objects that refer to the customer: `invoice`, `payment_method`. */
  references: string[];
}
