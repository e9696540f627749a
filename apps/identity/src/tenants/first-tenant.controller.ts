import { Post } from '@nestjs/common';
import { Internal } from '@kontor/service-kit';
import { CreateSandboxTenant } from './create-sandbox-tenant.js';
import type { CreatedTenant } from './open-tenant.js';

/** For whoever starts the system: the tenant whose key may do everything. Each call makes one. */
@Internal('first-tenant')
export class FirstTenantController {
  constructor(private readonly createSandboxTenant: CreateSandboxTenant) {}

  @Post()
  create(): Promise<CreatedTenant> {
    return this.createSandboxTenant.firstTenant();
  }
}
