import { CLOSED, tenantClosed } from '@kontor/service-kit';
import type { Tenant } from '../domain/tenant.js';

/**
 * What a principal may do in a tenant: in a closed one, who may do everything may still do what is allowed then, and nobody else anything.
 * @throws DomainError 403 `tenant_closed`
 */
export function permissionsIn(tenant: Pick<Tenant, 'status'>, permissions: readonly string[]): string[] {
  if (tenant.status !== 'closed') return [...permissions];
  if (!permissions.includes('*')) throw tenantClosed();
  return [...permissions, CLOSED];
}
