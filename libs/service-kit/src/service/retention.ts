import {
  type BlobStore,
  type Database,
  forgetOld,
  purgeIdempotencyRecords,
  type RetentionRule,
} from '@kontor/persistence';
import type { InternalClient } from '../internal/internal-client.js';
import type { Log } from '../observability/log.js';
import { removeFiles } from '../personal-data/remove-files.js';
import { tenantIds } from '../replicas/tenant-ids.js';

const FIRST_MS = 60_000;
const HOUR_MS = 3_600_000;

export interface RetentionSettings {
  readonly rules: readonly RetentionRule[];
  readonly idempotencyDays: number;
  /** Where it stores files; null where it has none. */
  readonly blobs: BlobStore | null;
}

/**
 * What was too large for its event goes as late as the event goes from the log of receivers, and stays while an event of that age, or
 * one that was put aside, is not published.
 */
export const largeNoticeRule = (days: number | null): RetentionRule => ({
  table: 'large_notice',
  ids: 'uuid',
  days,
  where: `NOT EXISTS (
      SELECT FROM outbox o
      WHERE o.id > (SELECT last_id FROM relay_state) AND o.day <= (now() AT TIME ZONE 'UTC')::date - ${days ?? 0})
    AND NOT EXISTS (SELECT FROM outbox_quarantine q WHERE q.tenant_id = $1)`,
});

/** Deletes every hour of real time what a service no longer keeps; several replicas may do so side by side. */
export class Retention {
  private timer: NodeJS.Timeout | undefined;
  private readonly stopping = new AbortController();
  private running: Promise<void> = Promise.resolve();

  constructor(
    private readonly database: Database,
    private readonly settings: RetentionSettings,
    private readonly client: InternalClient,
    private readonly log: Log,
  ) {}

  start(): void {
    this.schedule(FIRST_MS);
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    clearTimeout(this.timer);
    await this.running;
  }

  private schedule(ms: number): void {
    if (this.stopping.signal.aborted) return;
    this.timer = setTimeout(() => {
      this.running = this.run().then(() => this.schedule(HOUR_MS));
    }, ms).unref();
  }

  private async run(): Promise<void> {
    const { signal } = this.stopping;
    const rules = this.settings.rules.filter(({ days }) => days !== null);
    try {
      await purgeIdempotencyRecords(this.database, this.settings.idempotencyDays, signal);
      const removed = this.settings.blobs ? await removeFiles(this.database, this.settings.blobs) : 0;
      if (removed > 0) this.log.info({ removed }, 'files that nobody needs were removed');
      if (rules.length === 0) return;
      for await (const tenantId of tenantIds(this.client)) {
        for (const rule of rules) {
          const forgotten = await forgetOld(this.database, tenantId, rule, { signal });
          if (forgotten > 0) this.log.info({ tenantId, table: rule.table, forgotten }, 'old rows were deleted');
        }
        if (signal.aborted) return;
      }
    } catch (error) {
      if (!signal.aborted) this.log.warn({ err: error }, 'old rows could not be deleted, will be tried again');
    }
  }
}
