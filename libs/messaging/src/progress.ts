import { allEvents, type Topic } from '@kontor/contracts';
import type { MessagingDatabase } from './ports.js';

/**
 * How far a tenant's events have come here. All services together are quiescent when nothing is unpublished and, for
 * every group and event type, `applied` equals the owner's `published`.
 */
export interface MessagingProgress {
  /** Committed outbox rows that the relay has not handed over yet. */
  readonly unpublished: number;
  /** Events of this service ever published, by event type. */
  readonly published: Record<string, number>;
  /**
   * Events that this service's group has dealt with for good (all its consumers, or none that wants them), by group, then
   * event type; every type of a subscribed topic is named, what never came is 0.
   */
  readonly applied: Record<string, Record<string, number>>;
  /** Messages put aside, here or because the bus refused them, and those queued behind them. */
  readonly parked: number;
}

interface Counts {
  unpublished: unknown;
  parked: unknown;
  published: Record<string, number> | null;
  consumed: Record<string, number> | null;
}

const QUERY = `SELECT
  (SELECT count(*) FROM outbox WHERE tenant_id = $1 AND id > (SELECT last_id FROM relay_state)) AS unpublished,
  (SELECT count(*) FROM parked WHERE tenant_id = $1)
    + (SELECT count(*) FROM outbox_quarantine WHERE tenant_id = $1) AS parked,
  (SELECT json_object_agg(type, n) FROM published_count WHERE tenant_id = $1) AS published,
  (SELECT json_object_agg(type, n) FROM consumed_count WHERE tenant_id = $1) AS consumed`;

/** Reads the counters of one tenant. */
export async function messagingProgress(
  database: MessagingDatabase,
  topics: readonly Topic[],
  tenantId: string,
): Promise<MessagingProgress> {
  const [row] = await database.system((sql) => sql.query<Counts & Record<string, unknown>>(QUERY, [tenantId]));
  const types = allEvents().filter(({ topic }) => topics.includes(topic));
  const consumed = Object.fromEntries(types.map(({ type }) => [type, row?.consumed?.[type] ?? 0]));
  return {
    unpublished: Number(row?.unpublished ?? 0),
    parked: Number(row?.parked ?? 0),
    published: row?.published ?? {},
    applied: types.length === 0 ? {} : { [database.serviceName]: consumed },
  };
}
