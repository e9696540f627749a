import { type UsageAmount, usageCorrectionV1 } from '@kontor/contracts';
import { appendEvents } from '@kontor/messaging';
import {
  completeDueMany,
  Database,
  type DueBatch,
  DueHandler,
  type DueWorker,
  type TenantTx,
} from '@kontor/persistence';
import { Log } from '@kontor/service-kit';
import { Injectable } from '@nestjs/common';
import { MeasureClosings } from './measure-closings.js';
import { stillExact } from './still-exact.js';
import { type UsageClosingRow, usageClosings } from './usage-closing.row.js';

/** Also written by the functions that change rollups. */
export const CLOSING_TOUCHED = 'usage.closing';

const TOO_LATE =
  'usage arrived, or was voided, too late to correct what was billed: the other events of its period are removed';

/** A closing that is being measured is tried again until it is. */
const LOCK_TIMEOUT_MS = 2_000;

/**
 * Measures closed periods anew in which events were stored or voided, and publishes the first change of each. From then
 * on the closing is over: billing closes the period again, and that closing is watched.
 */
@Injectable()
@DueHandler({ kind: CLOSING_TOUCHED, batchSize: 200 })
export class TouchedClosingsHandler implements DueWorker {
  constructor(
    private readonly database: Database,
    private readonly measure: MeasureClosings,
    private readonly log: Log,
  ) {}

  async handle({ tenantId, now, items }: DueBatch): Promise<void> {
    await this.database.tenant(
      tenantId,
      async (tx) => {
        const changed = await this.changed(
          tx,
          items.map(({ ref }) => ref),
        );
        await usageClosings.update(
          tx,
          changed.map((closing) => ({ ...closing, watched: false })),
          ['watched'],
        );
        await appendEvents(tx, usageCorrectionV1, changed.map(corrected));
        await completeDueMany(
          tx,
          CLOSING_TOUCHED,
          items.map((item) => ({ item, nextDueAt: null })),
        );
      },
      { now },
    );
  }

  /**
   * Those that no longer are what they say. One without amounts will be measured, with everything that touched it: one
   * that is being measured is waited for, because it may have been read before. Where retention has
   * removed events that it is measured from, and where the metric means something else now, nothing can be measured anew.
   */
  private async changed(tx: TenantTx, ids: readonly string[]): Promise<UsageClosingRow[]> {
    await tx.query(`SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`);
    const rows = await tx.query<UsageClosingRow>(
      `SELECT ${usageClosings.selectOf('c')}
       FROM usage_closing c
       JOIN usage_metric m ON m.tenant_id = c.tenant_id AND m.id = c.metric_id AND usage_metric_meaning(m) = c.meaning
       WHERE c.tenant_id = $1 AND c.id = ANY($2::uuid[]) AND c.watched
       ORDER BY c.id
       FOR UPDATE OF c`,
      [tx.tenantId, ids],
    );
    const amounts = rows.filter(({ value }) => value !== null);
    const found = await this.measure.execute(tx, amounts);
    const exact = await stillExact(tx, amounts);
    const late = amounts.length - exact.size;
    if (late > 0) this.log.warn({ tenantId: tx.tenantId, closings: late }, TOO_LATE);
    return amounts.filter((row) => {
      if (!exact.has(row.id)) return false;
      const now = found.get(row.id);
      if (!now) return false;
      const { value, groups } = now;
      return (
        value !== row.value ||
        groupsText(groups.map(({ group, value: quantity }) => ({ group, quantity }))) !== groupsText(row.groups ?? [])
      );
    });
  }
}

/** Groups in one order and spelling; one of zero is as good as none. */
const groupsText = (groups: UsageAmount['groups']): string =>
  groups
    .filter(({ quantity }) => quantity !== '0')
    .map(({ group, quantity }) => JSON.stringify([Object.entries(group).sort(), quantity]))
    .sort()
    .join();

const corrected = ({ id, itemId, customerId, metricId, fromAt, toAt }: UsageClosingRow) => ({
  aggregateId: id,
  aggregateSeq: 1,
  payload: {
    closingId: id,
    itemId,
    customerId,
    metricId,
    period: { from: fromAt.toISOString(), to: toAt.toISOString() },
  },
});
