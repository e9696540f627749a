import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newUuid } from '@kontor/kernel';
import { eventually, type Send } from '@kontor/testing';
import { type Answer, answer, Receiver, type World, world } from './world.js';

let here: World;
let to: Receiver;
beforeAll(async () => {
  here = await world();
  to = await Receiver.start();
});
afterAll(async () => {
  await here.stop();
  await to.stop();
});

const invoice = () => {
  const objectId = newUuid();
  return { type: 'invoice.paid' as const, objectId, data: { invoice: { id: objectId } } };
};

/** What waits for a receiver: two events of each of so many objects, the first of which are attempted in an hour. */
async function waiting(tenantId: string, endpointId: string, objects: number): Promise<void> {
  await here.webhooks.peek(
    `INSERT INTO webhook_event (tenant_id, id, type, object_id, sequence, data, created_at)
     VALUES ($1, 'event', 'invoice.paid', 'o', 1, '{}', now())`,
    [tenantId],
  );
  await here.webhooks.peek(
    `INSERT INTO delivery (tenant_id, id, endpoint_id, event_id, event_type, object_id, sequence, status, head, next_attempt_at)
     SELECT $1, 'delivery-' || n, $2, 'event', 'invoice.paid', 'object-' || n / 2, n % 2, 'pending', n % 2 = 0, now() + interval '1 hour'
     FROM generate_series(0, ${2 * objects - 1}) n`,
    [tenantId, endpointId],
  );
}
const statesOf = (endpointId: string): Promise<{ status: string; n: number }[]> =>
  here.webhooks.peek('SELECT status, count(*)::int AS n FROM delivery WHERE endpoint_id = $1 GROUP BY 1', [endpointId]);
const change = (send: Send, id: string, enabled: boolean) =>
  send('PUT', `/webhooks/${id}`, { url: to.url, events: ['*'], enabled });
const ended = (n: number) => [{ status: 'failed', n }];
const allEnd = (id: string, n: number) =>
  eventually(
    async () => (await statesOf(id)).some((of) => of.status === 'failed' && of.n === n),
    'all that waits ends',
  );

async function aReceiver(behave: Answer = answer(200)) {
  to.got.length = 0;
  to.behave = behave;
  const tenant = await here.tenant();
  const { id } = (await tenant.send('POST', '/webhooks', { url: to.url, events: ['*'] })).body as { id: string };
  return { ...tenant, tenantId: tenant.id, id };
}

describe('an endpoint that is disabled', () => {
  it('ends what waits for it by portions: who records events waits for none of them for long', async () => {
    const { send, tenantId, id } = await aReceiver();
    await waiting(tenantId, id, 4_500);
    expect((await change(send, id, false)).body).toMatchObject({ enabled: false });
    await allEnd(id, 9_000);
    const portions = await here.webhooks.peek<{ n: number }>(
      'SELECT count(*)::int AS n FROM delivery WHERE endpoint_id = $1 GROUP BY xmin ORDER BY 1 DESC',
      [id],
    );
    expect(portions[0]!.n).toBeLessThanOrEqual(2_000);
  });

  it('goes on with that after a crash', async () => {
    const { send, tenantId, id } = await aReceiver();
    await change(send, id, false);
    await waiting(tenantId, id, 1_500);
    await here.webhooks.peek(
      `UPDATE delivery SET next_attempt_at = now() WHERE endpoint_id = $1 AND id = 'delivery-0'`,
      [id],
    );
    await allEnd(id, 3_000);
  });

  it('gets nothing of it when it is enabled again at once', async () => {
    const { send, tenantId, id } = await aReceiver();
    await waiting(tenantId, id, 2_500);
    await change(send, id, false);
    await change(send, id, true);
    expect(await statesOf(id)).toEqual(ended(5_000));
    expect(to.got).toEqual([]);
  });

  it('shows what became of an attempt that was under way', async () => {
    let accept = (): void => undefined;
    const { send, tenantId, id } = await aReceiver((_request, response) => {
      accept = () => void response.writeHead(200).end();
    });
    await here.publish(tenantId, [invoice()]);
    await eventually(() => to.got.length === 1);
    await change(send, id, false);
    accept();
    const [delivery] = await eventually(async () => {
      const { data } = (await send('GET', `/webhooks/${id}/deliveries`)).body;
      return data[0].status !== 'pending' && data;
    });
    expect(delivery).toMatchObject({ status: 'delivered', attempts: [{ responseStatus: 200 }] });
  });
});
