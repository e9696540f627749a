import { Body, Controller, Get, Post, Put } from '@nestjs/common';
import { Type } from '@sinclair/typebox';
import { notFound } from '@kontor/kernel';
import { Database } from '@kontor/persistence';
import { IdParam, Operation, ReplicaFreshness } from '@kontor/service-kit';
import { tenants } from '../db/tenant.row.js';
import { representTenant } from '../domain/tenant.js';
import { OpenTenant } from './open-tenant.js';
import { SetFeatures } from './set-features.js';
import { featuresSchema, tenantSchema } from './tenant.schema.js';
import { SetTenantStatus } from './set-tenant-status.js';
import { FeaturesDto, NewTenantDto } from './tenant.dto.js';

const EXAMPLE_ID = '0199f000-0000-7000-8000-000000000001';
const EXAMPLE_TENANT = {
  id: EXAMPLE_ID,
  name: 'Backhaus Elbe GmbH',
  mode: 'live',
  plan: 'standard',
  features: ['WalletTopUp'],
  timeZone: 'Europe/Berlin',
  currencyCode: 'EUR',
  status: 'active',
  createdAt: '2026-03-01T10:00:00.000Z',
};
const suspended = { ...EXAMPLE_TENANT, status: 'suspended' };

/** What the operator does with any tenant. */
@Controller('tenants')
export class TenantsController {
  constructor(
    private readonly db: Database,
    private readonly freshness: ReplicaFreshness,
    private readonly setFeatures: SetFeatures,
    private readonly openTenant: OpenTenant,
    private readonly setStatus: SetTenantStatus,
  ) {}

  @Post()
  @Operation({
    id: 'createTenant',
    summary: 'Create a tenant with a key for everything; the key is in this answer only',
    description:
      'A live tenant starts without seller data, which its invoices need (`PUT /settings/billing`); a sandbox has an example.',
    tag: 'Tenant',
    permission: 'operator',
    success: 201,
    shownOnce: ['apiKey'],
    response: Type.Object({ tenantId: Type.String({ format: 'uuid' }), apiKey: Type.Optional(Type.String()) }),
    examples: {
      request: { name: 'Backhaus Elbe GmbH', mode: 'live', plan: 'standard', features: ['WalletTopUp'] },
      response: { tenantId: EXAMPLE_ID, apiKey: 'api_Q2q8fJ1xwS0m3k5n7p9r1t3v5x7z9B1D3F5H7J9L1N30a1b2c3' },
    },
  })
  create(@Body() body: NewTenantDto) {
    const { name, mode, plan, features } = body;
    return this.openTenant.execute(
      { name, mode: mode ?? 'live', plan: plan ?? 'standard', features: features ?? [], now: null },
      { name: 'First key', permissions: ['*'] },
    );
  }

  @Get(':id')
  @Operation({
    id: 'getAnyTenant',
    summary: 'Any tenant',
    tag: 'Tenant',
    permission: 'operator',
    response: tenantSchema,
    examples: { response: EXAMPLE_TENANT },
  })
  get(@IdParam() id: string) {
    return this.db.tenant(
      id,
      async (tx) => {
        const tenant = await tenants.findOne(tx, {});
        if (!tenant) throw notFound('The tenant');
        return representTenant(tenant);
      },
      { readOnly: true },
    );
  }

  @Put(':id/suspend')
  @Operation({
    id: 'suspendTenant',
    summary: 'Let nobody in to a tenant any more: keys, customers and apps are refused within a second',
    description:
      'They get 403 `tenant_suspended`. What is due goes on: invoices are finalized and money is booked. So do pages that need no sign-in: ' +
      'orders, offers, payments.',
    tag: 'Tenant',
    permission: 'operator',
    response: tenantSchema,
    examples: { response: suspended },
  })
  async suspend(@IdParam() id: string) {
    return representTenant(await this.setStatus.execute(id, 'suspended'));
  }

  @Put(':id/resume')
  @Operation({
    id: 'resumeTenant',
    summary: 'Let everybody in to a suspended tenant again',
    tag: 'Tenant',
    permission: 'operator',
    response: tenantSchema,
    examples: { response: EXAMPLE_TENANT },
  })
  async resume(@IdParam() id: string) {
    return representTenant(await this.setStatus.execute(id, 'active'));
  }

  @Put(':id/features')
  @Operation({
    id: 'setTenantFeatures',
    summary: "Switch any tenant's features on and off",
    description: 'Replaces the whole list. The other services have it when this answers.',
    tag: 'Tenant',
    permission: 'operator',
    response: featuresSchema,
    examples: { request: { features: ['WalletTopUp'] }, response: { features: ['WalletTopUp'] } },
  })
  async features(@IdParam() id: string, @Body() body: FeaturesDto) {
    const tenant = await this.db.tenant(id, (tx) => this.setFeatures.execute(tx, body.features));
    await this.freshness.copied('tenant', id, id, Number(tenant.version));
    return { features: tenant.features };
  }
}
