import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newUuid } from '@kontor/kernel';
import {
  apiKeyPrincipal,
  listUsesIndexOn,
  multiplyRow,
  statementsOf,
  testService,
  type TestService,
  usesIndexOn,
} from '@kontor/testing';
import { readRollups } from '../src/measurement/read-rollups.js';
import { usageService } from '../src/index.js';

let usage: TestService;
const [tenantId, otherId, customerId] = [newUuid(), newUuid(), newUuid()];
let metricId: string;
const send = (method: string, path: string, body?: unknown) => usage.as(apiKeyPrincipal(tenantId))(method, path, body);

beforeAll(async () => {
  usage = await testService(usageService);
  await usage.giveCopy('customer', tenantId, customerId, {
    id: customerId,
    customerNumber: 'K-1',
    timeZone: 'Europe/Berlin',
  });
  const metric = { code: 'calls', name: 'Calls', eventName: 'call', aggregationType: 'max', property: 'n' };
  metricId = (await send('POST', '/api/usage-metrics', metric)).body.id as string;
  await send('POST', '/api/usage-thresholds', { metric: metricId, customerId, value: '1000000' });
  const timestamp = '2026-02-26T12:00:00.000Z';
  await send('POST', '/api/usage-events', {
    events: [{ transactionId: 'a', eventName: 'call', timestamp, customerId, properties: { n: 1 } }],
  });
  const names = {
    code: "'c' || n",
    event_name: "'e' || n % 500",
    aggregation_type: "CASE WHEN n % 500 = 7 THEN 'max' ELSE 'sum' END",
    rollup_id: 'gen_random_uuid()',
  };
  await multiplyRow(usage, 'usage_threshold', { id: 'uuidv7()', version: 'n', customer_id: 'gen_random_uuid()' });
  await multiplyRow(usage, 'usage_rollup', {
    customer_id: 'gen_random_uuid()',
    bucket_from: "'2026-03-01'::timestamptz - make_interval(days => n % 400)",
  });
  await multiplyRow(usage, 'usage_metric', {
    id: 'uuidv7()',
    ...names,
    status: "CASE WHEN n % 100 = 0 THEN 'archived' ELSE 'active' END",
  });
});
afterAll(() => usage.stop());

describe('under row-level security an index finds', () => {
  it.each([
    ['/api/usage-metrics?code=c7', 'usage_metric', 'code'],
    ['/api/usage-metrics?eventName=e7', 'usage_metric', 'event_name'],
    ['/api/usage-metrics?aggregationType=max', 'usage_metric', 'aggregation_type'],
    ['/api/usage-metrics?status=archived', 'usage_metric', 'status'],
    [`/api/usage-thresholds?metric=${newUuid()}`, 'usage_threshold', 'metric_id'],
    [`/api/usage-thresholds?customerId=${newUuid()}`, 'usage_threshold', 'customer_id'],
  ])('%s', async (path, table, column) => {
    const work = async (): Promise<void> => expect((await send('GET', path)).status).toBe(200);
    expect(await listUsesIndexOn(usage.db, tenantId, table, column, work)).toBe(true);
  });

  it('no metric is made where there are too many, also archived ones', async () => {
    const metric = { code: 'more', name: 'More', eventName: 'call', aggregationType: 'count' };
    expect(await send('POST', '/api/usage-metrics', metric)).toMatchObject({
      status: 422,
      body: { reason: 'too_many_metrics' },
    });
    expect((await usage.as(apiKeyPrincipal(newUuid()))('POST', '/api/usage-metrics', metric)).status).toBe(201);
  });

  it.each([
    ['of a customer', `&customerId=${customerId}`, 'customer_id'],
    ['of all customers', '', 'bucket_from'],
  ])('the rollups %s', async (_name, query, column) => {
    const ask = async (): Promise<void> =>
      expect((await send('GET', `/api/usage-metrics/${metricId}/query?from=2026-01-01${query}`)).status).toBe(200);
    const found = (await statementsOf(ask)).filter(({ text }) => text.includes('FROM usage_rollup'));
    expect(found.length).toBeGreaterThan(0);
    for (const { text, params } of found)
      expect(await usesIndexOn(usage.db, column, text, params, tenantId)).toBe(true);
  });
});

it('an index finds one customer’s rollups also before the table was ever analyzed', async () => {
  const fresh = await testService(usageService);
  const ask = await statementsOf(() =>
    fresh.service.kit.database.tenant(tenantId, (tx) =>
      readRollups(tx, 'sums', [{ rollupId: newUuid(), width: 'day', customerId, from: 0, to: 1 }]),
    ),
  );
  const [found] = ask.filter(({ text }) => text.includes('FROM usage_rollup'));
  expect(await usesIndexOn(fresh.db, 'customer_id', found!.text, found!.params, tenantId)).toBe(true);
  await fresh.stop();
});

it('functions with the owner’s rights act for the transaction’s tenant only', async () => {
  for (const call of [
    'usage_metrics_begin($1)',
    'usage_metric_definitions($1)',
    'usage_metrics_building($1)',
    "usage_touch($1, '{}', '{}', '{}')",
  ]) {
    const foreign = usage.service.kit.database.tenant(otherId, (tx) => tx.query(`SELECT * FROM ${call}`, [tenantId]));
    if (call.startsWith('usage_touch')) await expect(foreign).resolves.toBeDefined();
    else await expect(foreign).rejects.toThrow('another tenant');
  }
  const arrays = [
    'uuid',
    'text',
    'timestamptz',
    'timestamptz',
    'uuid',
    'text',
    'int',
    'uuid',
    'int',
    'bigint',
    'numeric',
    'numeric',
    'numeric',
    'timestamptz',
    'timestamptz',
    'uuid',
    'numeric',
    'numeric',
  ];
  const valueOf = {
    uuid: `{${newUuid()}}`,
    text: '{day}',
    timestamptz: '{2026-01-01}',
    bigint: '{1}',
    int: '{1}',
    numeric: '{1}',
  } as const;
  const values = arrays.map((type) => `'${valueOf[type as keyof typeof valueOf]}'::${type}[]`).join(', ');
  await expect(
    usage.service.kit.database.tenant(otherId, (tx) => tx.query(`SELECT usage_rollups_add($1, ${values})`, [tenantId])),
  ).rejects.toThrow('another tenant');
  const seen = await usage.service.kit.database.tenant(otherId, (tx) =>
    tx.query('SELECT 1 FROM usage_rollup UNION ALL SELECT 1 FROM usage_metric UNION ALL SELECT 1 FROM usage_threshold'),
  );
  expect(seen).toEqual([]);
});
