import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { newUuid } from '@kontor/kernel';
import { apiKeyPrincipal, testService, type TestService } from '@kontor/testing';
import { usageService } from '../src/index.js';
import { boundedRead } from '../src/query-support/bounded-read.js';

let usage: TestService;
beforeAll(async () => {
  usage = await testService(usageService);
});
afterAll(() => usage?.stop());

it('a statement that takes too long is refused with its reason, and the connection goes on', async () => {
  const database = usage.service.kit.database;
  const slow = boundedRead(database, newUuid(), (tx) => tx.query('SELECT pg_sleep(5)'), { longestStatementMs: 50 });
  await expect(slow).rejects.toMatchObject({ reason: 'query_too_large', kind: 'unprocessable' });
  expect(await boundedRead(database, newUuid(), (tx) => tx.query<{ n: number }>('SELECT 1 AS n'))).toEqual([{ n: 1 }]);
});

/** Every route that shows something, with what a client may ask. */
const ROUTES = [
  '/api/usage-events',
  '/api/usage-events/01ARZ3NDEKTSV4RRFFQ69G5FAV',
  '/api/usage-events/discover',
  '/api/usage-metrics',
  `/api/usage-metrics/${newUuid()}`,
  `/api/usage-metrics/${newUuid()}/query?from=2026-01-01T00:00:00Z&to=2026-02-01T00:00:00Z`,
  '/api/usage-thresholds',
  `/api/usage-thresholds/${newUuid()}`,
];

it.each(ROUTES)('%s is bounded', async (path) => {
  const database = usage.service.kit.database;
  const limits: string[] = [];
  const tenant = database.tenant.bind(database);
  database.tenant = (id, work, options) =>
    tenant(id, async (tx) => {
      const query = tx.query.bind(tx);
      tx.query = (sql: string, params?: readonly unknown[]) => {
        if (sql.startsWith('SET LOCAL statement_timeout')) limits.push(sql);
        return query(sql, params);
      };
      return work(tx);
    }, options); // prettier-ignore
  try {
    expect((await usage.as(apiKeyPrincipal(newUuid()))('GET', path)).status).toBeLessThan(500);
  } finally {
    database.tenant = tenant;
  }
  expect(limits).toEqual(['SET LOCAL statement_timeout = 10000']);
});
