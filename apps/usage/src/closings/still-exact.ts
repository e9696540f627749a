import type { TenantTx } from '@kontor/persistence';
import { findMetrics } from '../measurement/find-metrics.js';
import { readExactness } from '../measurement/read-exactness.js';
import type { ClosedPeriod } from './measure-closings.js';

/** Those of closed periods, by their ids, of whose usage retention has removed nothing. Read after they were measured. */
export async function stillExact(tx: TenantTx, closings: readonly ClosedPeriod[]): Promise<Set<string>> {
  if (closings.length === 0) return new Set();
  const isExact = await readExactness(tx);
  const metrics = await findMetrics(
    tx,
    closings.map(({ metricId }) => metricId),
  );
  const exact = closings.filter(({ metricId, fromAt, toAt }) =>
    isExact(metrics.get(metricId)!, { from: fromAt.getTime(), to: toAt.getTime() }),
  );
  return new Set(exact.map(({ id }) => id));
}
