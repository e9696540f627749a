import type { TenantTx } from '@kontor/persistence';

/** How many are at it, one within the other. */
const depths = new WeakMap<TenantTx, number>();

/** Does `work` and rolls back what it stored. The surrounding transaction goes on. */
export async function withoutEffect<T>(tx: TenantTx, work: () => Promise<T>): Promise<T> {
  const depth = depths.get(tx) ?? 0;
  await tx.query('savepoint preview');
  depths.set(tx, depth + 1);
  const result = await work().finally(() => depths.set(tx, depth));
  await tx.query('rollback to savepoint preview');
  await tx.query('release savepoint preview');
  return result;
}

/** Whether what is done will be rolled back: then nobody has to wait for it, and it waits for nobody. */
export const isWithoutEffect = (tx: TenantTx): boolean => (depths.get(tx) ?? 0) > 0;
