import { defineService } from '@kontor/service-kit';
import { WebhooksModule } from './app.module.js';
import { retention } from './retention.js';
import { webhooksRows } from './rows.js';
import { webhooksMigrations } from './db/migrations.js';
import { customerData } from './customer-data.js';

/** Everything that both shapes need to run this service. */
export const webhooksService = defineService({
  name: 'webhooks',
  module: WebhooksModule,
  migrations: webhooksMigrations,
  rows: webhooksRows,
  replicas: ['tenant', 'customer', 'user'],
  retention,
  customerData,
  sealed: [{ table: 'webhook_endpoint', column: 'secret' }],
});
