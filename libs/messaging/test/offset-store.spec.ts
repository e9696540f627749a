import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { newUuid } from '@kontor/kernel';
import { testPostgresUrl } from '@kontor/testing';
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
        const advance = (): Promise<void> => store.advance(lane(n), page.at(-1)!.position, page, lasting);
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
