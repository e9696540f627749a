import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newUuid } from '@kontor/kernel';
import { testService, type TestService } from '@kontor/testing';
import { usageService } from '../src/index.js';
import { tenantOf, usageEvent } from './support/tenant.js';

const PATH = '/api/usage-events';
let usage: TestService;

beforeAll(async () => {
  usage = await testService(usageService, { now: new Date('2026-03-02T09:00:00.000Z') });
});
afterAll(() => usage.stop());

const tenant = () => tenantOf(usage, { customerNumber: '10001' });
const event = (transactionId: string, changes: object = {}): object =>
  usageEvent(transactionId, { customerId: '10001', ...changes });

describe('cursors', () => {
  it('go on where the page ended, whatever is inserted meanwhile', async () => {
    const { send } = await tenant();
    const at = (second: number): string => `2026-03-01T08:00:${String(second).padStart(2, '0')}.000Z`;
    await send('POST', PATH, {
      events: [10, 20, 30, 40].map((second) => event(`t${second}`, { timestamp: at(second) })),
    });
    const first = await send('GET', `${PATH}?limit=2&direction=ASC`);
    await send('POST', PATH, {
      events: [event('before', { timestamp: at(5) }), event('after', { timestamp: at(35) })],
    });
    const second = await send('GET', `${PATH}?limit=9&direction=ASC&cursor=${first.body.pagination.cursor}`);
    expect(second.body.data.map((listed: { transactionId: string }) => listed.transactionId)).toEqual([
      't30',
      'after',
      't40',
    ]);
    expect(second.body.pagination).toEqual({ cursor: null });
  });

  it('of another tenant, of another order, cut or changed: 400', async () => {
    const [owner, stranger] = [await tenant(), await tenant()];
    await owner.send('POST', PATH, { events: ['a', 'b'].map((id) => event(id)) });
    const { cursor } = (await owner.send('GET', `${PATH}?limit=1`)).body.pagination as { cursor: string };
    expect((await owner.send('GET', `${PATH}?limit=1&cursor=${cursor}`)).status).toBe(200);
    const changed = `${cursor.slice(0, -1)}${cursor.endsWith('A') ? 'B' : 'A'}`;
    for (const bad of [
      `cursor=${cursor}&direction=ASC`,
      `cursor=${cursor}&sort=createdAt`,
      `cursor=${cursor.slice(0, 20)}`,
      `cursor=${changed}`,
      `cursor=%20${cursor}`,
      'cursor=%00',
      `cursor=${'A'.repeat(5000)}`,
    ])
      // prettier-ignore
      expect([bad, (await owner.send('GET', `${PATH}?limit=1&${bad}`)).status]).toEqual([bad, 400]);
    const foreign = await stranger.send('GET', `${PATH}?limit=1&cursor=${cursor}`);
    expect([foreign.status, foreign.body.reason]).toEqual([400, 'invalid_request']);
  });
});

describe('events of a tree', () => {
  it('are those of a customer and of all below it', async () => {
    const { id, customerId, send } = await tenant();
    const child = async (customerNumber: string, parentCustomerId: string): Promise<string> => {
      const below = newUuid();
      await usage.giveCopy('customer', id, below, {
        id: below,
        customerNumber,
        parentCustomerId,
        status: 'STATUS_ACTIVE',
      });
      return below;
    };
    const plant = await child('10002', customerId);
    await child('10003', plant);
    await child('10004', newUuid());
    const numbers = ['10001', '10002', '10003', '10004'];
    const events = numbers.map((number) => event(`of-${number}`, { customerId: number }));
    expect((await send('POST', PATH, { events })).status).toBe(202);
    const listed = async (of: string): Promise<string[]> => {
      const { status, body } = await send('GET', `${PATH}?customerTree=${of}`);
      expect(status).toBe(200);
      return body.data.map(({ transactionId }: { transactionId: string }) => transactionId).sort();
    };
    expect(await listed('10001')).toEqual(['of-10001', 'of-10002', 'of-10003']);
    expect(await listed(plant)).toEqual(['of-10002', 'of-10003']);
    expect(await listed('unknown')).toEqual([]);
    const first = await send('GET', `${PATH}?customerTree=10001&limit=2`);
    const rest = await send('GET', `${PATH}?customerTree=10001&limit=2&cursor=${first.body.pagination.cursor}`);
    expect([first.body.data.length, rest.body.data.length]).toEqual([2, 1]);
    expect((await send('GET', `${PATH}?customerTree=10001&customerId=10001`)).status).toBe(400);
  });
});

describe('discover', () => {
  it('shows names, properties and examples of the latest events, of a single name where asked', async () => {
    const { send } = await tenant();
    const login = event('c', {
      eventName: 'login',
      timestamp: '2026-03-01T00:00:00Z',
      properties: { by: { method: 'sso' } },
    });
    await send('POST', PATH, { events: [event('a'), event('b', { properties: { bytes: '20' } }), login] });
    const { status, body } = await send('GET', `${PATH}/discover`);
    expect(status).toBe(200);
    expect(body.eventNames.map((found: { name: string }) => found.name)).toEqual(['api_call', 'login']);
    expect(body.allProperties).toContainEqual({
      path: 'by.method',
      type: 'string',
      eventName: 'login',
      sampleValues: ['sso'],
    });
    expect(body.exampleEvents).toHaveLength(3);
    expect(body.exampleEvents[2]).toEqual({
      eventName: 'login',
      properties: { by: { method: 'sso' } },
      timestamp: '2026-03-01T00:00:00.000Z',
    });
    const logins = (await send('GET', `${PATH}/discover?eventName=login`)).body;
    expect(logins.eventNames).toEqual([{ name: 'login', sampleProperties: { by: { method: 'sso' } } }]);
    expect((await send('GET', `${PATH}/discover?limit=1`)).body.exampleEvents).toHaveLength(1);
    expect((await send('GET', `${PATH}/discover?eventName=none`)).body).toEqual({
      eventNames: [],
      allProperties: [],
      exampleEvents: [],
    });
  });

  it('reads across pages, large events one by one, and of no other tenant', async () => {
    const [owner, stranger] = [await tenant(), await tenant()];
    const large = { text: 'x'.repeat(100_000), deep: { n: 1 } };
    const events = Array.from({ length: 450 }, (_, n) =>
      event(`t${n}`, { eventName: `e${n % 3}`, properties: n === 449 ? large : { n } }),
    );
    await owner.send('POST', PATH, { events });
    const { body } = await owner.send('GET', `${PATH}/discover?limit=10000`);
    expect(body.eventNames).toHaveLength(3);
    expect(body.allProperties).toContainEqual({ path: 'deep.n', type: 'number', eventName: 'e2', sampleValues: [1] });
    expect((await stranger.send('GET', `${PATH}/discover`)).body.eventNames).toEqual([]);
  });

  it.each(['limit=0', 'limit=10001', 'limit=x', 'page=1', 'eventName=a&eventName=b'])(
    'the query %s is refused',
    async (query) => {
      const { send } = await tenant();
      expect((await send('GET', `${PATH}/discover?${query}`)).status).toBe(400);
    },
  );
});
