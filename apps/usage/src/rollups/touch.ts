import type { ClientBase } from 'pg';
import type { RollupRows } from './rollup-rows.js';

/**
 * Notes which customers' usage of watched metrics changed, by the ends of the changed days: they may lie in two months.
 */
export async function touch(client: ClientBase, tenantId: string, rows: RollupRows): Promise<void> {
  const touched = new Map<string, [string, string, string]>();
  for (const { metric, width, customerId, span } of rows.all()) {
    if (!metric.watched || width !== 'day') continue;
    for (const at of [span.from, span.to - 1]) {
      const instant = new Date(at).toISOString();
      // One mark a month and day boundary is enough; groups of a day share it.
      touched.set(`${metric.id} ${customerId} ${instant.slice(0, 10)}`, [metric.id, customerId, instant]);
    }
  }
  if (touched.size === 0) return;
  const marks = [...touched.values()];
  await client.query('SELECT usage_touch($1, $2, $3, $4)', [
    tenantId,
    marks.map((mark) => mark[0]),
    marks.map((mark) => mark[1]),
    marks.map((mark) => mark[2]),
  ]);
}
