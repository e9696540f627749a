/**
 * invoicing: `POST /internal/billed-taxes` answers how charges were taxed when they were billed, and what is left of them.
 * Amounts are minor units of the document's currency, as text; those of a line are after its discount.
 */
export interface BilledTaxesRequest {
  chargeIds: string[];
}
export interface BilledTaxesResponse {
  /** Charges of which no finalized document has a line are missing. */
  lines: BilledTaxJson[];
  /** Charges that were taken off their draft: they were never billed, and nothing of them goes back. */
  removed: string[];
}
export interface BilledTaxJson {
  chargeId: string;
  currencyCode: string;
  category: string;
  /** Percent, decimal text. */
  rate: string;
  noteKey: string | null;
  tax: { id: string; code: string; rate: string; description: string | null } | null;
  billedMinor: string;
  netMinor: string;
  taxMinor: string;
}
