import { defineService } from '@kontor/service-kit';
import { UsageModule } from './app.module.js';
import { usageMigrations } from './db/migrations/index.js';
import { UsageEventRow } from './db/usage-event.row.js';
import { UsageBreakdownRow } from './db/usage-breakdown.row.js';
import { UsageImportRow } from './db/usage-import.row.js';
import { brokenInvariants } from './ingest/check-invariants.js';

/** What customers consumed, event by event. */
export const usageService = defineService({
  name: 'usage',
  module: UsageModule,
  migrations: usageMigrations,
  rows: [UsageEventRow, UsageImportRow, UsageBreakdownRow],
  replicas: ['tenant', 'customer', 'settings'],
  ingest: true,
  invariants: brokenInvariants,
});
