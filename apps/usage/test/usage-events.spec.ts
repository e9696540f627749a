import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newUuid, ulidToUuid } from '@kontor/kernel';
import { apiKeyPrincipal, customerPrincipal, servicePrincipal, testService, type TestService } from '@kontor/testing';
import { usageService } from '../src/index.js';
import { tenantOf, usageEvent as event } from './support/tenant.js';

const PATH = '/api/usage-events';
let usage: TestService;

beforeAll(async () => {
  usage = await testService(usageService, { now: new Date('2026-03-02T09:00:00.000Z') });
});
afterAll(() => usage.stop());

const tenant = () => tenantOf(usage, { customerNumber: 'K-10001' });

describe('usage events', () => {
  it('are taken under any name of the customer and shown with its id', async () => {
    const { send, customerId } = await tenant();
    const answer = await send('POST', PATH, {
      events: [event('a'), event('b', { customerId: 'K-10001' }), event('c', { customerId: customerId.toUpperCase() })],
    });
    expect(answer.status).toBe(202);
    expect(answer.body).toEqual({ ingested: 3, duplicates: 0, failed: 0, errors: [] });
    const list = await send('GET', PATH);
    expect(list.body.data.map((listed: { customerId: string }) => listed.customerId)).toEqual([
      customerId,
      customerId,
      customerId,
    ]);
    expect(list.body.meta).toEqual({ limit: 30 });
    expect(list.body.pagination).toEqual({ cursor: null });
  });

  it('a known transaction is ignored: in one request, in a later one, with another time', async () => {
    const { send } = await tenant();
    const first = await send('POST', PATH, {
      events: [event('a'), event('b'), event('a', { timestamp: '2026-03-01T08:00:00Z' })],
    });
    expect(first.body).toMatchObject({ ingested: 2, duplicates: 1, failed: 0 });
    const second = await send('POST', PATH, { events: [event('a'), event('c')] });
    expect(second.body).toMatchObject({ ingested: 1, duplicates: 1, failed: 0 });
  });

  it('the same transactions sent ten times at once are stored once, and another tenant has its own', async () => {
    const [owner, stranger] = [await tenant(), await tenant()];
    const ids = Array.from({ length: 200 }, (_, i) => `t${i}`);
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        owner.send('POST', PATH, { events: (n % 2 ? [...ids].reverse() : ids).map((id) => event(id)) }),
      ),
    );
    expect(answers.reduce((sum, { body }) => sum + body.ingested, 0)).toBe(200);
    for (const { body } of answers) expect(body.ingested + body.duplicates + body.failed).toBe(200);
    expect((await stranger.send('POST', PATH, { events: [event('t0')] })).body.ingested).toBe(1);
  });

  it('what is wrong with an item is its error, the other items are stored', async () => {
    const { send } = await tenant();
    const events = [
      event('ok'),
      event('x', { timestamp: '2026-03-02T08:00:00' }),
      event('y', { customerId: 'nobody' }),
      event('z', { customerId: newUuid() }),
      { eventName: 'api_call' },
      7,
      event('f', { timestamp: '2026-03-03T09:00:00.001Z' }),
      event('n', { properties: { text: 'a\u0000b' } }),
    ];
    const { status, body } = await send('POST', PATH, { events });
    expect(status).toBe(202);
    expect(body).toMatchObject({ ingested: 1, duplicates: 0, failed: 7 });
    expect(body.errors.map((error: { index: number; code: string }) => [error.index, error.code])).toEqual([
      [1, 'invalid_timestamp'], [2, 'unknown_customer'], [3, 'unknown_customer'], [4, 'missing_field'],
      [5, 'invalid_type'], [6, 'timestamp_in_future'], [7, 'invalid_type'],
    ]); // prettier-ignore
    expect(body.errors[1]).toEqual({
      index: 2,
      transactionId: 'y',
      code: 'unknown_customer',
      message: expect.any(String),
    });
  });

  it('of a customer that was anonymized meanwhile nothing is stored, under whatever name', async () => {
    const { id, customerId, send } = await tenant();
    const other = newUuid();
    await usage.giveCopy('customer', id, other, { id: other, externalId: 'other', anonymizedAt: null });
    const events = (n: number): object[] => [
      event(`number ${n}`, { customerId: 'K-10001' }),
      event(`id ${n}`, { customerId }),
      event(`other ${n}`, { customerId: 'other' }),
    ];
    expect((await send('POST', PATH, { events: events(1) })).body.ingested).toBe(3);
    const anonymized = { customerNumber: 'K-10001', externalId: null, anonymizedAt: '2026-03-02T08:30:00.000Z' };
    await usage.giveCopy('customer', id, customerId, { id: customerId, ...anonymized }, 2);
    const { body } = await send('POST', PATH, { events: events(2) });
    expect(body).toMatchObject({ ingested: 1, duplicates: 0, failed: 2 });
    expect(body.errors).toEqual([
      {
        index: 0,
        transactionId: 'number 2',
        code: 'customer_anonymized',
        message: 'The customer K-10001 was anonymized.',
      },
      {
        index: 1,
        transactionId: 'id 2',
        code: 'customer_anonymized',
        message: `The customer ${customerId} was anonymized.`,
      },
    ]);
  });

  it('an event that is too large, or nests too deep, is its error, and the others are stored', async () => {
    const { send } = await tenant();
    const sized = (bytes: number): object => ({ t: 'ü'.repeat((bytes - 8) / 2) });
    const list = [
      event('largest', { properties: sized(256 * 1024) }),
      event('large', { properties: sized(256 * 1024 + 2) }),
      event('deep', { properties: { a: 'deep' } }),
      event('ignored', { id: 'deep' }),
    ];
    const deep = '['.repeat(200_000) + ']'.repeat(200_000);
    const body = JSON.stringify({ events: list }).replaceAll('"deep"}', `${deep}}`);
    const answer = await send('POST', PATH, body, { 'content-type': 'application/json' });
    expect([answer.status, answer.body.ingested]).toEqual([202, 2]);
    expect(answer.body.errors).toEqual([
      { index: 1, transactionId: 'large', code: 'too_large', message: 'The properties are larger than 256 KiB.' },
      { index: 2, transactionId: 'deep', code: 'invalid_type', message: expect.stringContaining('nest too deep') },
    ]);
  });

  it('more than 100,000 fields in one request are refused whole', async () => {
    const { send, id } = await tenant();
    const properties = Object.fromEntries(Array.from({ length: 49_999 }, (_, n) => [`field ${n}`, n]));
    const events = [event('a', { properties }), event('b', { properties })];
    const answer = await send('POST', PATH, { events });
    expect([answer.status, answer.body.reason]).toEqual([422, 'too_many_fields']);
    expect(await usage.peek('SELECT 1 FROM usage_event WHERE tenant_id = $1', [id])).toEqual([]);
  });

  it.each([
    ['no JSON', '{"events": [', 'invalid_request'],
    ['a list', [], 'invalid_request'],
    ['no events', {}, 'invalid_request'],
    ['events that are no list', { events: 'x' }, 'invalid_request'],
    ['an empty list', { events: [] }, 'invalid_request'],
    ['1001 events', { events: Array.from({ length: 1001 }, () => ({})) }, 'invalid_request'],
    ['an unknown field', { events: [{}], dryRun: true }, 'unknown_field'],
  ])('an envelope with %s is refused whole', async (_name, body, reason) => {
    const { send, id } = await tenant();
    const answer = await send('POST', PATH, body, { 'content-type': 'application/json' });
    expect([answer.status, answer.body.reason]).toEqual([400, reason]);
    expect(await usage.peek('SELECT 1 FROM usage_event WHERE tenant_id = $1', [id])).toEqual([]);
  });

  it('no body at all is refused like no events, whatever type is announced', async () => {
    const { send } = await tenant();
    const announced: Record<string, string>[] = [{}, { 'content-type': 'application/json' }];
    for (const headers of announced) {
      const answer = await send('POST', PATH, undefined, headers);
      expect([answer.status, answer.body.reason]).toEqual([400, 'invalid_request']);
    }
  });

  it('a thousand events in one request are taken', async () => {
    const { send } = await tenant();
    const { body } = await send('POST', PATH, { events: Array.from({ length: 1000 }, (_, i) => event(`m${i}`)) });
    expect(body).toMatchObject({ ingested: 1000, failed: 0 });
  });

  it('an archived copy that was deleted is no customer any more', async () => {
    const { send, id, customerId } = await tenant();
    await usage.service.kit.database.tenant(
      id,
      async (tx) => void (await usage.service.kit.replicas.apply(tx, 'customer', customerId, 2, null, true)),
    );
    expect((await send('POST', PATH, { events: [event('a'), event('b', { customerId })] })).body).toMatchObject({
      ingested: 0,
      failed: 2,
    });
  });

  it('a repeated Idempotency-Key gives the first answer', async () => {
    const { send } = await tenant();
    const call = () => send('POST', PATH, { events: [event('a')] }, { 'idempotency-key': 'k1' });
    const [first, second] = [await call(), await call()];
    expect(second.body).toEqual(first.body);
    expect([second.status, second.headers.get('idempotent-replayed')]).toEqual([202, 'true']);
    expect((await send('POST', PATH, { events: [event('b')] }, { 'idempotency-key': 'k1' })).body.reason).toBe(
      'idempotency_key_reused',
    );
  });

  it('are listed by time, page by page, without gap or overlap', async () => {
    const { send } = await tenant();
    const events = Array.from({ length: 25 }, (_, i) =>
      event(`p${i}`, { timestamp: `2026-03-01T08:00:${String(i % 5).padStart(2, '0')}.000Z` }),
    );
    await send('POST', PATH, { events });
    for (const order of ['sort=timestamp&direction=ASC', 'sort=createdAt&direction=DESC']) {
      const seen: string[] = [];
      for (let cursor: string | null = ''; cursor !== null;) {
        const {
          status,
          body,
        }: { status: number; body: { data: { transactionId: string }[]; pagination: { cursor: string | null } } } =
          await send('GET', `${PATH}?limit=7&${order}${cursor ? `&cursor=${cursor}` : ''}`);
        expect(status).toBe(200);
        seen.push(...body.data.map((listed) => listed.transactionId));
        cursor = body.pagination.cursor;
      }
      expect(new Set(seen).size).toBe(25);
      expect(seen.length).toBe(25);
    }
  });

  it('are filtered by customer, name and time: from included, to excluded', async () => {
    const { send, customerId } = await tenant();
    await send('POST', PATH, {
      events: [
        event('a', { timestamp: '2026-03-01T00:00:00Z' }),
        event('b', { eventName: 'login' }),
        event('c', { timestamp: '2026-03-02T00:00:00Z' }),
      ],
    });
    const ids = async (query: string): Promise<string[]> =>
      (await send('GET', `${PATH}?direction=ASC&${query}`)).body.data.map(
        (listed: { transactionId: string }) => listed.transactionId,
      );
    expect(await ids('from=2026-03-01T00:00:00Z&to=2026-03-02T00:00:00Z')).toEqual(['a']);
    expect(await ids('eventName=login')).toEqual(['b']);
    expect(await ids(`customerId=${customerId}`)).toHaveLength(3);
    expect(await ids('customerId=crm-7')).toHaveLength(3);
    expect(await ids('customerId=nobody')).toEqual([]);
    expect(await ids('limit=0')).toEqual([]);
  });

  it.each([
    'limit=101',
    'limit=-1',
    'limit=x',
    'sort=name',
    'direction=up',
    'cursor=abc',
    'from=yesterday',
    'page=2',
    'customerId=a&customerId=b',
  ])('the query %s is refused', async (query) => {
    const { send } = await tenant();
    const answer = await send('GET', `${PATH}?${query}`);
    expect([answer.status, answer.body.reason]).toEqual([400, 'invalid_request']);
  });

  it('one is found by its ULID and by the UUID of the same bytes, and by no other tenant', async () => {
    const [owner, stranger] = [await tenant(), await tenant()];
    await owner.send('POST', PATH, { events: [event('a')] });
    const found = (await owner.send('GET', PATH)).body.data[0];
    expect((await owner.send('GET', `${PATH}/${found.id}`)).body).toEqual({
      id: found.id,
      transactionId: 'a',
      eventName: 'api_call',
      timestamp: '2026-03-02T08:00:00.000Z',
      customerId: owner.customerId,
      properties: { bytes: 10 },
      createdAt: '2026-03-02T09:00:00.000Z',
    });
    expect((await owner.send('GET', `${PATH}/${ulidToUuid(found.id)}`)).body.id).toBe(found.id);
    expect((await stranger.send('GET', `${PATH}/${found.id}`)).status).toBe(404);
    expect((await owner.send('GET', `${PATH}/nonsense`)).status).toBe(404);
  });

  it('needs a token with the permission, and not a customer-bound one', async () => {
    const { id, customerId } = await tenant();
    expect((await usage.as(null)('POST', PATH, { events: [event('a')] })).status).toBe(401);
    expect(
      (
        await usage.as(apiKeyPrincipal(id, { permissions: ['usage-event:read'] }))('POST', PATH, {
          events: [event('a')],
        })
      ).status,
    ).toBe(403);
    expect((await usage.as(apiKeyPrincipal(id, { permissions: ['usage-event:write'] }))('GET', PATH)).status).toBe(403);
    expect((await usage.as(customerPrincipal(id, customerId))('GET', PATH)).status).toBe(403);
  });

  it('the OpenAPI document shows every parameter of the list', async () => {
    const { body } = await usage.as(null)('GET', '/internal/openapi');
    const names = body.paths[PATH].get.parameters.map((parameter: { name: string }) => parameter.name);
    expect(names).toEqual([
      'customerId',
      'customerTree',
      'eventName',
      'from',
      'to',
      'sort',
      'direction',
      'cursor',
      'limit',
      'fields',
    ]);
  });

  it('a customer with events is in use', async () => {
    const { id, customerId, send } = await tenant();
    const ask = async (): Promise<unknown> =>
      (await usage.as(servicePrincipal(id, 'billing'))('GET', `/internal/customers/${customerId}/references`)).body;
    expect(await ask()).toEqual({ references: [] });
    await send('POST', PATH, { events: [event('a')] });
    expect(await ask()).toEqual({ references: ['usage_event'] });
  });

  it('a customer with a threshold of its own is in use, and one that was released gets none', async () => {
    const { id, customerId, send } = await tenant();
    const billing = usage.as(servicePrincipal(id, 'billing'));
    const release = async (): Promise<unknown> =>
      (await billing('POST', `/internal/customers/${customerId}/release`, { version: 1_000 })).body;
    const { body: metric } = await send('POST', '/api/usage-metrics', {
      code: 'calls',
      name: 'Calls',
      eventName: 'call',
      aggregationType: 'count',
    });
    const watch = () => send('POST', '/api/usage-thresholds', { metric: metric.id, customerId, value: '5' });
    const { body: threshold } = await watch();
    expect(await release()).toEqual({ references: ['usage_threshold'] });
    expect((await send('DELETE', `/api/usage-thresholds/${threshold.id}`)).status).toBe(204);
    expect(await release()).toEqual({ references: [] });
    expect(await watch()).toMatchObject({ status: 422, body: { reason: 'unknown_reference' } });
  });

  it('references are found by index as the app role, not by reading all customers', async () => {
    const { id } = await tenant();
    await usage.peek(
      `INSERT INTO replica (tenant_id, kind, id, version, deleted, data)
       SELECT $1::uuid, 'customer', n::text, 1, false, jsonb_build_object('externalId', 'x' || n)
       FROM generate_series(1, 3000) n`,
      [id],
    );
    await usage.peek('ANALYZE replica');
    const plan = await usage.service.kit.database.tenant(id, (tx) =>
      tx.query<Record<string, string>>(
        'EXPLAIN SELECT id FROM replica WHERE tenant_id = $1 AND external_id = ANY($2::text[])',
        [id, ['x5']],
      ),
    );
    expect(JSON.stringify(plan)).toContain('replica_external_id');
  });
});
