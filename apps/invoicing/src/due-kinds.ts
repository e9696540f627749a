/** Kinds of due work, by which the runner finds their handlers. */

/** Tries to finalize a blocked draft again. */
export const BLOCKED_WORK = 'invoicing.blocked';

/** Reminds of what is overdue, each day. */
export const DUNNING_WORK = 'invoicing.dunning';

/** Renders the file of a finalized document. */
export const RENDER_WORK = 'invoicing.render';

/** Looks after a document whose PDF the tenant's own system has not rendered in time. */
export const AWAITED_PDF_WORK = 'invoicing.awaited-pdf';

/** Finds out what became of a payment whose answer did not arrive. */
export const PAYMENT_WORK = 'invoicing.payment-operation';

/** Fetches the central bank's exchange rates for a live tenant. */
export const RATES_WORK = 'invoicing.exchange-rates';
