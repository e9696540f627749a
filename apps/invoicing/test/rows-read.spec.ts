import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { eventually, forgetStatistics, statementsReading } from '@kontor/testing';
import { World } from './support/world.js';

/** Documents of a transaction, each with two files. */
const BATCH = 250;
const BATCHES = 6;

let world: World;
beforeAll(async () => {
  world = await World.start();
});
afterAll(async () => {
  await world.expectInvariants();
  await world.stop();
});

it('finalizes charges and renders files reading no row again and again, before the server knows its tables', async () => {
  const tenant = await world.tenant();
  const customer = (await tenant.customer()).id;
  await forgetStatistics(world.test.db.adminUrl);
  const read = await statementsReading(BATCH * BATCHES * 2, async () => {
    for (let i = 0; i < BATCHES; i++) await tenant.charge(Array.from({ length: BATCH }, () => tenant.batch(customer)));
    await eventually(async () => {
      const [waiting] = await world.test.peek<{ n: number }>(
        'SELECT count(*)::int AS n FROM media WHERE tenant_id = $1 AND blob_key IS NULL',
        [tenant.id],
      );
      return waiting?.n === 0;
    }, 'all files are rendered');
  });
  expect(read).toEqual([]);
});
