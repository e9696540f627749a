import { defineService } from '@kontor/service-kit';
import { BillingModule } from './app.module.js';
import { catalogueMigrations } from './db/migrations/index.js';
import { catalogueRows } from './db/rows.js';

/** Everything that both shapes need to run this service. */
export const billingService = defineService({
  name: 'billing',
  module: BillingModule,
  migrations: [...catalogueMigrations],
  rows: [...catalogueRows],
  replicas: ['tenant', 'payment_method'],
});
