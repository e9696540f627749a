import { Body, Controller, Get, Put } from '@nestjs/common';
import type { Principal } from '@kontor/contracts';
import { Database } from '@kontor/persistence';
import { Caller, Operation, ReplicaFreshness } from '@kontor/service-kit';
import { tenants } from '../db/tenant.row.js';
import { representTenant } from '../domain/tenant.js';
import { SetFeatures } from './set-features.js';
import { featuresSchema, tenantSchema } from './tenant.schema.js';
import { FeaturesDto } from './tenant.dto.js';

@Controller('tenant')
export class TenantController {
  constructor(
    private readonly db: Database,
    private readonly freshness: ReplicaFreshness,
    private readonly setFeatures: SetFeatures,
  ) {}

  @Get()
  @Operation({
    id: 'getTenant',
    summary: 'The organisation of this token',
    tag: 'Tenant',
    permission: 'settings:read',
    whenClosed: true,
    response: tenantSchema,
  })
  get(@Caller() caller: Principal) {
    return this.db.tenant(caller.tenantId, async (tx) => representTenant(await tenants.findOneOrFail(tx, {})), {
      readOnly: true,
    });
  }

  @Get('features')
  @Operation({
    id: 'getFeatures',
    summary: 'Features that are switched on',
    tag: 'Tenant',
    permission: 'operator',
    response: featuresSchema,
  })
  getFeatures(@Caller() caller: Principal) {
    return this.db.tenant(
      caller.tenantId,
      async (tx) => ({ features: (await tenants.findOneOrFail(tx, {})).features }),
      { readOnly: true },
    );
  }

  @Put('features')
  @Operation({
    id: 'setFeatures',
    summary: 'Switch features on and off',
    tag: 'Tenant',
    permission: 'operator',
    response: featuresSchema,
  })
  async putFeatures(@Caller() caller: Principal, @Body() body: FeaturesDto) {
    const tenant = await this.db.tenant(caller.tenantId, (tx) => this.setFeatures.execute(tx, body.features));
    await this.freshness.copied('tenant', tenant.tenantId, tenant.tenantId, Number(tenant.version));
    return { features: tenant.features };
  }
}
