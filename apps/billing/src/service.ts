import { defineService } from '@kontor/service-kit';
import { BillingModule } from './app.module.js';
import { INVARIANTS } from './billing-runs/check-invariants.js';
import { billingMigrations } from './db/migrations/index.js';
import { billingRows } from './db/rows.js';
import { customerData } from './customer-data.js';
import { tenantData } from './tenant-data.js';

/** Everything that both shapes need to run this service. */
export const billingService = defineService({
  name: 'billing',
  module: BillingModule,
  migrations: [...billingMigrations],
  rows: [...billingRows],
  replicas: ['tenant', 'payment_method', 'usage_metric'],
  invariants: INVARIANTS,
  customerData,
  tenantData,
  // With their lines: what became of no customer (a dry run, a refused line) names people whom nobody can have forgotten.
  retention: () => [{ table: 'import', ids: 'uuid', days: 30, where: `t.status = 'completed'` }],
});
