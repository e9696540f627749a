import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newUuid } from '@kontor/kernel';
import { apiKeyPrincipal, eventually, testService, type TestService } from '@kontor/testing';
import { usageService } from '../src/index.js';
import { MAX_THRESHOLDS } from '../src/thresholds/create-threshold.js';

const PATH = '/api/usage-thresholds';
let usage: TestService;
let events = 0;

beforeAll(async () => {
  usage = await testService(usageService, { now: new Date('2026-03-20T09:00:00.000Z') });
});
afterAll(() => usage.stop());

async function tenant() {
  const id = newUuid();
  const send = usage.as(apiKeyPrincipal(id));
  await usage.giveCopy('tenant', id, id, { id, timeZone: 'Europe/Berlin' });
  const customer = async (externalId: string, timeZone = 'Europe/Berlin') => {
    const customerId = newUuid();
    await usage.giveCopy('customer', id, customerId, {
      id: customerId,
      customerNumber: `K-${externalId}`,
      externalId,
      timeZone,
      representation: { id: customerId, externalId },
    });
    return customerId;
  };
  const metric = (
    await send('POST', '/api/usage-metrics', {
      code: 'bytes',
      name: 'Bytes',
      eventName: 'call',
      aggregationType: 'sum',
      property: 'bytes',
    })
  ).body;
  const use = async (customerId: string, bytes: number | string, timestamp = '2026-03-19T09:00:00Z') => {
    const { body } = await send('POST', '/api/usage-events', {
      events: [{ transactionId: `t${++events}`, eventName: 'call', timestamp, customerId, properties: { bytes } }],
    });
    expect(body.ingested).toBe(1);
  };
  interface Payload {
    thresholdId: string;
    customerId: string;
    value: string;
    notices: { type: string; data: { usage: Record<string, unknown> } }[];
  }
  const published = async (): Promise<Payload[]> =>
    (
      await usage.peek<{ payload: string | Payload }>(
        `SELECT payload FROM outbox WHERE tenant_id = $1 AND type = 'usage.threshold.reached.v1' ORDER BY id`,
        [id],
      )
    ).map(({ payload }) => (typeof payload === 'string' ? (JSON.parse(payload) as Payload) : payload));
  /** Until everything that was used has been looked at. */
  const looked = async (): Promise<void> => {
    await eventually(
      async () => (await usage.peek('SELECT 1 FROM usage_touched WHERE tenant_id = $1', [id])).length === 0,
      'a look at changed usage',
    );
  };
  return { id, send, customer, metric, use, published, looked };
}

describe('a usage threshold', () => {
  it('is made, read, listed and removed', async () => {
    const { send, customer, metric } = await tenant();
    const customerId = await customer('a');
    const created = await send('POST', PATH, { metric: metric.id, customerId: 'a', value: '100.50' });
    expect([created.status, created.body]).toEqual([201, {
      id: expect.any(String), metric: { id: metric.id, code: 'bytes', name: 'Bytes', unit: null }, customerId, value: '100.5',
      createdAt: '2026-03-20T09:00:00.000Z',
    }]); // prettier-ignore
    const all = await send('POST', PATH, { metric: metric.id, value: '7' });
    expect(all.body.customerId).toBeNull();
    expect((await send('GET', `${PATH}/${created.body.id}`)).body).toEqual(created.body);
    expect((await send('GET', `${PATH}?metric=${metric.id}&customerId=${customerId}`)).body.data).toEqual([
      created.body,
    ]);
    expect((await send('GET', PATH)).body.meta.pagination.totalItems).toBe(2);
    expect((await send('DELETE', `${PATH}/${created.body.id}`)).status).toBe(204);
    expect((await send('GET', `${PATH}/${created.body.id}`)).status).toBe(404);
    expect((await send('DELETE', `${PATH}/${created.body.id}`)).status).toBe(404);
    expect((await usage.as(apiKeyPrincipal(newUuid()))('GET', `${PATH}/${all.body.id}`)).status).toBe(404);
  });

  it.each<[string, object, number, string]>([
    ['no metric', { metric: undefined }, 400, 'invalid_request'],
    ['an unknown metric', { metric: newUuid() }, 422, 'unknown_reference'],
    ['a metric that is no id', { metric: 'bytes' }, 422, 'validation_failed'],
    ['an unknown customer', { customerId: 'nobody' }, 422, 'unknown_reference'],
    ['no value', { value: undefined }, 400, 'invalid_request'],
    ['value 0', { value: '0' }, 422, 'validation_failed'],
    ['a negative value', { value: '-5' }, 422, 'validation_failed'],
    ['a number as value', { value: 5 }, 400, 'invalid_request'],
    ['NaN', { value: 'NaN' }, 422, 'validation_failed'],
    ['an unknown field', { webhook: 'x' }, 400, 'unknown_field'],
  ])('with %s is refused', async (_name, changes, status, reason) => {
    const { send, metric } = await tenant();
    const answer = await send('POST', PATH, { metric: metric.id, value: '5', ...changes });
    expect([answer.status, answer.body.reason]).toEqual([status, reason]);
  });

  it('is one of twenty at most of its metric for a customer, and for each; those of others do not count', async () => {
    const { send, customer, metric } = await tenant();
    for (const externalId of ['a', 'b']) await customer(externalId);
    const made = (customerId: string | null, value: number) =>
      send('POST', PATH, { metric: metric.id, customerId, value: String(value) });
    for (const customerId of ['a', null]) {
      for (let value = 1; value <= MAX_THRESHOLDS; value++) expect((await made(customerId, value)).status).toBe(201);
      expect(await made(customerId, 99)).toMatchObject({ status: 422, body: { reason: 'too_many_thresholds' } });
    }
    expect((await made('b', 1)).status).toBe(201);
  });

  it('is not made for a customer that was anonymized', async () => {
    const { id, send, metric } = await tenant();
    const customerId = newUuid();
    await usage.giveCopy('customer', id, customerId, { id: customerId, anonymizedAt: '2026-03-20T08:00:00.000Z' });
    const answer = await send('POST', PATH, { metric: metric.id, customerId, value: '5' });
    expect([answer.status, answer.body.reason]).toEqual([422, 'customer_anonymized']);
  });

  it('is published once a month, when usage reaches it', async () => {
    const { send, customer, metric, use, published, looked } = await tenant();
    const customerId = await customer('a');
    const { body } = await send('POST', PATH, { metric: metric.id, customerId: 'a', value: '100' });
    await use('a', '99.99');
    await looked();
    expect(await published()).toEqual([]);
    await Promise.all([use('a', '0.01'), use('a', 5), use('a', 6)]);
    await looked();
    await use('a', 1000);
    await looked();
    const [event, ...others] = await published();
    expect(others).toEqual([]);
    expect(event).toMatchObject({ thresholdId: body.id, customerId });
    expect(event!.notices).toMatchObject([
      {
        type: 'usage.threshold.reached',
        data: {
          usage: {
            ...body,
            reachedValue: event!.value,
            period: { from: '2026-02-28T23:00:00.000Z', to: '2026-03-31T22:00:00.000Z' },
            customer: { id: customerId, externalId: 'a' },
          },
        },
      },
    ]); // prettier-ignore
    // A late event of February is another month's usage; what is older than that is nobody's alarm.
    await use('a', 100, '2026-02-15T00:00:00Z');
    await use('a', 100, '2026-01-15T00:00:00Z');
    await looked();
    expect(await published()).toHaveLength(2);
  });

  it('without a customer counts for each by itself, and for what was used before it was made', async () => {
    const { send, customer, metric, use, published, looked } = await tenant();
    const [a, b] = [await customer('a'), await customer('b', 'America/New_York')];
    await use('a', 60);
    await use('b', 60);
    await send('POST', PATH, { metric: metric.id, value: '50' });
    await send('POST', PATH, { metric: metric.id, value: '100' });
    await looked();
    expect((await published()).map((event) => event.customerId).sort()).toEqual([a, b].sort());
    await use('b', 40);
    await looked();
    expect((await published()).at(-1)).toMatchObject({ customerId: b, value: '100' });
  });

  it('is published exactly once by sixteen checks at once', async () => {
    const { id, send, customer, metric, use, published, looked } = await tenant();
    const { checkThresholds } = await import('../src/thresholds/check-thresholds.js');
    const { MeasureUsage } = await import('../src/measurement/measure-usage.js');
    const customerId = await customer('a');
    await send('POST', PATH, { metric: metric.id, value: '50' });
    await use('a', 49);
    await looked();
    await usage.peek(
      `INSERT INTO usage_touched (tenant_id, metric_id, customer_id, at) SELECT $1, $2, $3, '2026-03-19T00:00:00Z' FROM generate_series(1, 8000)`,
      [id, metric.id, customerId],
    );
    await Promise.all([
      use('a', 1),
      ...Array.from({ length: 16 }, () =>
        usage.service.kit.database.tenant(id, (tx) => checkThresholds(tx, new MeasureUsage())),
      ),
    ]);
    await looked();
    expect(await published()).toHaveLength(1);
  });

  it('of a level is looked at when a month begins', async () => {
    const { id, send, customer, published, looked } = await tenant();
    await customer('a');
    const { body } = await send('POST', '/api/usage-metrics', {
      code: 'gib',
      name: 'Storage',
      eventName: 'size',
      aggregationType: 'weighted_sum',
      property: 'gib',
    });
    await send('POST', PATH, { metric: body.id, value: '100' });
    // From 17 March on, half of the month.
    await send('POST', '/api/usage-events', {
      events: [
        {
          transactionId: 's',
          eventName: 'size',
          timestamp: '2026-03-17T00:00:00Z',
          customerId: 'a',
          properties: { gib: 150 },
        },
      ],
    });
    await looked();
    expect(await published()).toEqual([]);
    usage.clock.set(new Date('2026-04-03T00:00:00.000Z'));
    await usage.peek(
      `UPDATE due_work SET poll_at = now(), due_at = now() WHERE tenant_id = $1 AND kind = 'usage.thresholds.check'`,
      [id],
    );
    await eventually(async () => (await published()).length > 0, 'the threshold');
    expect(await published()).toMatchObject([{ value: '150' }]);
    usage.clock.set(new Date('2026-03-20T09:00:00.000Z'));
  });
});
