import { defineService } from '@kontor/service-kit';
import { paymentsMigrations } from './db/migrations.js';
import { brokenInvariants } from './ledger/check-invariants.js';
import { PaymentsModule } from './payments.module.js';

export { paymentsMigrations } from './db/migrations.js';
export { customerAccount, tenantAccount } from './domain/chart-of-accounts.js';
export { type LedgerOperation, operation, walletAdjusted } from './domain/postings.js';
export { type BookingOutcome, bookTransfers } from './ledger/book-transfers.js';
export { LedgerWriter } from './ledger/ledger-writer.js';

/** Everything that both shapes need to run this service. */
export const paymentsService = defineService({
  name: 'payments',
  module: PaymentsModule,
  migrations: paymentsMigrations,
  rows: [],
  replicas: ['tenant', 'customer', 'settings'],
  invariants: brokenInvariants,
});
