import { type TenantData, VOUCHERS } from '@kontor/service-kit';

/** What stays of a tenant that is deleted: the amounts that were billed. */
export const tenantData: TenantData = {
  kept: [{ table: 'usage_closing', ...VOUCHERS, from: 't.created_at' }],
  shared: [
    { table: 'usage_tenant', of: 't.tenant_id = $1' },
    { table: 'usage_intake_parked', of: 't.tenant = $1::text' },
  ],
};
