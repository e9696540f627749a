import { Body, Controller, Post } from '@nestjs/common';
import { Operation } from '@kontor/service-kit';
import { CreateSandboxTenant } from './create-sandbox-tenant.js';
import { createdTenantSchema } from './tenant.schema.js';
import { NewSandboxTenantDto } from './tenant.dto.js';

@Controller('sandbox/tenants')
export class SandboxTenantController {
  constructor(private readonly createSandboxTenant: CreateSandboxTenant) {}

  @Post()
  @Operation({
    id: 'createSandboxTenant',
    summary: 'Create a further sandbox tenant with a key of its own',
    description: 'With `now` its clock stands there from the start; without, it is real until first advanced.',
    tag: 'Sandbox',
    permission: 'operator',
    success: 201,
    response: { ...createdTenantSchema, required: ['tenantId'] },
    shownOnce: ['apiKey'],
  })
  create(@Body() body: NewSandboxTenantDto) {
    return this.createSandboxTenant.execute({
      name: body.name,
      plan: body.plan ?? 'standard',
      features: body.features ?? [],
      now: body.now ? new Date(body.now) : null,
    });
  }
}
