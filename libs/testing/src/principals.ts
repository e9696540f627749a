import type { Principal } from '@kontor/contracts';
import { newUuid } from '@kontor/kernel';

/** An API key's principal; `*` unless `overrides` says otherwise. */
export const apiKeyPrincipal = (tenantId: string, overrides: Partial<Principal> = {}): Principal => ({
  tenantId,
  kind: 'api_key',
  subjectId: newUuid(),
  permissions: ['*'],
  scopes: [],
  name: 'Test key',
  mode: 'sandbox',
  ...overrides,
});

/** The principal of a customer-bound token. */
export const customerPrincipal = (
  tenantId: string,
  customerId: string,
  overrides: Partial<Principal> = {},
): Principal => ({
  tenantId,
  kind: 'customer',
  subjectId: customerId,
  customerId,
  permissions: [],
  scopes: [],
  mode: 'sandbox',
  ...overrides,
});

/** Another service, as the internal token shows it. */
export const servicePrincipal = (tenantId: string, service: string): Principal => ({
  tenantId,
  kind: 'service',
  subjectId: service,
  permissions: [],
  scopes: [],
});
