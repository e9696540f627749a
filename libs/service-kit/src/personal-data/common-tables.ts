import type { CustomerTable } from './customer-table.js';

/**
 * Tables of the libs in every service. A copy of the customer itself is overwritten by its last event; copies of what belongs to it go,
 * and are fetched from their owner where they are needed again.
 */
export const COMMON_TABLES: readonly CustomerTable[] = [
  {
    table: 'replica',
    of: `t.kind <> 'customer' AND t.data->>'customerId' = $2::text`,
    key: 'ctid',
    erasure: 'delete',
  },
];
