import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { newUuid, type Tx } from '@kontor/kernel';
import { eventually, rowsRead, type Send, statementsOf, testService } from '@kontor/testing';
import { MAX_OF_TENANT } from '../src/deliveries/attempt-shares.js';
import { LaneTurn } from '../src/deliveries/lane-turn.js';
import { webhooksService } from '../src/index.js';
import { Receiver, type World, world } from './world.js';

let here: World;
const receivers: Receiver[] = [];

beforeAll(async () => {
  here = await world();
  // When statistics are taken by themselves is a matter of how busy the machine is.
  for (const table of ['delivery', 'webhook_event'])
    await here.webhooks.peek(`ALTER TABLE ${table} SET (autovacuum_enabled = false)`);
});
afterAll(() => here.stop());
afterEach(async () => {
  for (const receiver of receivers.splice(0)) await receiver.stop();
});

const ENDPOINTS = 40;
/** One for each endpoint, and the tenant's share beside. */
const IN_FLIGHT = ENDPOINTS + MAX_OF_TENANT;

const events = (count: number, objectId?: string) =>
  Array.from({ length: count }, () => {
    const id = objectId ?? newUuid();
    return { type: 'invoice.updated' as const, objectId: id, data: { invoice: { id } } };
  });
const idsOf = ({ got }: Receiver): string[] => got.map(({ body }) => body.event.id);

/** Takes connections and never answers; counts those that were given up. */
async function hangingReceiver() {
  let ended = 0;
  const receiver = await Receiver.start((_request, response) => void response.on('close', () => ended++));
  receivers.push(receiver);
  return { receiver, ended: () => ended };
}

async function goodReceiver(send: Send): Promise<Receiver> {
  const receiver = await Receiver.start();
  receivers.push(receiver);
  expect((await send('POST', '/webhooks', { url: receiver.url, events: ['*'] })).status).toBe(201);
  return receiver;
}

/** A tenant with many endpoints that hang, and as many attempts in flight as it may have. */
async function hangingTenant() {
  const { receiver: hanging, ended } = await hangingReceiver();
  const tenant = await here.tenant();
  for (let n = 0; n < ENDPOINTS; n++) {
    const { status } = await tenant.send('POST', '/webhooks', { url: `${hanging.url}?${n}`, events: ['*'] });
    expect(status).toBe(201);
  }
  await here.publish(tenant.id, events(20));
  await eventually(() => hanging.got.length >= IN_FLIGHT);
  return { tenant, hanging, ended };
}

describe('a tenant whose receivers all hang', () => {
  it('has its share in flight and no more; those of others are attempted while these hang', async () => {
    const other = await here.tenant();
    const good = await goodReceiver(other.send);
    const { hanging, ended } = await hangingTenant();
    await here.publish(other.id, events(100));
    await eventually(() => good.got.length === 100);
    // What was given up made room for one more each.
    expect(hanging.got.length).toBeLessThanOrEqual(IN_FLIGHT + ended());
    expect(ended()).toBeLessThan(IN_FLIGHT);
  });

  it('has its own receivers that do not hang attempted, too', async () => {
    const { tenant, hanging, ended } = await hangingTenant();
    const good = await goodReceiver(tenant.send);
    const objectId = newUuid();
    await here.publish(tenant.id, events(10, objectId));
    await eventually(() => good.got.length === 10);
    expect(good.got.map(({ body }) => body.event.sequence)).toEqual(Array.from({ length: 10 }, (_, n) => n + 1));
    expect(hanging.got.length).toBeLessThanOrEqual(IN_FLIGHT + ended());
    expect(ended()).toBeLessThan(IN_FLIGHT);
  });

  it('shares with every process; none attempts what another one has in flight', async () => {
    const { hanging, ended } = await hangingTenant();
    const second = await testService(webhooksService, {
      db: here.webhooks.db,
      env: { KONTOR_SHAPE: 'distributed' },
    });
    await eventually(() => hanging.got.length >= 2 * IN_FLIGHT);
    if (ended() === 0) expect(new Set(idsOf(hanging)).size).toBe(hanging.got.length);
    expect(hanging.got.length).toBeLessThanOrEqual(2 * IN_FLIGHT + ended());
    await second.stop();
  });
});

describe('the look for what is due', () => {
  const waiting = (tenantId: string, endpointId: string, count: number): Promise<unknown> =>
    here.webhooks.peek(
      `WITH made AS (
         INSERT INTO webhook_event (tenant_id, id, type, object_id, sequence, data, created_at)
         SELECT $1, $2 || '-' || n, 'invoice.paid', 'object-' || n, 1, '{}', now() FROM generate_series(1, ${count}) n
         RETURNING id, object_id)
       INSERT INTO delivery
         (tenant_id, id, endpoint_id, event_id, event_type, object_id, sequence, status, head, next_attempt_at)
       SELECT $1, id, $2::uuid, id, 'invoice.paid', object_id, 1, 'pending', true, now() FROM made`,
      [tenantId, endpointId],
    );
  const asSuperuser = { query: (sql: string, params?: unknown[]) => here.webhooks.peek(sql, params) } as unknown as Tx;
  const NOBODY = '00000000-0000-0000-0000-000000000000';
  const look = async (after: readonly [string, string], limit: number): Promise<string[]> =>
    (
      await here.webhooks.peek<{ id: string }>('SELECT id FROM endpoints_to_attempt($1, $2, $3)', [...after, limit])
    ).map(({ id }) => id);

  it('goes from endpoint to endpoint, and reads as little when a great many deliveries wait for one of them', async () => {
    const { receiver } = await hangingReceiver();
    const { id: tenantId, send } = await here.tenant();
    const { body } = await send('POST', '/webhooks', { url: receiver.url, events: ['webhook.test'] });
    await waiting(tenantId, body.id, 30_000);
    const [{ source }] = (await here.webhooks.peek<{ source: string }>(
      "SELECT prosrc AS source FROM pg_proc WHERE proname = 'endpoints_to_attempt'",
    )) as [{ source: string }];
    const sql = ['p_after_tenant', 'p_after_endpoint', 'p_limit'].reduce(
      (text, name, index) => text.replaceAll(name, `$${index + 1}::${index < 2 ? 'uuid' : 'integer'}`),
      source,
    );
    const claims = await statementsOf(() =>
      here.webhooks.service.get(LaneTurn).execute({
        tenantId,
        endpointId: body.id,
        lease: here.webhooks.service.kit.database.presence.id,
        outcomes: [],
        capacity: 16,
      }),
    );
    const claim = claims.find(({ text }) => text.includes('WITH due AS MATERIALIZED'))!;
    // PostgreSQL looks at one table after the other, and expects a great many claims between the two.
    for (const [statistics, table] of [
      ['none', null],
      ['of events alone', 'webhook_event'],
      ['of both', 'delivery'],
    ]) {
      if (table) await here.webhooks.peek(`ANALYZE ${table}`);
      const read = {
        look: await rowsRead(asSuperuser, sql, [NOBODY, NOBODY, 1_000]),
        claim: await rowsRead(asSuperuser, claim.text, claim.params),
      };
      // What is being attempted meanwhile is read as well; of all that waits it is a small part.
      expect([statistics, read.look < 10_000, read.claim < 10_000, read]).toEqual([statistics, true, true, read]);
    }
  });

  it('goes on behind the last one that it named, and comes to all of them', async () => {
    const ids = Array.from({ length: 5 }, () => newUuid()).sort();
    const tenantId = newUuid();
    for (const id of ids) await waiting(tenantId, id, 2);
    // Not due yet: named where the look ends with it, so that it can go on there.
    await here.webhooks.peek("UPDATE delivery SET next_attempt_at = now() + interval '1 hour' WHERE endpoint_id = $1", [
      ids[1]!,
    ]);
    const process = here.webhooks.service.kit.database.presence.id;
    await here.webhooks.peek(
      "UPDATE delivery SET lease = $2, lease_until = now() + interval '1 hour' WHERE endpoint_id = $1",
      [ids[3]!, process],
    );
    expect(await look([tenantId, NOBODY], 2)).toEqual([ids[0], ids[1]]);
    expect(await look([tenantId, ids[1]!], 2)).toEqual([ids[2], ids[3]]);
    expect((await look([tenantId, NOBODY], 1_000)).slice(0, 3)).toEqual([ids[0], ids[2], ids[4]]);
    await here.webhooks.peek('UPDATE delivery SET lease = $2 WHERE endpoint_id = $1', [ids[3]!, newUuid()]);
    expect((await look([tenantId, NOBODY], 1_000)).slice(0, 4)).toEqual([ids[0], ids[2], ids[3], ids[4]]);
    await here.webhooks.peek('DELETE FROM delivery WHERE tenant_id = $1', [tenantId]);
  });
});
