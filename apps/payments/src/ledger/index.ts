// What other rooms use of the ledger.
export { instantsOf, readSpan, type RequestedSpan, requiredSpanQuery, spanQuery } from './api/read-span.js';
export { PageTransfers, type TransferSpan } from './api/page-transfers.js';
export type { TransferRow } from './api/ledger.read.js';
export { bookAll, type BookingOutcome, bookTransfers } from './book-transfers.js';
export { LedgerModule } from './ledger.module.js';
