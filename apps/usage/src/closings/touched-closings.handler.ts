import { usageCorrectionV1 } from '@kontor/contracts';
import { appendEvents } from '@kontor/messaging';
import { completeDueMany, Database, type DueBatch, DueHandler, type DueWorker, type TenantTx } from '@kontor/persistence';
import { Injectable } from '@nestjs/common';
import { type ClosedPeriod, MeasureSteadily } from './measure-steadily.js';

/** Also written by the functions that change rollups. */
export const CLOSING_TOUCHED = 'usage.closing';

interface TouchedRow extends ClosedPeriod {
  readonly itemId: string;
  readonly value: string | null;
  readonly groups: { group: Record<string, string>; quantity: string }[];
}

/** One that is being measured is looked at when it is: until then it is tried again. */
const LOCK_TIMEOUT_MS = 2_000;

/**
 * Measures closed periods anew in which events were stored or voided, and tells the first time that one has changed. From then on
 * the closing is over: whoever bills closes the period again, and that closing is watched.
 */
@Injectable()
@DueHandler({ kind: CLOSING_TOUCHED, batchSize: 200 })
export class TouchedClosingsHandler implements DueWorker {
  constructor(
    private readonly database: Database,
    private readonly measure: MeasureSteadily,
  ) {}

  async handle({ tenantId, now, items }: DueBatch): Promise<void> {
    await this.database.tenant(
      tenantId,
      async (tx) => {
        const changed = await this.changed(tx, items.map(({ ref }) => ref)); // prettier-ignore
        await tx.query('UPDATE usage_closing SET watched = false WHERE tenant_id = $1 AND id = ANY($2::uuid[])', [
          tx.tenantId,
          changed.map(({ id }) => id),
        ]);
        await appendEvents(tx, usageCorrectionV1, changed.map(corrected));
        await completeDueMany(tx, CLOSING_TOUCHED, items.map((item) => ({ item, nextDueAt: null }))); // prettier-ignore
      },
      { now },
    );
  }

  /**
   * Those that no longer are what they say. One without amounts will be measured, with everything that touched it: one that is being
   * measured is waited for, because it may have been read before. Where raw
   * events were removed by the tenant's retention, and where the metric means something else now, nothing can be measured anew.
   */
  private async changed(tx: TenantTx, ids: readonly string[]): Promise<TouchedRow[]> {
    await tx.query(`SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`);
    const rows = await tx.query<TouchedRow>(
      `SELECT c.id, c.item_id AS "itemId", c.customer_id AS "customerId", c.metric_id AS "metricId", c.from_at AS "from", c.to_at AS "to",
         c.group_by AS "groupBy", c.value, c.groups
       FROM usage_closing c JOIN usage_metric m ON m.tenant_id = c.tenant_id AND m.id = c.metric_id AND usage_metric_meaning(m) = c.meaning
       LEFT JOIN usage_tenant t ON t.tenant_id = c.tenant_id
       WHERE c.tenant_id = $1 AND c.id = ANY($2::uuid[]) AND c.watched
         AND (t.raw_from IS NULL OR t.raw_from <= c.from_at - interval '1 day')
       ORDER BY c.id FOR UPDATE OF c`,
      [tx.tenantId, ids],
    );
    const amounts = rows.filter(({ value }) => value !== null);
    const found = await this.measure.execute(tx, amounts);
    return amounts.filter((row) => {
      const now = found.get(row.id);
      if (!now) return false;
      const { value, groups } = now;
      return value !== row.value || groupsText(groups.map((one) => ({ group: one.group, quantity: one.value }))) !== groupsText(row.groups);
    });
  }
}

/** Groups in one order and spelling; one of zero is as good as none. */
const groupsText = (groups: TouchedRow['groups']): string =>
  groups
    .filter(({ quantity }) => quantity !== '0')
    .map(({ group, quantity }) => JSON.stringify([Object.entries(group).sort(), quantity]))
    .sort()
    .join();

const corrected = ({ id, itemId, customerId, metricId, from, to }: TouchedRow) => ({
  aggregateId: id,
  aggregateSeq: 1,
  payload: { closingId: id, itemId, customerId, metricId, period: { from: from.toISOString(), to: to.toISOString() } },
});
