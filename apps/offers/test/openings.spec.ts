import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { migrationsOf } from '@kontor/service-kit';
import { howMany, testDatabase, type TestDatabase, testService, type TestService } from '@kontor/testing';
import { offersService } from '../src/index.js';
import {
  billing,
  billingIsWell,
  END,
  notices,
  NOW,
  offers,
  published,
  startSelling,
  tenant,
} from './support/selling.js';

const REPLICAS = howMany(4, 16);
const OPENINGS = howMany(200, 1_000);
const AFTER = new Date(Date.parse(END) + 1);

let db: TestDatabase;
const replicas: TestService[] = [];

beforeAll(async () => {
  db = await testDatabase('offers', migrationsOf(offersService), offersService.rows, { now: NOW });
  await startSelling({ db });
  for (let n = 1; n < REPLICAS; n += 1)
    replicas.push(
      await testService(offersService, {
        db,
        now: NOW,
        directory: billing.directory,
        env: { DATABASE_POOL_SIZE: '2' },
      }),
    );
});
afterAll(async () => {
  for (const replica of [...replicas, offers]) await replica?.stop();
  await billing?.stop();
  await db?.drop();
});

it(`${REPLICAS} replicas and ${OPENINGS} openings at once find that an offer is over: it is announced once`, async () => {
  billingIsWell();
  const seller = await tenant();
  const people = [1, 2, 3].map((n) => ({ email: `r${n}@x.example` }));
  const { id, tokens } = await published(seller, {}, people);
  const all = [offers, ...replicas];
  await offers.peek('UPDATE tenant_clock SET now = $2 WHERE tenant_id = $1', [seller.id, AFTER]);
  const open = async (n: number): Promise<number> => {
    const { url } = all[n % all.length]!.service;
    const answer = await fetch(`${url}/public/offers/${tokens[n % tokens.length]}`);
    await answer.arrayBuffer();
    return answer.status;
  };
  const [statuses] = await Promise.all([
    Promise.all(Array.from({ length: OPENINGS }, (_, n) => open(n))),
    ...all.map(({ service }) => service.kit.dueRunner.runDue(seller.id, AFTER)),
  ]);
  // Who is refused for a moment by a service that is busy may come again; nobody sees the offer.
  expect(statuses.filter((status) => status !== 410 && status !== 503)).toEqual([]);
  expect(statuses).toContain(410);
  expect((await notices(id)).filter((type) => type === 'offer.expired')).toHaveLength(1);
});
