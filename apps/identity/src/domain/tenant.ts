import type { TenantState } from '@kontor/contracts';

/** An organisation that bills through this system. */
export interface Tenant {
  readonly tenantId: string;
  readonly version: bigint;
  readonly name: string;
  readonly mode: 'live' | 'sandbox';
  /** Nobody gets in to a suspended one; a closed one is being deleted. */
  readonly status: 'active' | 'suspended' | 'closed';
  readonly plan: 'standard' | 'enterprise';
  readonly features: readonly string[];
  readonly timeZone: string;
  readonly currencyCode: string;
  readonly createdAt: Date;
}

/** Everything that can be switched on per tenant. */
export const FEATURES = ['WalletTopUp', 'customer.hierarchy'] as const;

/** The features of a list that do not exist. */
export const unknownFeatures = (features: readonly string[]): string[] =>
  features.filter((feature) => !(FEATURES as readonly string[]).includes(feature));

/** What other services copy. */
export const tenantState = (tenant: Tenant): TenantState => ({
  id: tenant.tenantId,
  name: tenant.name,
  mode: tenant.mode,
  plan: tenant.plan,
  features: [...tenant.features],
  timeZone: tenant.timeZone,
  currencyCode: tenant.currencyCode,
});

/** `GET /tenant`. */
export const representTenant = (tenant: Tenant) => ({
  ...tenantState(tenant),
  status: tenant.status,
  createdAt: tenant.createdAt.toISOString(),
});
