import { defineService } from '@kontor/service-kit';
import { PaymentsAppModule } from './app.module.js';
import { paymentsMigrations } from './db/migrations/index.js';
import { brokenInvariants } from './ledger/check-invariants.js';

export { paymentsMigrations } from './db/migrations/index.js';
export { customerAccount, tenantAccount } from './domain/chart-of-accounts.js';
export { type LedgerOperation, operation, walletAdjusted } from './domain/postings.js';
export { type BookingOutcome, bookTransfers } from './ledger/book-transfers.js';

/** Everything that both shapes need to run this service. */
export const paymentsService = defineService({
  name: 'payments',
  module: PaymentsAppModule,
  migrations: paymentsMigrations,
  rows: [],
  replicas: ['tenant', 'customer', 'settings'],
  invariants: brokenInvariants,
});
