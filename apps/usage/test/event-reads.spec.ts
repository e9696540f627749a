import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newUuid } from '@kontor/kernel';
import { apiKeyPrincipal, testService, type TestService } from '@kontor/testing';
import { usageService } from '../src/index.js';

const PATH = '/api/usage-events';
let usage: TestService;

beforeAll(async () => {
  usage = await testService(usageService, { now: new Date('2026-03-02T09:00:00.000Z') });
});
afterAll(() => usage.stop());

async function tenant() {
  const id = newUuid();
  const customerId = newUuid();
  await usage.giveCopy('customer', id, customerId, {
    id: customerId,
    customerNumber: '10001',
    externalId: 'crm-7',
    status: 'STATUS_ACTIVE',
  });
  return { id, customerId, send: usage.as(apiKeyPrincipal(id)) };
}
const event = (transactionId: string, changes: object = {}) => ({
  transactionId,
  eventName: 'api_call',
  timestamp: '2026-03-02T08:00:00.000Z',
  customerId: '10001',
  properties: { bytes: 10 },
  ...changes,
});

describe('cursors', () => {
  it('go on where the page ended, whatever is inserted meanwhile', async () => {
    const { send } = await tenant();
    const at = (second: number): string => `2026-03-01T08:00:${String(second).padStart(2, '0')}.000Z`;
    await send('POST', PATH, { events: [10, 20, 30, 40].map((second) => event(`t${second}`, { timestamp: at(second) })) });
    const first = await send('GET', `${PATH}?limit=2&direction=ASC`);
    await send('POST', PATH, { events: [event('before', { timestamp: at(5) }), event('after', { timestamp: at(35) })] });
    const second = await send('GET', `${PATH}?limit=9&direction=ASC&cursor=${first.body.pagination.cursor}`);
    expect(second.body.data.map((one: { transactionId: string }) => one.transactionId)).toEqual(['t30', 'after', 't40']);
    expect(second.body.pagination).toEqual({ cursor: null });
  });

  it('of another tenant, of another order, cut or changed: 400', async () => {
    const [one, other] = [await tenant(), await tenant()];
    await one.send('POST', PATH, { events: ['a', 'b'].map((id) => event(id)) });
    const { cursor } = (await one.send('GET', `${PATH}?limit=1`)).body.pagination as { cursor: string };
    expect((await one.send('GET', `${PATH}?limit=1&cursor=${cursor}`)).status).toBe(200);
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
      expect([bad, (await one.send('GET', `${PATH}?limit=1&${bad}`)).status]).toEqual([bad, 400]);
    const foreign = await other.send('GET', `${PATH}?limit=1&cursor=${cursor}`);
    expect([foreign.status, foreign.body.reason]).toEqual([400, 'invalid_request']);
  });
});

describe('discover', () => {
  it('tells names, properties and examples of the latest events, of one name where asked', async () => {
    const { send } = await tenant();
    const login = event('c', { eventName: 'login', timestamp: '2026-03-01T00:00:00Z', properties: { by: { method: 'sso' } } });
    await send('POST', PATH, { events: [event('a'), event('b', { properties: { bytes: '20' } }), login] });
    const { status, body } = await send('GET', `${PATH}/discover`);
    expect(status).toBe(200);
    expect(body.eventNames.map((one: { name: string }) => one.name)).toEqual(['api_call', 'login']);
    expect(body.allProperties).toContainEqual({ path: 'by.method', type: 'string', eventName: 'login', sampleValues: ['sso'] });
    expect(body.exampleEvents).toHaveLength(3);
    expect(body.exampleEvents[2]).toEqual({ eventName: 'login', properties: { by: { method: 'sso' } }, timestamp: '2026-03-01T00:00:00.000Z' }); // prettier-ignore
    const one = (await send('GET', `${PATH}/discover?eventName=login`)).body;
    expect(one.eventNames).toEqual([{ name: 'login', sampleProperties: { by: { method: 'sso' } } }]);
    expect((await send('GET', `${PATH}/discover?limit=1`)).body.exampleEvents).toHaveLength(1);
    expect((await send('GET', `${PATH}/discover?eventName=none`)).body).toEqual({ eventNames: [], allProperties: [], exampleEvents: [] });
  });

  it('reads across pages, large events one by one, and of no other tenant', async () => {
    const [one, other] = [await tenant(), await tenant()];
    const large = { text: 'x'.repeat(100_000), deep: { n: 1 } };
    const events = Array.from({ length: 450 }, (_, n) => event(`t${n}`, { eventName: `e${n % 3}`, properties: n === 449 ? large : { n } }));
    await one.send('POST', PATH, { events });
    const { body } = await one.send('GET', `${PATH}/discover?limit=10000`);
    expect(body.eventNames).toHaveLength(3);
    expect(body.allProperties).toContainEqual({ path: 'deep.n', type: 'number', eventName: 'e2', sampleValues: [1] });
    expect((await other.send('GET', `${PATH}/discover`)).body.eventNames).toEqual([]);
  });

  it.each(['limit=0', 'limit=10001', 'limit=x', 'page=1', 'eventName=a&eventName=b'])('the query %s is refused', async (query) => {
    const { send } = await tenant();
    expect((await send('GET', `${PATH}/discover?${query}`)).status).toBe(400);
  });
});
