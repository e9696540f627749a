import { defineService } from '@kontor/service-kit';
import { UsageModule } from './app.module.js';
import { usageMigrations } from './db/migrations/index.js';
import { UsageEventRow } from './db/usage-event.row.js';

/** What customers consumed, event by event. */
export const usageService = defineService({
  name: 'usage',
  module: UsageModule,
  migrations: usageMigrations,
  rows: [UsageEventRow],
  replicas: ['tenant', 'customer'],
});
