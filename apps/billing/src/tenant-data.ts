import { type TenantData, VOUCHERS } from '@kontor/service-kit';

/** What stays of a tenant that is deleted: what its invoices are based on. */
export const tenantData: TenantData = {
  kept: [
    { table: 'charge', ...VOUCHERS, from: 't.created_at' },
    { table: 'charge_batch', ...VOUCHERS, from: 't.created_at' },
  ],
};
