/** payments: `POST /internal/payer-pages`. How far the payment of an invoice is. */
export interface PayerStepRequest {
  invoiceId: string;
  /** Where the payer goes on afterwards; a page of ours. */
  redirectUrl: string | null;
}
export interface PayerStepResponse {
  /** `unknown`: payments has not heard of the invoice yet; `open`: nobody collects; `action`: the payer has to act. */
  state: 'unknown' | 'open' | 'pending' | 'action' | 'paid' | 'failed';
  /** The page on which the payer acts, or chooses another way to pay after a failure. */
  link: string | null;
}
