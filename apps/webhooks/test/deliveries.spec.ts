import { createHmac } from 'node:crypto';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { NoticeType } from '@kontor/contracts';
import { isUlid, newUuid } from '@kontor/kernel';
import type { Send } from '@kontor/testing';
import { Webhook } from 'standardwebhooks';
import { eventually } from '@kontor/testing';
import { MAX_WEBHOOKS } from '../src/endpoints/create-webhook.js';
import { type Answer, answer, Receiver, sleep, type World, world } from './world.js';

let here: World;
const receivers: Receiver[] = [];

beforeAll(async () => {
  here = await world();
});
afterAll(() => here.stop());
afterEach(async () => {
  for (const receiver of receivers.splice(0)) await receiver.stop();
});

const receiver = async (behave?: Answer): Promise<Receiver> => {
  const made = await Receiver.start(behave);
  receivers.push(made);
  return made;
};
const register = async (send: Send, url: string, events = ['*']): Promise<{ id: string; secret: string }> => {
  const { status, body } = await send('POST', '/webhooks', { url, events });
  expect(status).toBe(201);
  return body;
};
const invoice = (objectId = newUuid(), type: NoticeType = 'invoice.finalized', extra: object = {}) => ({
  type,
  objectId,
  data: { invoice: { id: objectId, ...extra } },
});
const deliveriesOf = async (send: Send, id: string) =>
  (await send('GET', `/webhooks/${id}/deliveries?limit=100`)).body.data as {
    id: string;
    eventId: string;
    eventType: string;
    status: string;
    nextAttemptAt: string | null;
    attempts: { responseStatus: number | null; error: string | null; durationMs: number }[];
  }[];

describe('a delivery', () => {
  it('reaches its receiver within a moment, signed, in the envelope, and shows up in log and list', async () => {
    const to = await receiver();
    const tenant = await here.tenant();
    const { id, secret } = await register(tenant.send, to.url);
    const now = new Date('2026-01-31T02:00:00.000Z');
    const customerId = newUuid();
    const event = { ...invoice(undefined, 'invoice.paid', { number: 'RE-1', title: 'Grüße' }), customerId };
    await here.publish(tenant.id, [event], { now });
    await eventually(() => to.got.length === 1);
    const { headers, raw, body } = to.got[0]!;
    expect(body).toEqual({
      event: { id: body.event.id, type: 'invoice.paid', version: 'v1', createdAt: now.toISOString(), sequence: 1 },
      salesChannel: null,
      data: event.data,
    });
    expect(isUlid(body.event.id)).toBe(true);
    expect(headers).toMatchObject({
      'x-webhook-event': 'invoice.paid',
      'x-webhook-event-version': 'v1',
      'x-webhook-id': body.event.id,
      'x-sales-channel': 'default',
      'x-tenant-id': tenant.id,
    });
    expect(headers['x-webhook-signature']).toBe(createHmac('sha256', secret).update(raw).digest('hex'));
    expect(new Webhook(secret).verify(raw, headers as Record<string, string>)).toEqual(body);
    await eventually(async () => (await deliveriesOf(tenant.send, id))[0]?.status === 'delivered');
    const [delivery] = await deliveriesOf(tenant.send, id);
    expect(delivery).toMatchObject({
      id: body.event.id,
      eventType: 'invoice.paid',
      nextAttemptAt: null,
      attempts: [{ responseStatus: 200, error: null }],
    });
    const log = (await tenant.send('GET', '/events')).body;
    expect(log.data).toEqual([
      {
        id: delivery!.eventId,
        type: 'invoice.paid',
        version: 'v1',
        createdAt: now.toISOString(),
        sequence: 1,
        objectId: event.objectId,
        customerId,
        data: event.data,
      },
    ]);
    expect(log.meta.pagination.totalItems).toBe(1);
  });

  it('goes to those who asked for it alone, never to another tenant, never to a disabled one', async () => {
    const [all, some, other, foreign, off] = await Promise.all(Array.from({ length: 5 }, () => receiver()));
    const tenant = await here.tenant();
    const stranger = await here.tenant();
    await register(tenant.send, all!.url);
    await register(tenant.send, some!.url, ['invoice.*']);
    await register(tenant.send, other!.url, ['offer.expired']);
    await register(stranger.send, foreign!.url);
    expect(
      (await tenant.send('POST', '/webhooks', { url: off!.url, events: ['*'], enabled: false })).body,
    ).toMatchObject({
      enabled: false,
      disabledReason: 'manual',
    });
    await here.publish(tenant.id, [
      invoice(),
      { type: 'customer.created', data: { customer: {} } },
      { type: 'customer.updated', data: null },
    ]);
    await eventually(() => all!.got.length === 2 && some!.got.length === 1);
    await sleep(200);
    expect([all, some, other, foreign, off].map((endpoint) => endpoint!.got.length)).toEqual([2, 1, 0, 0, 0]);
    expect(all!.got.map(({ body }) => body.event.id)).not.toContain(some!.got[0]!.body.event.id);
    expect((await stranger.send('GET', '/events')).body.data).toEqual([]);
  });

  it('is repeated after a 503, unchanged but for its time, and later ones of its object wait for it', async () => {
    const objectId = newUuid();
    let failures = 2;
    const to = await receiver(
      (request, response) =>
        void response.writeHead(request.body.event.type === 'invoice.finalized' && failures-- > 0 ? 503 : 200).end(),
    );
    const tenant = await here.tenant();
    const { id } = await register(tenant.send, to.url);
    await here.publish(tenant.id, [invoice(objectId, 'invoice.finalized')]);
    await here.publish(tenant.id, [invoice(objectId, 'invoice.paid'), invoice(newUuid(), 'invoice.created')]);
    await eventually(() => to.got.length === 5);
    expect(to.got.map(({ body }) => body.event.type)).toEqual([
      'invoice.finalized',
      'invoice.created',
      'invoice.finalized',
      'invoice.finalized',
      'invoice.paid',
    ]);
    const repeats = to.got.filter(({ body }) => body.event.type === 'invoice.finalized');
    expect(new Set(repeats.map(({ raw }) => raw)).size).toBe(1);
    for (const [index, gap] of [repeats[1]!.at - repeats[0]!.at, repeats[2]!.at - repeats[1]!.at].entries()) {
      expect([index, gap >= 790]).toEqual([index, true]);
    }
    expect(to.got.at(-1)!.body.event.sequence).toBe(2);
    await eventually(async () => (await deliveriesOf(tenant.send, id)).every(({ status }) => status === 'delivered'));
    const repeated = (await deliveriesOf(tenant.send, id)).find(({ eventType }) => eventType === 'invoice.finalized');
    expect(repeated!.attempts.map(({ responseStatus }) => responseStatus)).toEqual([503, 503, 200]);
  });

  it('is given up after three repeats; then the next of its object goes on, and it can be delivered again by hand', async () => {
    const objectId = newUuid();
    let broken = true;
    const to = await receiver(
      (request, response) =>
        void response.writeHead(broken && request.body.event.type === 'invoice.finalized' ? 500 : 200).end(),
    );
    const tenant = await here.tenant();
    const { id } = await register(tenant.send, to.url);
    await here.publish(tenant.id, [invoice(objectId, 'invoice.finalized'), invoice(objectId, 'invoice.paid')]);
    await eventually(async () => to.got.some(({ body }) => body.event.type === 'invoice.paid'));
    expect(to.got.map(({ body }) => body.event.type)).toEqual([
      ...Array.from({ length: 4 }, () => 'invoice.finalized'),
      'invoice.paid',
    ]);
    const failed = (await deliveriesOf(tenant.send, id)).find(({ status }) => status === 'failed')!;
    expect(failed).toMatchObject({
      eventType: 'invoice.finalized',
      nextAttemptAt: null,
      attempts: Array.from({ length: 4 }, () => ({ responseStatus: 500, error: 'HTTP 500' })),
    });
    broken = false;
    const again = await tenant.send('POST', `/webhook-deliveries/${failed.id}/redeliver`);
    expect(again).toMatchObject({ status: 201, body: { id: failed.id, status: 'pending' } });
    await eventually(() => to.got.length === 6);
    expect(to.got.at(-1)!.headers['x-webhook-id']).toBe(failed.id);
    await eventually(async () => (await deliveriesOf(tenant.send, id)).every(({ status }) => status === 'delivered'));
  });

  it('to a receiver that hangs, drips or redirects fails, and holds nobody else up', async () => {
    const hanging = await receiver(() => undefined);
    const dripping = await receiver((_request, response) => {
      const socket = response.socket!;
      socket.write('HTTP/1.1 200 OK\r\n');
      const drip = setInterval(() => socket.write('x-drip: 1\r\n'), 500);
      socket.on('close', () => clearInterval(drip));
    });
    const redirecting = await receiver(answer(302, { location: 'http://127.0.0.1:1/elsewhere' }));
    const good = await receiver();
    const tenant = await here.tenant();
    const ids: string[] = [];
    for (const { url } of [hanging, dripping, redirecting, good]) ids.push((await register(tenant.send, url)).id);
    await here.publish(
      tenant.id,
      Array.from({ length: 40 }, () => invoice()),
    );
    // Before the first attempt at the hanging one is given up (15 s): nobody waited for it.
    await eventually(() => good.got.length === 40);
    expect(new Set(hanging.got.map(({ body }) => body.event.id)).size).toBe(16);
    await eventually(async () => (await deliveriesOf(tenant.send, ids[2]!)).some(({ status }) => status === 'failed'));
    expect(
      (await deliveriesOf(tenant.send, ids[2]!)).find(({ status }) => status === 'failed')!.attempts[0],
    ).toMatchObject({
      responseStatus: 302,
      error: 'HTTP 302: redirects are not followed',
    });
    await eventually(async () =>
      (await deliveriesOf(tenant.send, ids[0]!)).some(({ attempts }) => attempts.length > 0),
    );
    const late = (await deliveriesOf(tenant.send, ids[0]!)).find(({ attempts }) => attempts.length > 0)!.attempts[0]!;
    expect(late).toMatchObject({ responseStatus: null, error: 'time-out' });
    expect(late.durationMs).toBeGreaterThanOrEqual(14_900);
    await eventually(async () =>
      (await deliveriesOf(tenant.send, ids[1]!)).some(({ attempts }) => attempts[0]?.error === 'time-out'),
    );
  });

  it('of which a thousand come at once arrive complete, each once', async () => {
    const to = await receiver();
    const tenant = await here.tenant();
    await register(tenant.send, to.url);
    for (let i = 0; i < 4; i++)
      await here.publish(
        tenant.id,
        Array.from({ length: 250 }, () => invoice()),
      );
    await eventually(() => to.got.length >= 1_000);
    await sleep(300);
    expect(new Set(to.got.map(({ body }) => body.event.id)).size).toBe(1_000);
    expect(to.got).toHaveLength(1_000);
  });

  it('to a receiver whose answers never end opens no more connections than there are attempts', async () => {
    let open = 0;
    let openAtOnce = 0;
    const endless = await receiver((_request, response) => {
      openAtOnce = Math.max(openAtOnce, (open += 1));
      response.on('close', () => (open -= 1));
      response.writeHead(200).write('and so on');
    });
    const tenant = await here.tenant();
    const { id } = await register(tenant.send, endless.url);
    await here.publish(
      tenant.id,
      Array.from({ length: 80 }, () => invoice()),
    );
    await eventually(async () => (await deliveriesOf(tenant.send, id)).every(({ status }) => status === 'delivered'));
    await eventually(() => endless.got.length === 80);
    // As many as are attempted at once, and their predecessors while their end is on its way.
    expect(openAtOnce).toBeLessThanOrEqual(32);
    await eventually(() => open === 0);
  });

  it('keeps the order of an object through many changes', async () => {
    const to = await receiver(
      (_request, response) => void setTimeout(() => response.writeHead(200).end(), Math.random() * 8),
    );
    const tenant = await here.tenant();
    await register(tenant.send, to.url);
    const ids = Array.from({ length: 5 }, () => newUuid());
    for (let i = 0; i < 20; i++) await here.publish(tenant.id, ids.map((id) => invoice(id, 'invoice.updated'))); // prettier-ignore
    await eventually(() => to.got.length === 100);
    for (const id of ids)
      expect(to.got.filter(({ body }) => body.data.invoice.id === id).map(({ body }) => body.event.sequence)).toEqual(
        Array.from({ length: 20 }, (_, i) => i + 1),
      );
  });
});

describe('an endpoint', () => {
  it('that answers 410 is disabled, what waited for it ends, and the others are notified', async () => {
    const gone = await receiver(answer(410));
    const other = await receiver();
    const tenant = await here.tenant();
    const { id } = await register(tenant.send, gone.url, ['invoice.*']);
    await register(tenant.send, other.url, ['webhook.disabled']);
    await here.publish(tenant.id, [invoice()]);
    await eventually(() => other.got.length === 1);
    expect(other.got[0]!.body).toMatchObject({
      event: { type: 'webhook.disabled' },
      data: { webhook: { id, enabled: false, disabledReason: 'gone' } },
    });
    expect(JSON.stringify(other.got[0]!.body)).not.toContain('whsec_');
    await here.publish(tenant.id, [invoice()]);
    await sleep(200);
    expect(gone.got).toHaveLength(1);
    expect(await deliveriesOf(tenant.send, id)).toMatchObject([
      { status: 'failed', attempts: [{ responseStatus: 410 }] },
    ]);
    expect((await tenant.send('POST', `/webhooks/${id}/test`)).body).toMatchObject({
      status: 422,
      reason: 'webhook_disabled',
    });
    expect((await tenant.send('PUT', `/webhooks/${id}`, { url: gone.url, events: ['*'] })).body).toMatchObject({
      enabled: true,
      disabledReason: null,
    });
  });

  it('that has only failed for five real days is disabled with the first failure of the fifth', async () => {
    const failing = await receiver(answer(500));
    const other = await receiver();
    const tenant = await here.tenant();
    const { id } = await register(tenant.send, failing.url, ['invoice.*']);
    await register(tenant.send, other.url, ['webhook.disabled']);
    await here.webhooks.peek(
      "UPDATE webhook_endpoint SET failing_days = 4, failing_day = (now() AT TIME ZONE 'UTC')::date - 1 WHERE id = $1",
      [id],
    );
    await here.publish(tenant.id, [invoice(), invoice()]);
    await eventually(() => other.got.length === 1);
    expect(other.got[0]!.body.data.webhook).toMatchObject({ id, disabledReason: 'failing' });
    await eventually(async () => (await deliveriesOf(tenant.send, id)).every(({ status }) => status === 'failed'));
  });

  it.each([
    ['of a live tenant', 'live', {}],
    ['of a sandbox of a system elsewhere', 'sandbox', { PUBLIC_URL: 'https://billing.example' }],
  ] as const)('%s is never reached on this machine, whatever its name resolves to', async (_whose, mode, env) => {
    const to = await receiver();
    const system = mode === 'live' ? here : await world(env);
    const tenant = await system.tenant(mode);
    for (const url of [
      to.url,
      'http://hooks.example.com/',
      'https://localhost/x',
      'https://169.254.169.254/latest',
      'https://[::1]/',
    ]) {
      expect((await tenant.send('POST', '/webhooks', { url, events: ['*'] })).body).toMatchObject({
        status: 422,
        reason: 'validation_failed',
        violations: [{ propertyPath: 'url' }],
      });
    }
    const { body } = await tenant.send('POST', '/webhooks', { url: 'https://hooks.example.com/', events: ['*'] });
    await system.webhooks.peek('UPDATE webhook_endpoint SET url = $2 WHERE id = $1', [body.id, to.url]);
    await system.publish(tenant.id, [invoice()]);
    await eventually(async () => (await deliveriesOf(tenant.send, body.id))[0]?.attempts.length === 1);
    expect((await deliveriesOf(tenant.send, body.id))[0]!.attempts[0]!.error).toContain('address not allowed');
    expect(to.got).toEqual([]);
    if (system !== here) await system.stop();
  });

  it('can be tested, and its secret be changed at once', async () => {
    const to = await receiver();
    const tenant = await here.tenant();
    const { id, secret } = await register(tenant.send, to.url, ['offer.expired']);
    expect(await tenant.send('POST', `/webhooks/${id}/test`)).toMatchObject({
      status: 201,
      body: { eventType: 'webhook.test', status: 'delivered', attempts: [{ responseStatus: 200 }] },
    });
    expect(to.got[0]!.body).toMatchObject({ event: { type: 'webhook.test' }, data: { webhook: { id } } });
    const rotated = (await tenant.send('POST', `/webhooks/${id}/rotate-secret`)).body;
    expect(rotated.secret).toMatch(/^whsec_/);
    expect(rotated.secret).not.toBe(secret);
    await tenant.send('POST', `/webhooks/${id}/test`);
    expect(() => new Webhook(secret).verify(to.got[1]!.raw, to.got[1]!.headers as Record<string, string>)).toThrow();
    expect(
      new Webhook(rotated.secret).verify(to.got[1]!.raw, to.got[1]!.headers as Record<string, string>),
    ).toBeTruthy();
    const stored = await here.webhooks.peek<{ secret: string }>('SELECT secret FROM webhook_endpoint WHERE id = $1', [
      id,
    ]);
    expect(stored[0]!.secret).not.toContain('whsec_');
  });

  it('has an address as the URL standard writes it', async () => {
    const tenant = await here.tenant();
    const { body } = await tenant.send('POST', '/webhooks', { url: '  HTTP://LOCALHOST:80/a b?c=ä ', events: ['*'] });
    expect(body.url).toBe('http://localhost/a%20b?c=%C3%A4');
    const put = (url: string) => tenant.send('PUT', `/webhooks/${body.id}`, { url, events: ['*'] });
    expect((await put('https://Hooks.Example.com:443/x/../y')).body.url).toBe('https://hooks.example.com/y');
    expect((await put('http://2130706433:81/')).body.url).toBe('http://127.0.0.1:81/');
    expect((await put(`https://hooks.example.com/${'ä'.repeat(1000)}`)).body).toMatchObject({ status: 422 });
  });

  it('that fails shows our words: no file, no address of this machine', async () => {
    const tenant = await here.tenant();
    const sockets: Socket[] = [];
    const noHttp = createServer((socket) => {
      sockets.push(socket.on('error', () => undefined));
      socket.end('220 mail.example ESMTP /var/spool');
    });
    const reset = createServer((socket) => socket.resetAndDestroy());
    const errors: string[] = [];
    for (const server of [noHttp, reset]) {
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const { port } = server.address() as AddressInfo;
      for (const scheme of ['http', 'https']) {
        const { body } = await tenant.send('POST', '/webhooks', {
          url: `${scheme}://127.0.0.1:${port}/`,
          events: ['*'],
        });
        const tested = await tenant.send('POST', `/webhooks/${body.id}/test`);
        errors.push(tested.body.attempts[0].error);
      }
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    }
    expect(errors).toEqual([
      'not an HTTP answer',
      'TLS failed: the certificate or protocol is not accepted',
      expect.stringMatching(/^connection (reset|closed)$/),
      expect.stringMatching(/^connection (reset|closed)$/),
    ]);
  });

  it('is one of fifty of its tenant at most, however many are made at once', async () => {
    const tenant = await here.tenant();
    const make = () => tenant.send('POST', '/webhooks', { url: 'https://hooks.example.com/a', events: ['*'] });
    const answers = await Promise.all(Array.from({ length: MAX_WEBHOOKS + 10 }, make));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(MAX_WEBHOOKS);
    for (const refused of answers.filter(({ status }) => status !== 201))
      expect(refused).toMatchObject({ status: 422, body: { reason: 'too_many_webhooks' } });
    const { id } = answers.find(({ status }) => status === 201)!.body;
    expect((await tenant.send('DELETE', `/webhooks/${id}`)).status).toBe(204);
    expect((await make()).status).toBe(201);
    expect((await make()).status).toBe(422);
    expect((await (await here.tenant()).send('GET', '/webhooks')).body.data).toEqual([]);
  });

  it('is created, listed, replaced and removed; bad input changes nothing', async () => {
    const tenant = await here.tenant();
    const url = 'https://hooks.example.com/a';
    const { status, body } = await tenant.send('POST', '/webhooks', {
      url,
      events: ['invoice.*', 'customer.created'],
      description: 'ERP',
    });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: body.id,
      url,
      events: ['invoice.*', 'customer.created'],
      enabled: true,
      disabledReason: null,
      description: 'ERP',
      secret: expect.stringMatching(/^whsec_/),
      createdAt: expect.any(String),
    });
    const { secret: _secret, ...shown } = body;
    expect((await tenant.send('GET', `/webhooks/${body.id}`)).body).toEqual(shown);
    expect((await tenant.send('GET', '/webhooks')).body.data).toEqual([shown]);
    expect((await tenant.send('PUT', `/webhooks/${body.id}`, { url, events: ['*'], enabled: false })).body).toEqual({
      ...shown,
      events: ['*'],
      enabled: false,
      disabledReason: 'manual',
      description: null,
    });
    const refused = [
      [{}, 400],
      [{ url, events: [] }, 422],
      [{ url, events: ['Invoice'] }, 422],
      [{ url, events: ['invoice.*', 'invoice.paied'] }, 422],
      [{ url, events: ['invoices.*'] }, 422],
      [{ url, events: '*' }, 400],
      [{ url: 'nonsense', events: ['*'] }, 422],
      [{ url, events: ['*'], foo: 1 }, 400],
      [{ url, events: ['*'], enabled: 'yes' }, 400],
    ] as const;
    for (const [input, expected] of refused)
      expect([input, (await tenant.send('POST', '/webhooks', input)).status]).toEqual([input, expected]);
    const foreign = await here.tenant();
    for (const [method, path] of [
      ['GET', ''],
      ['DELETE', ''],
      ['POST', '/test'],
      ['POST', '/rotate-secret'],
      ['GET', '/deliveries'],
    ] as const) {
      expect([path, (await foreign.send(method, `/webhooks/${body.id}${path}`)).status]).toEqual([path, 404]);
    }
    expect((await tenant.send('POST', '/webhook-deliveries/01K00000000000000000000001/redeliver')).status).toBe(404);
    expect((await tenant.send('POST', '/webhook-deliveries/nonsense/redeliver')).status).toBe(404);
    expect((await tenant.send('DELETE', `/webhooks/${body.id}`)).status).toBe(204);
    expect((await tenant.send('GET', '/webhooks')).body.data).toEqual([]);
  });
});
