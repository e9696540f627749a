import type { ConsumerHandler } from './consumer/consumer-handler.js';
import type { MessagingDatabase } from './ports.js';

/**
 * How far a tenant's events have come here. All services together are quiescent when nothing is unpublished and, for
 * every consumer and event type, `applied` equals the owner's `published`.
 */
export interface MessagingProgress {
  /** Committed outbox rows that the relay has not handed over yet. */
  readonly unpublished: number;
  /** Events of this service ever published, by event type. */
  readonly published: Record<string, number>;
  /** Events ever applied here, by consumer, then event type; a subscribed type that never came is 0. */
  readonly applied: Record<string, Record<string, number>>;
  /** Messages put aside, and those queued behind them. */
  readonly parked: number;
}

interface Counts {
  unpublished: unknown;
  parked: unknown;
  published: Record<string, number> | null;
  applied: { consumer: string; type: string; n: number }[] | null;
}

const QUERY = `select
  (select count(*) from outbox where tenant_id = $1 and id > (select last_id from relay_state)) as unpublished,
  (select count(*) from parked where tenant_id = $1) as parked,
  (select json_object_agg(type, n) from published_count where tenant_id = $1) as published,
  (select json_agg(a) from (select consumer, type, sum(n) as n from applied_count where tenant_id = $1 group by consumer, type) a) as applied`;

/** Reads the counters of one tenant. */
export async function messagingProgress(
  database: MessagingDatabase,
  handlers: readonly ConsumerHandler[],
  tenantId: string,
): Promise<MessagingProgress> {
  const [row] = await database.system((sql) => sql.query<Counts & Record<string, unknown>>(QUERY, [tenantId]));
  const applied: Record<string, Record<string, number>> = {};
  for (const handler of handlers) {
    const types = (applied[handler.consumer] ??= {});
    for (const type of handler.types) types[type] = 0;
  }
  for (const { consumer, type, n } of row?.applied ?? []) {
    const types = applied[consumer];
    if (types && type in types) types[type] = Number(n);
  }
  return { unpublished: Number(row?.unpublished ?? 0), parked: Number(row?.parked ?? 0), published: row?.published ?? {}, applied };
}
