import { Body, Controller, Put } from '@nestjs/common';
import { Database } from '@kontor/persistence';
import { IdParam, Operation, ReplicaFreshness } from '@kontor/service-kit';
import { SetFeatures } from './set-features.js';
import { FeaturesDto } from './tenant.dto.js';

/** What the operator does with any tenant. */
@Controller('tenants')
export class TenantsController {
  constructor(
    private readonly db: Database,
    private readonly freshness: ReplicaFreshness,
    private readonly setFeatures: SetFeatures,
  ) {}

  @Put(':id/features')
  @Operation({
    id: 'setTenantFeatures',
    summary: "Switch any tenant's features on and off",
    description: 'Replaces the whole list. The other services have it when this answers.',
    tag: 'Tenant',
    permission: 'operator',
    examples: { request: { features: ['WalletTopUp'] }, response: { features: ['WalletTopUp'] } },
  })
  async features(@IdParam() id: string, @Body() body: FeaturesDto) {
    const tenant = await this.db.tenant(id, (tx) => this.setFeatures.execute(tx, body.features));
    await this.freshness.copied('tenant', id, id, Number(tenant.version));
    return { features: tenant.features };
  }
}
