import { Injectable } from '@nestjs/common';
import { newUuid } from '@kontor/kernel';
import { Database } from '@kontor/persistence';
import { ReplicaFreshness } from '@kontor/service-kit';
import { CreateApiKey } from '../api-keys/create-api-key.js';
import { ClockServices } from '../sandbox-clock/clock-services.js';
import { CreateTenant, type NewTenant } from './create-tenant.js';

export interface CreatedTenant {
  readonly tenantId: string;
  /** Shown once. */
  readonly apiKey: string;
}

/** Creates a tenant with its first key, known to all services when this resolves. */
@Injectable()
export class OpenTenant {
  constructor(
    private readonly db: Database,
    private readonly freshness: ReplicaFreshness,
    private readonly createTenant: CreateTenant,
    private readonly createApiKey: CreateApiKey,
    private readonly clocks: ClockServices,
  ) {}

  /** `now`: where a sandbox's clock stands from the start; null: real time. */
  async execute(
    request: NewTenant & { readonly now: Date | null },
    key: { readonly name: string; readonly permissions: readonly string[] },
  ): Promise<CreatedTenant> {
    const tenantId = newUuid();
    // Before the tenant exists, so that everything created with it bears that time.
    if (request.now) await this.clocks.set(tenantId, request.now);
    let version = 0;
    // What the request is answered: so that it is kept under its Idempotency-Key without the secret.
    const created = await this.db.tenant(tenantId, async (tx): Promise<CreatedTenant> => {
      const tenant = await this.createTenant.execute(tx, request);
      const { secret } = await this.createApiKey.execute(tx, { ...key, expiresAt: null });
      version = Number(tenant.version) + 1;
      return { tenantId, apiKey: secret };
    });
    await this.freshness.copied('tenant', tenantId, tenantId, version);
    return created;
  }
}
