import { Injectable } from '@nestjs/common';
import { newUuid } from '@kontor/kernel';
import { Database } from '@kontor/persistence';
import { ReplicaFreshness } from '@kontor/service-kit';
import { CreateApiKey } from '../api-keys/create-api-key.js';
import { FEATURES } from '../domain/tenant.js';
import { ClockServices } from '../sandbox-clock/clock-services.js';
import { CreateTenant } from './create-tenant.js';

export interface NewSandboxTenant {
  readonly name: string;
  readonly plan: 'standard' | 'enterprise';
  readonly features: readonly string[];
  /** Its clock's time from the start; null: real time. */
  readonly now: Date | null;
}

export interface CreatedSandboxTenant {
  readonly tenantId: string;
  /** Shown once. */
  readonly apiKey: string;
}

/** A sandbox tenant with a key for everything, known to all services when this resolves. */
@Injectable()
export class CreateSandboxTenant {
  constructor(
    private readonly db: Database,
    private readonly freshness: ReplicaFreshness,
    private readonly createTenant: CreateTenant,
    private readonly createApiKey: CreateApiKey,
    private readonly clocks: ClockServices,
  ) {}

  async execute(request: NewSandboxTenant, permissions: readonly string[] = ['*']): Promise<CreatedSandboxTenant> {
    const tenantId = newUuid();
    // Before the tenant exists, so that everything created with it bears that time.
    if (request.now) await this.clocks.set(tenantId, request.now);
    const { secret, version } = await this.db.tenant(tenantId, async (tx) => {
      const tenant = await this.createTenant.execute(tx, { ...request, mode: 'sandbox' });
      const key = await this.createApiKey.execute(tx, { name: 'Start-up key', permissions, expiresAt: null });
      return { secret: key.secret, version: Number(tenant.version) + 1 };
    });
    await this.freshness.copied('tenant', tenantId, tenantId, version);
    return { tenantId, apiKey: secret };
  }

  /** The tenant and key of a first start: enterprise, every feature, and `operator`. */
  firstTenant(): Promise<CreatedSandboxTenant> {
    return this.execute({ name: 'Sandbox', plan: 'enterprise', features: FEATURES, now: null }, ['*', 'operator']);
  }
}
