import { defineService } from '@kontor/service-kit';
import { IdentityModule } from './app.module.js';
import { ApiKeyRow } from './db/api-key.row.js';
import { CustomerSessionRow } from './db/customer-session.row.js';
import { tenants } from './db/migrations/0001_tenants.js';
import { TenantRow } from './db/tenant.row.js';

export const identityService = defineService({
  name: 'identity',
  module: IdentityModule,
  migrations: [tenants],
  rows: [TenantRow, ApiKeyRow, CustomerSessionRow],
  replicas: ['customer'],
});
