import { newUuid, type Tx } from '@kontor/kernel';

export type NumberSeries = 'customer' | 'subscription';
const PREFIX: Readonly<Record<NumberSeries, string>> = { customer: 'K-', subscription: 'S-' };
const FIRST = 10_001;

/**
 * The next running number of a tenant (`K-10001`, `S-10001`). Its row is the transaction's last lock: take the number
 * right before the insert. Gaps after a rollback cannot occur, holes where people chose numbers themselves can.
 */
export async function nextNumber(tx: Tx, series: NumberSeries): Promise<string> {
  const [number] = await nextNumbers(tx, series, 1);
  return number!;
}

/** For what is rolled back: it takes no number, and waits for nobody who takes one. */
export const noNumber = (): string => newUuid();

/** {@link nextNumber} for several, ascending. */
export async function nextNumbers(tx: Tx, series: NumberSeries, count: number): Promise<string[]> {
  if (count === 0) return [];
  const [row] = await tx.query<{ number: number }>(
    `INSERT INTO number_series (tenant_id, series, next) VALUES ($1, $2, $3 + $4::int)
     ON CONFLICT (tenant_id, series) DO UPDATE SET next = number_series.next + $4::int
     RETURNING (next - $4::int)::int AS number`,
    [tx.tenantId, series, FIRST, count],
  );
  return Array.from({ length: count }, (_, n) => `${PREFIX[series]}${Number(row?.number) + n}`);
}
