import type { Sql } from '@kontor/kernel';
import type { MessagingDatabase } from '../ports.js';
import type { Consumed, OffsetStore } from './bus-port.js';

/** The offsets and counts of one service's group, in its own database. */
export function offsetStore(database: MessagingDatabase): OffsetStore {
  const group = database.serviceName;
  return {
    load: (lane) =>
      database.system(async (sql) => {
        const rows = await sql.query<{ position: string }>('select position from bus_offset where consumer_group = $1 and topic = $2', [
          group,
          lane,
        ]);
        return BigInt(rows[0]?.position ?? 0);
      }),
    advance: (lane, position, events, lasting) =>
      database.system(async (sql) => {
        if (!lasting) await sql.query('set local synchronous_commit = off');
        const old = await lockLane(sql, group, lane);
        if (position <= old) return;
        const counts = countByTenantAndType(events.filter((event) => event.position > old));
        await sql.query(
          `with counted as (
             insert into consumed_count as c (tenant_id, type, n) select * from unnest($4::uuid[], $5::text[], $6::bigint[])
             on conflict (tenant_id, type) do update set n = c.n + excluded.n
           )
           update bus_offset set position = $3 where consumer_group = $1 and topic = $2`,
          [group, lane, position.toString(), counts.map((c) => c.tenantId), counts.map((c) => c.type), counts.map((c) => c.n)],
        );
      }),
  };
}

/** The lane's position, its row locked: two members that hold one partition for a moment count one after the other. */
async function lockLane(sql: Sql, group: string, lane: string): Promise<bigint> {
  const select = 'select position from bus_offset where consumer_group = $1 and topic = $2 for update';
  let rows = await sql.query<{ position: string }>(select, [group, lane]);
  if (rows.length === 0) {
    await sql.query('insert into bus_offset (consumer_group, topic, position) values ($1, $2, -1) on conflict do nothing', [group, lane]);
    rows = await sql.query<{ position: string }>(select, [group, lane]);
  }
  return BigInt(rows[0]!.position);
}

/** In one order, so that lanes of the same tenants do not deadlock. */
function countByTenantAndType(events: readonly Consumed[]): { tenantId: string; type: string; n: number }[] {
  const counts = new Map<string, { tenantId: string; type: string; n: number }>();
  for (const { tenantId, type } of events) {
    const entry = counts.get(`${tenantId}${type}`) ?? { tenantId, type, n: 0 };
    entry.n++;
    counts.set(`${tenantId}${type}`, entry);
  }
  return [...counts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, entry]) => entry);
}
