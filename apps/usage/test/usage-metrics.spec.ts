import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newUuid } from '@kontor/kernel';
import { apiKeyPrincipal, customerPrincipal, testService, type TestService } from '@kontor/testing';
import { usageService } from '../src/index.js';

const METRICS = '/api/usage-metrics';
let usage: TestService;
let events = 0;

beforeAll(async () => {
  usage = await testService(usageService, { now: new Date('2026-03-20T09:00:00.000Z') });
});
afterAll(() => usage.stop());

async function tenant(timeZone = 'Europe/Berlin') {
  const id = newUuid();
  const customerId = newUuid();
  await usage.giveCopy('tenant', id, id, { id, timeZone: 'Europe/Berlin' });
  await usage.giveCopy('customer', id, customerId, {
    id: customerId,
    customerNumber: 'K-1',
    externalId: 'crm-7',
    status: 'STATUS_ACTIVE',
    timeZone,
  });
  const send = usage.as(apiKeyPrincipal(id));
  const event = (timestamp: string, properties: object = {}, changes: object = {}) => ({
    transactionId: `t${++events}`,
    eventName: 'call',
    timestamp,
    customerId: 'crm-7',
    properties,
    ...changes,
  });
  return {
    id,
    customerId,
    send,
    event,
    ingest: async (...list: object[]) =>
      expect((await send('POST', '/api/usage-events', { events: list })).body).toMatchObject({ failed: 0 }),
    metric: async (body: object) => {
      const answer = await send('POST', METRICS, {
        code: `m${++events}`,
        name: 'Calls',
        eventName: 'call',
        aggregationType: 'sum',
        property: 'bytes',
        ...body,
      });
      expect([answer.status, answer.body.reason]).toEqual([201, undefined]);
      return answer.body as { id: string; [key: string]: unknown };
    },
    query: async (id: string, query: string) =>
      (await send('GET', `${METRICS}/${id}/query?customerId=crm-7&${query}`)).body,
  };
}

describe('a usage metric', () => {
  it('is created with defaults, read, listed, replaced and archived', async () => {
    const { send, metric } = await tenant();
    const created = await metric({
      code: 'bytes',
      filters: [{ property: 'status', operator: 'exists' }],
      groupBy: ['region'],
      percentile: null,
    });
    expect(created).toEqual({
      id: expect.any(String), code: 'bytes', name: 'Calls', description: null, status: 'active', eventName: 'call', aggregationType: 'sum', property: 'bytes',
      percentile: null, filters: [{ property: 'status', operator: 'exists', value: true }], groupBy: ['region'], unit: null, rounding: null, rollup: 'day',
      rollupStatus: 'ready', rollupBuiltFrom: null, createdAt: '2026-03-20T09:00:00.000Z', updatedAt: '2026-03-20T09:00:00.000Z',
    }); // prettier-ignore
    expect((await send('GET', `${METRICS}/${created.id}`)).body).toEqual(created);
    expect((await send('GET', `${METRICS}?code=bytes&status=active`)).body.data).toEqual([created]);
    const replaced = await send('PUT', `${METRICS}/${created.id}`, {
      ...created,
      name: 'Bytes',
      unit: 'B',
      rounding: { mode: 'up', scale: 0 },
    });
    expect(replaced.body).toMatchObject({ name: 'Bytes', unit: 'B', rounding: { mode: 'up', scale: 0 } });
    expect((await send('PUT', `${METRICS}/${created.id}/archive`)).body.status).toBe('archived');
    expect((await send('PUT', `${METRICS}/${created.id}/archive`)).status).toBe(200);
    expect(await usage.peek('SELECT 1 FROM outbox WHERE aggregate_id = $1', [created.id])).toHaveLength(3);
  });

  it('has a code of its own', async () => {
    const { send, metric } = await tenant();
    await metric({ code: 'bytes' });
    const again = await send('POST', METRICS, {
      code: 'bytes',
      name: 'x',
      eventName: 'call',
      aggregationType: 'count',
    });
    expect([again.status, again.body.reason]).toEqual([422, 'already_exists']);
  });

  const long = 'x'.repeat(256);
  it.each<[string, object, number, string]>([
    ['no code', { code: undefined }, 400, 'invalid_request'],
    ['a blank name', { name: ' ' }, 422, 'validation_failed'],
    ['a number as name', { name: 7 }, 400, 'invalid_request'],
    ['a long name', { name: long }, 422, 'validation_failed'],
    ['a code with blanks', { code: 'a b' }, 422, 'validation_failed'],
    ['a long event name', { eventName: long }, 422, 'validation_failed'],
    ['a NUL character', { eventName: 'a\u0000b' }, 422, 'validation_failed'],
    ['an unknown aggregation', { aggregationType: 'median' }, 422, 'validation_failed'],
    ['no property for a sum', { property: null }, 422, 'validation_failed'],
    ['a path that injects', { property: "a'); DROP TABLE usage_event; --" }, 422, 'validation_failed'],
    ['a path into prototypes', { property: 'a.__proto__.b' }, 422, 'validation_failed'],
    ['an empty name in a path', { property: 'a..b' }, 422, 'validation_failed'],
    ['a path too deep', { property: 'a.b.c.d.e.f.g.h.i' }, 422, 'validation_failed'],
    ['a path as list', { property: ['a'] }, 400, 'invalid_request'],
    ['percentile 0', { aggregationType: 'percentile', percentile: '0' }, 422, 'validation_failed'],
    ['percentile 100.1', { aggregationType: 'percentile', percentile: '100.1' }, 422, 'validation_failed'],
    ['percentile NaN', { aggregationType: 'percentile', percentile: 'NaN' }, 422, 'validation_failed'],
    ['no percentile', { aggregationType: 'percentile' }, 422, 'validation_failed'],
    ['a percentile of a sum', { percentile: '95' }, 422, 'validation_failed'],
    ['an unknown operator', { filters: [{ property: 'a', operator: 'like', value: 'x' }] }, 422, 'validation_failed'],
    [
      'an unknown field in a filter',
      { filters: [{ property: 'a', operator: 'eq', value: 'x', not: true }] },
      400,
      'unknown_field',
    ],
    ['an object as filter value', { filters: [{ property: 'a', operator: 'eq', value: {} }] }, 400, 'invalid_request'],
    ['a text for gt', { filters: [{ property: 'a', operator: 'gt', value: 'many' }] }, 422, 'validation_failed'],
    ['no list for in', { filters: [{ property: 'a', operator: 'in', value: 'x' }] }, 422, 'validation_failed'],
    [
      '101 values for in',
      { filters: [{ property: 'a', operator: 'in', value: Array(101).fill(1) }] },
      422,
      'validation_failed',
    ],
    ['21 filters', { filters: Array(21).fill({ property: 'a', operator: 'exists' }) }, 422, 'validation_failed'],
    ['a filter path that injects', { filters: [{ property: 'a->>b', operator: 'exists' }] }, 422, 'validation_failed'],
    ['six groups', { groupBy: ['a', 'b', 'c', 'd', 'e', 'f'] }, 422, 'validation_failed'],
    ['a group twice', { groupBy: ['a', 'a'] }, 422, 'validation_failed'],
    ['a group that is no text', { groupBy: [1] }, 400, 'invalid_request'],
    ['a rounding without scale', { rounding: { mode: 'up' } }, 400, 'invalid_request'],
    ['an unknown rounding', { rounding: { mode: 'bankers', scale: 2 } }, 422, 'validation_failed'],
    ['a scale of 21', { rounding: { mode: 'up', scale: 21 } }, 422, 'validation_failed'],
    ['rollups by minute', { rollup: 'minute' }, 422, 'validation_failed'],
    ['an unknown field', { window: '1h' }, 400, 'unknown_field'],
  ])('with %s is refused', async (_name, changes, status, reason) => {
    const { send, id } = await tenant();
    const answer = await send('POST', METRICS, {
      code: 'c',
      name: 'n',
      eventName: 'call',
      aggregationType: 'sum',
      property: 'bytes',
      ...changes,
    });
    expect([answer.status, answer.body.reason]).toEqual([status, reason]);
    expect(await usage.peek('SELECT 1 FROM usage_metric WHERE tenant_id = $1', [id])).toEqual([]);
  });

  it('is no other tenant’s, and no customer’s', async () => {
    const [owner, stranger] = [await tenant(), await tenant()];
    const { id } = await owner.metric({});
    for (const path of [`${METRICS}/${id}`, `${METRICS}/${id}/query`])
      expect((await stranger.send('GET', path)).status).toBe(404);
    expect((await stranger.send('PUT', `${METRICS}/${id}/archive`)).status).toBe(404);
    expect((await usage.as(customerPrincipal(owner.id, owner.customerId))('GET', METRICS)).status).toBe(403);
    expect(
      (await usage.as(apiKeyPrincipal(owner.id, { permissions: ['usage-event:read'] }))('POST', METRICS, {})).status,
    ).toBe(403);
  });
});

describe('usage over time', () => {
  it('is the same for events before and after the metric was made, exactly', async () => {
    const { ingest, event, metric, query } = await tenant();
    await ingest(
      event('2026-03-01T10:00:00Z', { bytes: 0.1 }),
      event('2026-03-02T10:00:00Z', { bytes: '0.2' }),
      event('2026-03-02T10:00:00Z', { bytes: 'many' }),
    );
    const { id } = await metric({});
    await ingest(event('2026-03-02T11:00:00Z', { bytes: 12345678901 }), event('2026-03-02T12:00:00Z', {}));
    expect(await query(id, 'from=2026-03-01&to=2026-03-03&granularity=day')).toEqual({
      data: [
        { from: '2026-02-28T23:00:00.000Z', to: '2026-03-01T23:00:00.000Z', value: '0.1', group: {} },
        { from: '2026-03-01T23:00:00.000Z', to: '2026-03-02T23:00:00.000Z', value: '12345678901.2', group: {} },
      ],
      total: '12345678901.3',
      exact: true,
    });
  });

  it('is exact by days whose events were removed, and not by their hours, which no rollup holds', async () => {
    const { id: tenantId, ingest, event, metric, query } = await tenant();
    const { id } = await metric({});
    await ingest(event('2026-03-01T10:00:00Z', { bytes: 3 }));
    await usage.peek(`UPDATE usage_tenant SET raw_from = '2026-03-10T00:00:00Z' WHERE tenant_id = $1`, [tenantId]);
    await usage.peek('DELETE FROM usage_event WHERE tenant_id = $1', [tenantId]);
    const [days, hours] = await Promise.all(
      ['day', 'hour'].map((granularity) => query(id, `from=2026-03-01&to=2026-03-02&granularity=${granularity}`)),
    );
    expect([days.total, days.exact]).toEqual(['3', true]);
    expect(hours.exact).toBe(false);
  });

  it('follows the days of the customer, at daylight saving and in zones of half hours', async () => {
    const berlin = await tenant();
    const { id } = await berlin.metric({ aggregationType: 'count', property: null });
    await berlin.ingest(
      berlin.event('2025-10-25T22:00:00Z'),
      berlin.event('2025-10-26T22:59:59.999Z'),
      berlin.event('2025-10-26T23:00:00Z'),
    );
    const days = await berlin.query(id, 'from=2025-10-26&to=2025-10-28&granularity=day');
    expect(days.data.map((day: { value: string }) => day.value)).toEqual(['2', '1']);
    const kolkata = await tenant('Asia/Kolkata');
    const metric = await kolkata.metric({ aggregationType: 'count', property: null, rollup: 'hour' });
    await kolkata.ingest(
      kolkata.event('2026-03-01T18:29:59.999Z'),
      kolkata.event('2026-03-01T18:30:00Z'),
      kolkata.event('2026-03-01T19:29:59Z'),
      kolkata.event('2026-03-02T18:30:00Z'),
    );
    const local = await kolkata.query(metric.id, 'from=2026-03-02&to=2026-03-03&granularity=day');
    expect(local).toMatchObject({
      data: [{ from: '2026-03-01T18:30:00.000Z', to: '2026-03-02T18:30:00.000Z', value: '2' }],
      total: '2',
    });
    const hours = await kolkata.query(metric.id, 'from=2026-03-02&to=2026-03-03&granularity=hour');
    expect(hours.data).toHaveLength(24);
    expect(hours.data[0]).toEqual({
      from: '2026-03-01T18:30:00.000Z',
      to: '2026-03-01T19:30:00.000Z',
      value: '2',
      group: {},
    });
  });

  it('groups, rounds once, and keeps what is 0', async () => {
    const { ingest, event, metric, query } = await tenant();
    const { id } = await metric({ groupBy: ['region', 'http.status'], rounding: { mode: 'up', scale: 1 } });
    await ingest(
      event('2026-03-01T10:00:00Z', { bytes: '1.01', region: 'eu', http: { status: 200 } }),
      event('2026-03-01T10:00:00Z', { bytes: '1.01', region: 'us', 'http.status': 200 }),
      event('2026-03-01T11:00:00Z', { bytes: '1.01' }),
    );
    const grouped = await query(id, 'from=2026-03-01&to=2026-04-01&granularity=month&groupBy=region');
    expect(grouped.data).toMatchObject([
      { value: '1.1', group: { region: '' } },
      { value: '1.1', group: { region: 'eu' } },
      { value: '1.1', group: { region: 'us' } },
    ]);
    expect(grouped.total).toBe('3.1');
    expect((await query(id, 'from=2026-03-01&to=2026-04-01&groupBy=http.status')).data).toMatchObject([
      { group: { 'http.status': '' } },
      { value: '2.1', group: { 'http.status': '200' } },
    ]);
    expect((await query(id, 'from=2026-02-01&to=2026-02-02')).data).toMatchObject([{ value: '0' }]);
  });

  it('a level is held until the next one and carried into later months', async () => {
    const { ingest, event, metric, query } = await tenant();
    const { id } = await metric({ aggregationType: 'weighted_sum' });
    // 100 from 1 January on, 200 from 16 March 00:00 on: March has 743 hours.
    await ingest(event('2026-01-01T00:00:00Z', { bytes: 100 }), event('2026-03-15T23:00:00Z', { bytes: 200 }));
    expect((await query(id, 'from=2026-02-01&to=2026-03-01')).total).toBe('100');
    const march = await query(id, 'from=2026-03-01&to=2026-04-01&granularity=day');
    expect([march.data[0].value, march.data[14].value, march.data[15].value]).toEqual(['100', '100', '200']);
    const hours = 743;
    const second = hours - 15 * 24;
    expect(march.total).toBe(((100 * 15 * 24 + 200 * second) / hours).toFixed(12).replace(/0+$/, ''));
  });

  it('levels of more groups and parts than can be reckoned are refused, however few events there are', async () => {
    const { ingest, event, metric, query } = await tenant();
    const { id } = await metric({ aggregationType: 'weighted_sum', groupBy: ['seat'] });
    await ingest(...Array.from({ length: 300 }, (_, n) => event('2026-01-01T00:00:00Z', { bytes: 1, seat: `s${n}` })));
    const period = 'from=2026-01-01&to=2026-03-20';
    expect((await query(id, `${period}&granularity=day`)).data[1].value).toBe('300');
    expect(await query(id, `${period}&granularity=hour`)).toMatchObject({ status: 422, reason: 'too_many_groups' });
  });

  it.each<[string, number, string]>([
    ['from=2026-03-02&to=2026-03-01', 400, 'invalid_request'],
    ['from=yesterday', 400, 'invalid_request'],
    ['from=2026-03-01T00:00:00', 400, 'invalid_request'],
    ['granularity=week', 400, 'invalid_request'],
    ['page=1', 400, 'invalid_request'],
    ['from=2020-01-01&to=2026-01-01&granularity=hour', 422, 'too_many_buckets'],
    ['groupBy=country', 422, 'validation_failed'],
    ['customerId=nobody', 422, 'unknown_reference'],
  ])('the query %s is refused', async (query, status, reason) => {
    const { send, metric } = await tenant();
    const { id } = await metric({ groupBy: ['region'] });
    const answer = await send('GET', `${METRICS}/${id}/query?${query}`);
    expect([answer.status, answer.body.reason]).toEqual([status, reason]);
  });
});
