/** payments: `GET /internal/checkout-methods?currency=`. The ways to pay that a checkout can offer for money of a currency. */
export interface CheckoutMethodsResponse {
  gateways: string[];
  /** For direct debits by a mandate that the buyer gives on the page. */
  mandate: {
    creditorLines: string[];
    creditorIdentifier: string;
    /** By language: the paragraphs of the mandate, and what the buyer agrees to. */
    texts: Record<'de' | 'en', { title: string; paragraphs: string[]; consent: string }>;
  } | null;
}

/** payments: `GET /internal/checkout-methods/customers/:id?currency=`. Those of a customer that can pay money of a currency now. */
export interface StoredMethodsResponse {
  data: {
    id: string;
    gatewayName: string;
    type: string | null;
    name: string | null;
    data: string[];
    default: boolean;
  }[];
}
