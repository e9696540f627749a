import type { Sql } from '@kontor/kernel';
import type { MessagingDatabase } from '../ports.js';
import type { Consumed, OffsetStore } from './bus-port.js';

/** The offsets and counts of one service's group, in its own database. */
export function offsetStore(database: MessagingDatabase): OffsetStore {
  const group = database.serviceName;
  return {
    load: (lane) =>
      database.system(async (sql) => {
        const rows = await sql.query<{ position: string }>(
          'SELECT position FROM bus_offset WHERE consumer_group = $1 AND topic = $2',
          [group, lane],
        );
        return BigInt(rows[0]?.position ?? 0);
      }),
    advance: (lane, position, events, lasting) =>
      database.system(async (sql) => {
        if (!lasting) await sql.query('set local synchronous_commit = off');
        const old = await lockLane(sql, group, lane);
        if (position <= old) return;
        const counts = countByTenantAndType(events.filter((event) => event.position > old));
        await sql.query(
          `WITH counted AS (
             INSERT INTO consumed_count AS c (tenant_id, type, n) SELECT * FROM unnest($4::uuid[], $5::text[], $6::bigint[])
             ON CONFLICT (tenant_id, type) DO UPDATE SET n = c.n + excluded.n
           )
           UPDATE bus_offset SET position = $3 WHERE consumer_group = $1 AND topic = $2`,
          [
            group,
            lane,
            position.toString(),
            counts.map((c) => c.tenantId),
            counts.map((c) => c.type),
            counts.map((c) => c.n),
          ],
        );
      }),
  };
}

/** The lane's position, its row locked: two members that hold one partition for a moment count one after the other. */
async function lockLane(sql: Sql, group: string, lane: string): Promise<bigint> {
  const select = 'SELECT position FROM bus_offset WHERE consumer_group = $1 AND topic = $2 FOR UPDATE';
  let rows = await sql.query<{ position: string }>(select, [group, lane]);
  if (rows.length === 0) {
    await sql.query(
      'INSERT INTO bus_offset (consumer_group, topic, position) VALUES ($1, $2, -1) ON CONFLICT DO NOTHING',
      [group, lane],
    );
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
