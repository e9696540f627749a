import { type CustomerData, VOUCHERS } from '@kontor/service-kit';

/** What this service knows of customers: what they did goes, the amounts that were billed stay with the invoices. */
export const customerData: CustomerData = {
  tables: [
    { table: 'usage_event', erasure: 'delete' },
    { table: 'usage_rollup', key: 'ctid', erasure: 'delete' },
    { table: 'usage_breakdown', erasure: 'delete', secret: ['token_hash'] },
    { table: 'usage_threshold_hit', key: 'ctid', erasure: 'delete' },
    { table: 'usage_threshold', erasure: 'delete' },
    { table: 'usage_touched', key: 'ctid', erasure: 'delete' },
    { table: 'usage_closing', erasure: { ...VOUCHERS, from: 't.created_at' } },
  ],
};
