import { defineService } from '@kontor/service-kit';
import { UsageModule } from './app.module.js';
import { usageMigrations } from './db/migrations/index.js';
import { usageRows } from './rows.js';
import { INVARIANTS } from './event-store/check-invariants.js';
import { customerData } from './customer-data.js';
import { tenantData } from './tenant-data.js';

/** What customers consumed, event by event. */
export const usageService = defineService({
  name: 'usage',
  module: UsageModule,
  migrations: usageMigrations,
  rows: usageRows,
  replicas: ['tenant', 'customer', 'settings'],
  ingest: true,
  invariants: INVARIANTS,
  customerData,
  tenantData,
});
