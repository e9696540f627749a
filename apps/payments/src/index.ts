import { defineService } from '@kontor/service-kit';
import { PaymentsAppModule } from './app.module.js';
import { paymentsMigrations } from './db/migrations/index.js';
import { paymentsRows } from './rows.js';
import { INVARIANTS } from './operations/check-invariants.js';
import { customerData } from './customer-data.js';
import { tenantData } from './tenant-data.js';

export { paymentsMigrations } from './db/migrations/index.js';
export { customerAccount, tenantAccount } from './domain/ledger/chart-of-accounts.js';
export { type LedgerOperation, operation, walletAdjusted } from './domain/ledger/postings.js';
export { type BookingOutcome, bookTransfers } from './ledger/index.js';

/** Everything that both shapes need to run this service. */
export const paymentsService = defineService({
  name: 'payments',
  module: PaymentsAppModule,
  migrations: paymentsMigrations,
  rows: [...paymentsRows],
  replicas: ['tenant', 'customer', 'settings'],
  invariants: INVARIANTS,
  customerData,
  tenantData,
  sealed: [
    { table: 'payment_method', column: 'secret' },
    { table: 'sepa_order', column: 'iban_secret' },
  ],
  retention: (config) => [
    {
      table: 'gateway_notice',
      ids: 'uuid',
      days: config.days('GATEWAY_NOTICE_DAYS', 90),
      where: 't.processed_at IS NOT NULL',
    },
  ],
});
