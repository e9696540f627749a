import { prepared } from '@kontor/kernel';
import type { MessagingDatabase } from '../ports.js';
import type { OffsetStore } from './bus-port.js';

/** What all partitions of a topic were where the bus was the embedded one: up to its position in the producer's log everything was dealt with. */
const embeddedLane = (lane: string): string => `split_part(${lane}, '/', 1)`;

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
    async positions(lanes) {
      const rows = await database.statement<{ topic: string; position: string }>(
        'SELECT topic, position FROM bus_offset WHERE consumer_group = $1 AND topic = ANY($2)',
        [group, lanes],
      );
      return new Map(rows.map(({ topic, position }) => [topic, BigInt(position)]));
    },
    async logPositions(lanes) {
      const rows = await database.statement<{ topic: string; position: string }>(
        `SELECT asked.lane AS topic, max(p.position) AS position
         FROM unnest($2::text[]) AS asked (lane)
         JOIN bus_offset o ON o.consumer_group = $1 AND o.topic IN (asked.lane, ${embeddedLane('asked.lane')})
         CROSS JOIN LATERAL (SELECT CASE o.topic WHEN asked.lane THEN o.log_position ELSE o.position END) AS p (position)
         WHERE p.position >= 0 GROUP BY asked.lane`,
        [group, lanes],
      );
      return new Map(rows.map(({ topic, position }) => [topic, BigInt(position)]));
    },
    async advance(moves, lasting) {
      const lanes = moves.map((move) => move.lane);
      const events = moves.flatMap((move) => move.events.map((event) => ({ ...event, lane: move.lane })));
      const params = [
        group,
        lanes,
        moves.map((move) => move.position.toString()),
        events.map((event) => event.lane),
        events.map((event) => event.position.toString()),
        events.map((event) => event.tenantId),
        events.map((event) => event.type),
        lasting,
        events.map((event) => event.logPosition?.toString() ?? null),
        moves.map((move) => move.first?.toString() ?? null),
      ];
      const isApart = events.some(({ apart }) => apart !== undefined);
      if (isApart) params.push(events.map(({ apart }) => apart ?? null));
      const advance = isApart ? ADVANCE_APART : ADVANCE;
      const known = await database.statement<Moved>(advance, params);
      if (known.length === moves.length) return behindOf(known);
      await database.statement(
        `INSERT INTO bus_offset (consumer_group, topic, position, log_position)
         SELECT $1, m.lane, -1, coalesce(e.position, -1) FROM unnest($2::text[]) AS m (lane)
         LEFT JOIN bus_offset e ON e.consumer_group = $1 AND e.topic = ${embeddedLane('m.lane')}
         ORDER BY m.lane ON CONFLICT DO NOTHING`,
        [group, lanes],
      );
      // Those that were known have moved, and do not count again.
      return behindOf(await database.statement<Moved>(advance, params));
    },
  };
}

interface Moved {
  readonly topic: string;
  readonly behind: boolean;
}

const behindOf = (lanes: readonly Moved[]): readonly string[] =>
  lanes.filter(({ behind }) => behind).map(({ topic }) => topic);

/**
 * Moves lanes on and counts what lies beyond their old positions, each place of the producer's log once: a page whose publishing timed
 * out is on the lane twice. Where the producer's log goes on, a lane whose own positions begin again is followed: its topic was lost and
 * is new. The lanes' rows are locked first: two members that hold one partition for a moment count one after the
 * other. Lanes and counts are written in one order, so that they do not deadlock.
 */
const advanceSql = ({ apart, key, isNew }: { apart: string; key: string; isNew: string }): string => `WITH lane AS (
    SELECT o.topic, o.position, o.log_position, m.position AS target, coalesce(o.position + 1 < m.first, false) AS behind
    FROM bus_offset o JOIN unnest($2::text[], $3::bigint[], $10::bigint[]) AS m (lane, position, first) ON m.lane = o.topic
    WHERE o.consumer_group = $1 AND ($8::boolean OR set_config('synchronous_commit', 'off', true) = 'off')
    ORDER BY o.topic FOR UPDATE OF o
  )${apart}, fresh AS (
    SELECT DISTINCT ON (e.lane, ${key}) e.lane, e.tenant_id, e.type, e.log_position
    FROM lane JOIN unnest($4::text[], $5::bigint[], $6::uuid[], $7::text[], $9::bigint[]${apart && ', $11::uuid[]'})
      AS e (lane, position, tenant_id, type, log_position${apart && ', apart'}) ON e.lane = lane.topic
    WHERE NOT lane.behind AND CASE ${isNew} WHEN e.log_position IS NULL OR lane.log_position < 0 THEN e.position > lane.position
      ELSE e.log_position > lane.log_position END
  ), moved AS (
    UPDATE bus_offset o SET position = lane.target,
      log_position = greatest(lane.log_position, (SELECT max(log_position) FROM fresh WHERE fresh.lane = lane.topic))
    FROM lane
    WHERE o.consumer_group = $1 AND o.topic = lane.topic AND NOT lane.behind
      AND (lane.position < lane.target OR EXISTS (SELECT FROM fresh WHERE fresh.lane = lane.topic))
  ), counted AS (
    INSERT INTO consumed_count AS c (tenant_id, type, n)
    SELECT tenant_id, type, count(*) FROM fresh
    GROUP BY tenant_id, type ORDER BY tenant_id, type
    ON CONFLICT (tenant_id, type) DO UPDATE SET n = c.n + excluded.n
  )
  SELECT topic, behind FROM lane`;

const ADVANCE = prepared(advanceSql({ apart: '', key: 'coalesce(e.log_position, -e.position)', isNew: '' }));

/** With events that were put aside and published later: whichever way they come again, their ids show. */
const ADVANCE_APART = advanceSql({
  apart: `, apart AS (
    INSERT INTO counted_apart (event_id)
    SELECT DISTINCT e.apart FROM lane JOIN unnest($4::text[], $11::uuid[]) AS e (lane, apart) ON e.lane = lane.topic
    WHERE e.apart IS NOT NULL AND NOT lane.behind
    ON CONFLICT DO NOTHING
    RETURNING event_id
  )`,
  key: "coalesce(e.log_position::text, e.apart::text, '-' || e.position)",
  isNew: 'WHEN e.apart IS NOT NULL THEN e.apart IN (SELECT event_id FROM apart)',
});
