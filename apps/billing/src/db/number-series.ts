import type { Tx } from '@kontor/kernel';

export type NumberSeries = 'customer' | 'subscription';
const PREFIX: Readonly<Record<NumberSeries, string>> = { customer: 'K-', subscription: 'S-' };
const FIRST = 10_001;

/**
 * The next running number of a tenant (`K-10001`, `S-10001`). Its row is the transaction's last lock: take the number
 * right before the insert. Gaps after a rollback cannot occur, holes where people chose numbers themselves can.
 */
export async function nextNumber(tx: Tx, series: NumberSeries): Promise<string> {
  const [row] = await tx.query<{ number: number }>(
    `INSERT INTO number_series (tenant_id, series, next) VALUES ($1, $2, $3 + 1)
     ON CONFLICT (tenant_id, series) DO UPDATE SET next = number_series.next + 1
     RETURNING next - 1 AS number`,
    [tx.tenantId, series, FIRST],
  );
  return `${PREFIX[series]}${row?.number}`;
}
