import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Database, scheduleDueMany } from '@kontor/persistence';
import { requestScope } from '@kontor/persistence';
import { type FollowUp, UpdateRollups } from './update-rollups.js';

/** Due work of this capability; all of it on real time, because answers are right without it. */
export const BUILD_ROLLUPS = 'usage.rollups.build';
export const PURGE_ROLLUPS = 'usage.rollups.purge';
export const REPAIR_ROLLUPS = 'usage.rollups.repair';
export const CHECK_THRESHOLDS = 'usage.thresholds.check';

/** How long changes are collected before their background work is scheduled. */
const COLLECT_MS = 200;

/** Schedules what changed usage leaves to do, once for many changes and never in the transactions that make them. */
@Injectable()
export class RollupWork implements OnModuleDestroy {
  private readonly waiting = new Map<string, FollowUp>();
  private timer: NodeJS.Timeout | undefined;
  private stopped = false;

  constructor(
    private readonly database: Database,
    keep: UpdateRollups,
  ) {
    keep.onFollowUp((tenantId, work) => this.add(tenantId, work));
  }

  onModuleDestroy(): void {
    this.stopped = true;
    clearTimeout(this.timer);
  }

  private add(tenantId: string, work: FollowUp): void {
    const before = this.waiting.get(tenantId);
    this.waiting.set(tenantId, {
      repair: work.repair || (before?.repair ?? false),
      thresholds: work.thresholds || (before?.thresholds ?? false),
    });
    if (this.stopped) return;
    this.timer ??= requestScope.exit(() => setTimeout(() => void this.flush(), COLLECT_MS).unref());
  }

  private async flush(): Promise<void> {
    this.timer = undefined;
    const waiting = [...this.waiting];
    this.waiting.clear();
    for (const [tenantId, { repair, thresholds }] of waiting) {
      const kinds = [...(repair ? [REPAIR_ROLLUPS] : []), ...(thresholds ? [CHECK_THRESHOLDS] : [])];
      const dueAt = new Date();
      // What fails here is done with the tenant's next change; thresholds are also checked every minute.
      await this.database
        .tenant(tenantId, (tx) =>
          scheduleDueMany(
            tx,
            kinds.map((kind) => ({ kind, ref: tenantId, dueAt, wall: true })),
          ),
        )
        .catch(() => undefined);
    }
  }
}
