import { expect, it } from '@jest/globals';
import { newUuid } from '@kontor/kernel';
import { migrationsOf } from '@kontor/service-kit';
import { apiKeyPrincipal, eventually, testDatabase, testService } from '@kontor/testing';
import { webhooksService } from '../src/index.js';
import { answer, Receiver } from './world.js';

it('a stop does not wait for a receiver that hangs; the next start makes the attempt again, under the same id', async () => {
  const db = await testDatabase('webhooks', migrationsOf(webhooksService), []);
  const receiver = await Receiver.start(() => undefined);
  const tenantId = newUuid();
  const first = await testService(webhooksService, { db });
  await first.giveCopy('tenant', tenantId, tenantId, { id: tenantId, mode: 'sandbox' });
  const send = first.as(apiKeyPrincipal(tenantId));
  const { body } = await send('POST', '/webhooks', { url: receiver.url, events: ['*'] });
  const test = send('POST', `/webhooks/${body.id}/test`).catch(() => undefined);
  await eventually(() => receiver.got.length === 1);
  await test;
  // Comes to an end although the receiver never answers.
  await first.stop();
  expect(await db.peek('SELECT lease FROM delivery')).toEqual([{ lease: null }]);
  receiver.behave = answer(200);
  // As a killed process leaves it: nobody waits for such a lease to run out.
  await db.peek(`UPDATE delivery SET lease = $1, lease_until = now() + interval '1 hour'`, [newUuid()]);
  const second = await testService(webhooksService, { db });
  await eventually(() => receiver.got.length === 2);
  expect(receiver.got[1]!.raw).toBe(receiver.got[0]!.raw);
  await eventually(
    async () =>
      (await db.peek('SELECT 1 FROM delivery WHERE status = $1 AND attempts = 1', ['delivered'])).length === 1,
  );
  await second.stop();
  await db.drop();
  await receiver.stop();
});
