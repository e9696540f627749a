import { defineService } from '@kontor/service-kit';
import { IdentityModule } from './app.module.js';
import { ApiKeyRow } from './db/api-key.row.js';
import { CustomerSessionRow } from './db/customer-session.row.js';
import { tenants } from './db/migrations/0001_tenants.js';
import { sandboxClocks } from './db/migrations/0002_sandbox_clocks.js';
import { SandboxClockRow } from './db/sandbox-clock.row.js';
import { TenantRow } from './db/tenant.row.js';

export const identityService = defineService({
  name: 'identity',
  module: IdentityModule,
  migrations: [tenants, sandboxClocks],
  rows: [TenantRow, ApiKeyRow, CustomerSessionRow, SandboxClockRow],
  replicas: ['customer'],
});
