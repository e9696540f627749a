import type { MessagingDatabase } from '../ports.js';
import type { OffsetStore } from './bus-port.js';

/** The offsets and counts of one service's group, in its own database. */
export function offsetStore(database: MessagingDatabase): OffsetStore {
  const group = database.serviceName;
  return {
    async load(lane) {
      const rows = await database.statement<{ position: string }>(
        'SELECT position FROM bus_offset WHERE consumer_group = $1 AND topic = $2',
        [group, lane],
      );
      return BigInt(rows[0]?.position ?? 0);
    },
    async advance(lane, position, events, lasting) {
      const params = [
        group,
        lane,
        position.toString(),
        events.map((event) => event.position.toString()),
        events.map((event) => event.tenantId),
        events.map((event) => event.type),
        lasting,
        events.map((event) => event.logPosition?.toString() ?? null),
      ];
      const known = await database.statement(ADVANCE, params);
      if (known.length > 0) return;
      await database.statement(
        'INSERT INTO bus_offset (consumer_group, topic, position) VALUES ($1, $2, -1) ON CONFLICT DO NOTHING',
        [group, lane],
      );
      await database.statement(ADVANCE, params);
    },
  };
}

/**
 * Moves a lane on and counts what lies beyond its old position, each place of the producer's log once: a page whose publishing timed
 * out is on the lane twice. The lane's row is locked first: two members that hold one partition for a moment count one after the
 * other. Counts are written in one order, so that lanes of the same tenants do not deadlock.
 */
const ADVANCE = `WITH lane AS (
    SELECT position, log_position FROM bus_offset
    WHERE consumer_group = $1 AND topic = $2 AND ($7::boolean OR set_config('synchronous_commit', 'off', true) = 'off')
    FOR UPDATE
  ), fresh AS (
    SELECT DISTINCT ON (coalesce(e.log_position, -e.position)) e.tenant_id, e.type, e.log_position
    FROM lane, unnest($4::bigint[], $5::uuid[], $6::text[], $8::bigint[]) AS e (position, tenant_id, type, log_position)
    WHERE e.position > lane.position AND (e.log_position IS NULL OR e.log_position > lane.log_position)
  ), moved AS (
    UPDATE bus_offset o SET position = $3::bigint,
      log_position = greatest(lane.log_position, (SELECT max(log_position) FROM fresh))
    FROM lane
    WHERE o.consumer_group = $1 AND o.topic = $2 AND lane.position < $3::bigint
  ), counted AS (
    INSERT INTO consumed_count AS c (tenant_id, type, n)
    SELECT tenant_id, type, count(*) FROM fresh
    GROUP BY tenant_id, type ORDER BY tenant_id, type
    ON CONFLICT (tenant_id, type) DO UPDATE SET n = c.n + excluded.n
  )
  SELECT position FROM lane`;
