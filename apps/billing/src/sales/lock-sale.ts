import type { TenantTx } from '@kontor/persistence';

/** Who sells, offers or withdraws the same waits here, before there is a row that could be locked. */
export const lockSale = (tx: TenantTx, id: string): Promise<unknown> =>
  tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`sale ${tx.tenantId} ${id}`]);
