import { Post } from '@nestjs/common';
import { Internal } from '@kontor/service-kit';
import { CreateSandboxTenant, type CreatedSandboxTenant } from './create-sandbox-tenant.js';

/** For whoever starts the system: the tenant whose key may do everything. Each call makes one. */
@Internal('first-tenant')
export class FirstTenantController {
  constructor(private readonly createSandboxTenant: CreateSandboxTenant) {}

  @Post()
  create(): Promise<CreatedSandboxTenant> {
    return this.createSandboxTenant.firstTenant();
  }
}
