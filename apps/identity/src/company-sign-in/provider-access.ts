import { Injectable } from '@nestjs/common';
import type { TenantTx } from '@kontor/persistence';
import { type Reach, reachOf, SecretBox, ServiceConfig } from '@kontor/service-kit';
import { type IdentityProviderRow, identityProviders } from '../db/identity-provider.row.js';
import { type TenantRow, tenants } from '../db/tenant.row.js';
import { COMPANY_CALLBACK_PATH } from '../users/account-paths.js';
import type { KnownProvider } from './ask-provider.js';

export interface TenantProvider {
  readonly tenant: TenantRow;
  readonly row: IdentityProviderRow;
  readonly provider: KnownProvider;
}

/** A tenant's identity provider, ready to be asked. */
@Injectable()
export class ProviderAccess {
  constructor(
    private readonly secrets: SecretBox,
    private readonly config: ServiceConfig,
  ) {}

  /** What the company registers with its provider. */
  get callbackUrl(): string {
    return `${this.config.publicUrl}${COMPANY_CALLBACK_PATH}`;
  }

  /** Null where the tenant has none, or is suspended. */
  async of(tx: TenantTx): Promise<TenantProvider | null> {
    const [tenant, row] = [await tenants.findOne(tx, {}), await identityProviders.findOne(tx, {})];
    return tenant?.status === 'active' && row ? { tenant, row, provider: this.open(tenant, row) } : null;
  }

  open(tenant: Pick<TenantRow, 'mode'>, row: IdentityProviderRow): KnownProvider {
    return {
      issuer: row.issuer,
      clientId: row.clientId,
      clientSecret: this.secrets.open(row.clientSecret, row.id),
      reach: this.reachOf(tenant),
    };
  }

  /** How far its addresses may lead. */
  reachOf({ mode }: Pick<TenantRow, 'mode'>): Reach {
    return reachOf(mode, this.config.publicUrl);
  }

  seal(secret: string, id: string): string {
    return this.secrets.seal(secret, id);
  }
}
