import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Database, frozenClock, Replicas, type TenantTx } from '@kontor/persistence';
import { Log } from '@kontor/service-kit';
import {
  correctableSince,
  DEFAULT_RETENTION_DAYS,
  leafIsOver,
  nextRemovalAt,
  retainedSince,
} from '../domain/partitions/retention.js';
import { earliestArrival } from './arrival.js';
import { firstDayInUse } from './day-partitions.js';
import { UnbilledUsage } from './unbilled-usage.js';

const EVERY_MS = 3_600_000;
const FIRST_AFTER_MS = 5 * 60_000;
/** Rows of one statement: short locks, and room for others in between. */
const BATCH = 5_000;
const BUSY = '55P03';
/** Since when a tenant keeps its events for whom billing does not answer: nothing is removed. */
const NOT_KNOWN = new Date(0);

interface TenantRetention {
  readonly tenantId: string;
  readonly since: Date;
  readonly now: Date;
  /** A sandbox clock says nothing about the real days of the leaves. */
  readonly frozen: boolean;
}

/**
 * Removes events that are older than their tenant keeps them (`usageRetentionDays`, counted from `createdAt` by the
 * tenant's clock), unless something is still to be billed or corrected by them. A day is dropped whole when no tenant needs it; a
 * tenant that keeps less than others loses its rows in bounded batches before that. Rollups and the keys of
 * transactionIds stay.
 */
@Injectable()
export class Retention implements OnApplicationBootstrap, OnApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;
  private stopped = false;
  private running: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly database: Database,
    private readonly replicas: Replicas,
    private readonly unbilled: UnbilledUsage,
    private readonly log: Log,
  ) {}

  onApplicationBootstrap(): void {
    this.after(FIRST_AFTER_MS);
  }

  async onApplicationShutdown(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.running;
  }

  /** One round over all tenants and days; several processes may be at it at once. It is the database's time. */
  async run(): Promise<{ removed: number; dropped: string[] }> {
    const present = await this.database.askTime();
    const tenants: TenantRetention[] = [];
    for (const tenantId of await this.tenants()) tenants.push(await this.retentionOf(tenantId, present));
    const dropped: string[] = [];
    for (const day of await this.leaves(firstDayInUse(present))) {
      if (!(await this.isOver(day, tenants))) continue;
      // The rows of a day that is to be dropped are not removed one by one: the next round drops it.
      if (!(await this.drop(day, tenants))) return { removed: 0, dropped };
      dropped.push(day);
    }
    let removed = 0;
    for (const tenant of tenants) removed += await this.removeRows(tenant);
    return { removed, dropped };
  }

  /** Removes what a tenant keeps no longer by its own clock. Returns when there may be more to remove. */
  async runOf(tenantId: string): Promise<Date> {
    const present = await this.database.askTime();
    const tenant = await this.retentionOf(tenantId, present);
    if (tenant.since === NOT_KNOWN) return new Date(tenant.now.getTime() + EVERY_MS);
    await this.removeRows(tenant);
    const [oldest] = await this.database.tenant(tenantId, (tx) =>
      tx.query<{ createdAt: Date }>(
        'SELECT created_at AS "createdAt" FROM usage_event WHERE tenant_id = $1 ORDER BY id LIMIT 1',
        [tenantId],
      ),
    );
    return nextRemovalAt(tenant.now, tenant.since, oldest?.createdAt ?? null);
  }

  private after(ms: number): void {
    if (this.stopped) return;
    this.timer = setTimeout(() => {
      this.running = this.run()
        .catch((error: unknown) => this.log.error({ err: error }, 'old usage events were not removed'))
        .finally(() => this.after(EVERY_MS));
    }, ms).unref();
  }

  private tenants(): Promise<string[]> {
    return this.database.system(async (sql) => {
      const rows = await sql.query<{ tenantId: string }>(
        'SELECT tenant_id AS "tenantId" FROM usage_tenant ORDER BY tenant_id',
      );
      return rows.map((row) => row.tenantId);
    });
  }

  private async retentionOf(tenantId: string, present: Date): Promise<TenantRetention> {
    const set = await this.database.tenant(tenantId, (tx) => this.settingsOf(tx, present));
    const needed = await this.unbilled.neededSince(tenantId);
    if (needed === 'unknown') return { ...set, since: NOT_KNOWN };
    return needed && needed < set.since ? { ...set, since: needed } : set;
  }

  private async settingsOf(tx: TenantTx, present: Date): Promise<TenantRetention> {
    const settings = await this.replicas.get<{ usageRetentionDays?: number }>(tx, 'settings', tx.tenantId);
    const clock = await frozenClock(tx, tx.tenantId);
    const now = clock ?? present;
    const set = retainedSince(now, settings?.usageRetentionDays ?? DEFAULT_RETENTION_DAYS);
    const [closing] = await tx.query<{ from: Date | null }>(
      'SELECT min(from_at) AS "from" FROM usage_closing WHERE tenant_id = $1 AND watched AND to_at > $2',
      [tx.tenantId, correctableSince(now)],
    );
    const since = closing?.from && earliestArrival(closing.from) < set ? earliestArrival(closing.from) : set;
    return { tenantId: tx.tenantId, since, now, frozen: clock !== null };
  }

  /** Days before this one that have a leaf, oldest first. Names are compared as they are: other tables' may be looked at, too. */
  private leaves(before: string): Promise<string[]> {
    return this.database.system(async (sql) => {
      const rows = await sql.query<{ day: string }>(
        `SELECT to_char(to_date(right(c.relname, 8), 'YYYYMMDD'), 'YYYY-MM-DD') AS day
         FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
         WHERE i.inhparent = 'usage_event'::regclass AND c.relname < 'usage_event_' || to_char($1::date, 'YYYYMMDD')
         ORDER BY 1`,
        [before],
      );
      return rows.map((row) => row.day);
    });
  }

  private async isOver(day: string, tenants: readonly TenantRetention[]): Promise<boolean> {
    for (const tenant of tenants) {
      if (tenant.frozen ? await this.needs(tenant, day) : !leafIsOver(day, tenant.since)) return false;
    }
    return tenants.length > 0;
  }

  /** False while the table is being read: the next round tries again. */
  private async drop(day: string, tenants: readonly TenantRetention[]): Promise<boolean> {
    try {
      await this.database.system(async (sql) => {
        await storeRawFrom(sql, tenants);
        await sql.query('SELECT usage_drop_leaf($1::date)', [day]);
      });
      return true;
    } catch (error) {
      if ((error as { code?: string }).code === BUSY) return false;
      throw error;
    }
  }

  /**
   * Whether a tenant with a clock of its own still keeps an event that arrived on this day: its last one there is the
   * youngest.
   */
  private needs({ tenantId, since }: TenantRetention, day: string): Promise<boolean> {
    return this.database.tenant(tenantId, async (tx) => {
      const rows = await tx.query<{ createdAt: Date }>(
        `SELECT created_at AS "createdAt"
         FROM usage_event
         WHERE tenant_id = $1 AND id >= usage_id_floor($2::timestamptz)
           AND id < usage_id_floor($2::timestamptz + interval '1 day')
         ORDER BY id DESC
         LIMIT 1`,
        [tenantId, `${day}T00:00:00Z`],
      );
      return rows[0] !== undefined && rows[0].createdAt >= since;
    });
  }

  private async removeRows(tenant: TenantRetention): Promise<number> {
    const { tenantId, since } = tenant;
    let removed = 0;
    for (let batch = BATCH; batch === BATCH && !this.stopped; removed += batch) {
      batch = await this.database.tenant(tenantId, async (tx) => {
        // Ids ascend with createdAt, so the first ones are the oldest. Whole days, so that what is dropped soon is left
        // alone.
        const rows = await tx.query(
          `DELETE FROM usage_event
           WHERE tenant_id = $1 AND created_at < date_trunc('day', $2::timestamptz, 'UTC') AND id <= (
             SELECT id
             FROM (SELECT id FROM usage_event WHERE tenant_id = $1 ORDER BY id LIMIT ${BATCH}) first
             ORDER BY id DESC
             LIMIT 1)
           RETURNING 1`,
          [tenantId, since],
        );
        if (rows.length > 0) await storeRawFrom(tx, [tenant]);
        return rows.length;
      });
    }
    return removed;
  }
}

/**
 * From when on the raw events are complete: what lies before cannot be measured or built anew. In the transaction that removes some, so that
 * whoever misses events knows it.
 */
async function storeRawFrom(sql: Pick<TenantTx, 'query'>, tenants: readonly TenantRetention[]): Promise<void> {
  await sql.query(
    `UPDATE usage_tenant t SET raw_from = greatest(t.raw_from, e.since)
     FROM unnest($1::uuid[], $2::timestamptz[]) AS e (tenant_id, since)
     WHERE t.tenant_id = e.tenant_id`,
    [tenants.map(({ tenantId }) => tenantId), tenants.map(({ since }) => since)],
  );
}
