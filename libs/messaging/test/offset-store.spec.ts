import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { newUuid } from '@kontor/kernel';
import { testPostgresUrl } from '@kontor/testing';
import type { LaneMove } from '../src/bus/bus-port.js';
import { offsetStore } from '../src/bus/offset-store.js';
import { createDatabase, counted, recounted, type TestDatabase } from './world.js';

let database: TestDatabase;

beforeAll(async () => void (database = await createDatabase(testPostgresUrl(), 'invoicing')));
afterAll(() => database.close());

it.each([[true], [false]])(
  'each event counts once, whatever comes together and again (lasting: %s)',
  async (lasting) => {
    const store = offsetStore(database);
    const tenants = [newUuid(), newUuid()];
    const lane = (n: number): string => `billing.customer/${lasting}/${n}`;
    const events = Array.from({ length: 40 }, (_, position) => ({
      position: BigInt(position),
      logPosition: BigInt(position),
      tenantId: tenants[position % 2]!,
      type: (position % 3 === 0 ? recounted : counted).type,
    }));
    const pagesOf = async (n: number): Promise<void> => {
      for (let from = 0; from < events.length; from += 4) {
        // Another member that holds the lane for a moment, and a page that comes again with what follows it.
        const page = events.slice(Math.max(from - 4, 0), from + 4);
        const advance = (): Promise<readonly string[]> =>
          store.advance([{ lane: lane(n), position: page.at(-1)!.position, events: page }], lasting);
        await Promise.all([advance(), advance()]);
      }
    };
    await Promise.all(Array.from({ length: 8 }, (_, n) => pagesOf(n)));
    const rows = await database.rows<{ n: number }>(
      'SELECT sum(n)::int AS n FROM consumed_count WHERE tenant_id = ANY ($1) GROUP BY tenant_id',
      [tenants],
    );
    expect(rows).toEqual([{ n: 160 }, { n: 160 }]);
    expect(await store.load(lane(3))).toBe(39n);
  },
);

it('lanes move together, those that are new as well, and what comes again counts once', async () => {
  const store = offsetStore(database);
  const tenantId = newUuid();
  const move = (n: number, from: number): LaneMove => ({
    lane: `billing.customer/together/${n}`,
    position: BigInt(from + 1),
    events: [from, from + 1].map((place) => {
      const position = BigInt(place);
      return { position, logPosition: position, tenantId, type: counted.type };
    }),
  });
  const lanes = [3, 1, 2];
  await store.advance([move(1, 0)], true);
  // Two members that hold the same lanes for a moment, in another order.
  await Promise.all(
    [lanes, lanes.toReversed()].map((order) =>
      store.advance(
        order.map((n) => move(n, 0)),
        true,
      ),
    ),
  );
  await store.advance([move(1, 0), move(2, 1)], true);
  expect(await database.rows('SELECT n::int FROM consumed_count WHERE tenant_id = $1', [tenantId])).toEqual([{ n: 7 }]);
  expect(await Promise.all(lanes.map((n) => store.load(`billing.customer/together/${n}`)))).toEqual([1n, 1n, 2n]);
});

it('a lane whose positions begin again is followed as far as the log of its producer goes on', async () => {
  const store = offsetStore(database);
  const tenantId = newUuid();
  const lane = 'billing.customer/lost/0';
  const advance = (position: number, logPosition: number | null): Promise<readonly string[]> => {
    const place = { position: BigInt(position), logPosition: logPosition === null ? null : BigInt(logPosition) };
    return store.advance(
      [{ lane, position: place.position, events: [{ ...place, tenantId, type: counted.type }] }],
      true,
    );
  };
  await advance(7, 100);
  await advance(0, 101);
  await advance(1, null);
  await advance(0, 101);
  await advance(2, 100);
  expect(await store.load(lane)).toBe(2n);
  expect(await store.logPositions([lane, 'billing.customer/none/0'])).toEqual(new Map([[lane, 101n]]));
  expect(await database.rows('SELECT n::int FROM consumed_count WHERE tenant_id = $1', [tenantId])).toEqual([{ n: 3 }]);
});

it('an event that was put aside and published later counts once, where it comes first and when its topic was lost', async () => {
  const store = offsetStore(database);
  const tenantId = newUuid();
  const apart = newUuid();
  const lane = (n: number): string => `billing.customer/apart/${n}`;
  const advance = (n: number, ...places: readonly (readonly [number, number | null])[]): Promise<readonly string[]> => {
    const events = places.map(([position, log]) => ({
      position: BigInt(position),
      logPosition: log === null ? null : BigInt(log),
      ...(log === null && { apart }),
      tenantId,
      type: counted.type,
    }));
    return store.advance([{ lane: lane(n), position: events.at(-1)!.position, events }], true);
  };
  const count = async (): Promise<unknown> =>
    (await database.rows<{ n: number }>('SELECT n::int FROM consumed_count WHERE tenant_id = $1', [tenantId]))[0]?.n;
  // The lane is new, and its publishing was tried twice.
  await advance(1, [0, null], [1, null]);
  expect(await count()).toBe(1);
  await advance(1, [2, 8], [3, null]);
  expect(await count()).toBe(2);
  // The topic was lost and made anew: it comes among what this group has dealt with, and before what it has not.
  await advance(1, [0, null], [1, 8], [2, 9]);
  await advance(1, [0, null]);
  expect(await count()).toBe(3);
  // Who had not read it when the topic was lost, but what stood behind its place.
  const other = newUuid();
  await store.advance(
    [{ lane: lane(2), position: 5n, events: [{ position: 5n, logPosition: 50n, tenantId, type: counted.type }] }],
    true,
  );
  await store.advance(
    [
      {
        lane: lane(2),
        position: 0n,
        events: [{ position: 0n, logPosition: null, apart: other, tenantId, type: counted.type }],
      },
    ],
    true,
  );
  expect(await count()).toBe(5);
});

it('a partition goes on where its topic was read to while it had none', async () => {
  const store = offsetStore(database);
  const tenantId = newUuid();
  const events = (...places: number[]): LaneMove['events'] =>
    places.map((place) => ({
      position: BigInt(place),
      logPosition: BigInt(place),
      tenantId,
      type: counted.type,
    }));
  await store.advance([{ lane: 'billing.moved', position: 7n, events: events(5, 6, 7) }], false);
  // As an earlier version left it, which did not keep it twice.
  await database.rows('UPDATE bus_offset SET log_position = -1');
  const lane = 'billing.moved/0';
  expect(await store.logPositions([lane])).toEqual(new Map([[lane, 7n]]));
  expect(await store.positions([lane])).toEqual(new Map());
  const again = events(6, 7, 8).map((event, n) => ({ ...event, position: BigInt(n) }));
  await store.advance([{ lane, position: 2n, events: again }], true);
  expect(await store.logPositions([lane])).toEqual(new Map([[lane, 8n]]));
  expect(await database.rows('SELECT n::int FROM consumed_count WHERE tenant_id = $1', [tenantId])).toEqual([{ n: 4 }]);
});
