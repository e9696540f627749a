import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Database } from '@kontor/persistence';
import { Log } from '@kontor/service-kit';

/** Partitions are made so many days before the first event can need them. */
const DAYS_AHEAD = 7;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The day of an instant in UTC, `2026-11-21`. */
export const utcDay = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** The first day in which events may still arrive: clocks of machines differ. */
export const firstDayInUse = (now: Date): string => utcDay(now.getTime() - DAY_MS);

const UNDEFINED_TABLE = '42P01';
const CHECK_VIOLATION = '23514';

/** Whether events could not be stored because the partition of their day is not there: COPY names it, INSERT looks for it. */
export function isWithoutPartition(error: unknown): boolean {
  const { code, table, constraint } = error as { code?: string; table?: string; constraint?: string };
  return code === UNDEFINED_TABLE || (code === CHECK_VIOLATION && table === 'usage_event' && constraint === undefined);
}

/**
 * The day partitions of the events, made ahead of the machine's time: ids are of it, whatever a tenant's clock says.
 */
@Injectable()
export class DayPartitions implements OnApplicationBootstrap, OnApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly database: Database,
    private readonly log: Log,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.ensure();
    this.timer = setInterval(
      () => void this.ensure().catch((error: unknown) => this.log.error({ err: error }, 'no day partitions were made')),
      HOUR_MS,
    ).unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  /** Makes what is missing from the first day in use to a week from now. */
  async ensure(nowMs = Date.now()): Promise<void> {
    const days = Array.from({ length: DAYS_AHEAD + 2 }, (_, i) => utcDay(nowMs + (i - 1) * DAY_MS));
    await this.database.system((sql) =>
      sql.query('SELECT usage_make_leaf(day) FROM unnest($1::date[]) AS day', [days]),
    );
  }
}
