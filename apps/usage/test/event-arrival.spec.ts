import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newUuid } from '@kontor/kernel';
import { apiKeyPrincipal, statementsOf, testService, type TestService } from '@kontor/testing';
import { idFloor } from '../src/partitions/arrival.js';
import { usageService } from '../src/index.js';

const DAY_MS = 86_400_000;
const DAYS = [0, 3, 40, 80];
let usage: TestService;
const tenantId = newUuid();
const customerId = newUuid();
const daysAgo = (days: number): Date => new Date(Date.now() - days * DAY_MS);

/** Two events each that arrived and occurred so many days ago, and one that came late. */
beforeAll(async () => {
  usage = await testService(usageService, { now: new Date() });
  await usage.giveCopy('customer', tenantId, customerId, {
    id: customerId,
    customerNumber: 'K-1',
    externalId: null,
    status: 'STATUS_ACTIVE',
  });
  for (const days of DAYS) {
    await usage.peek('SELECT usage_make_leaf($1::date)', [daysAgo(days).toISOString().slice(0, 10)]);
    await put(days, 1, daysAgo(days));
    await put(days, 2, daysAgo(days));
  }
  await put(0, 3, daysAgo(60));
});
afterAll(() => usage.stop());

async function put(arrivedDays: number, n: number, occurredAt: Date): Promise<void> {
  const id = `${idFloor(daysAgo(arrivedDays)).slice(0, -1)}${n}`;
  await usage.peek(
    `INSERT INTO usage_event (tenant_id, id, customer_id, occurred_at, created_at, transaction_id, event_name, properties)
     VALUES ($1, $2, $3, $4, $5, $6, 'call', '{}')`,
    [tenantId, id, customerId, occurredAt, daysAgo(arrivedDays), `${arrivedDays}-${n}`],
  );
}
async function pages(query: string): Promise<string[]> {
  const seen: string[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const { body } = await usage.as(apiKeyPrincipal(tenantId))(
      'GET',
      `/api/usage-events?limit=2&${query}${cursor && `&cursor=${cursor}`}`,
    );
    seen.push(...body.data.map((listed: { transactionId: string }) => listed.transactionId));
    cursor = body.pagination.cursor as string | null;
  }
  return seen;
}

describe('events of many days', () => {
  it('come in order, latest first, across days of arrival and with late ones', async () => {
    expect(await pages('')).toEqual(['0-2', '0-1', '3-2', '3-1', '40-2', '40-1', '0-3', '80-2', '80-1']);
    expect(await pages('direction=ASC')).toEqual(['80-1', '80-2', '0-3', '40-1', '40-2', '3-1', '3-2', '0-1', '0-2']);
    expect(await pages('sort=createdAt')).toEqual(['0-3', '0-2', '0-1', '3-2', '3-1', '40-2', '40-1', '80-2', '80-1']);
    expect(await pages('sort=createdAt&direction=ASC')).toEqual([
      '80-1',
      '80-2',
      '40-1',
      '40-2',
      '3-1',
      '3-2',
      '0-1',
      '0-2',
      '0-3',
    ]);
    expect(await pages(`from=${daysAgo(61).toISOString()}&to=${daysAgo(2).toISOString()}`)).toEqual([
      '3-2',
      '3-1',
      '40-2',
      '40-1',
      '0-3',
    ]);
    expect(await pages(`customerId=${customerId}&eventName=call`)).toHaveLength(9);
  });

  it.each([
    ['limit=1', 1],
    [`from=${daysAgo(2).toISOString()}&limit=5`, 2],
    [`to=${daysAgo(39).toISOString()}&limit=1`, 3],
  ])('only partitions that can hold them are opened: %s', async (query, limit) => {
    const list = () => usage.as(apiKeyPrincipal(tenantId))('GET', `/api/usage-events?${query}`);
    const statements = (await statementsOf(list)).filter(({ text }) => /FROM usage_event\s+WHERE/.test(text));
    const { text, params } = statements.at(-1)!;
    const plan = await usage.db.database.tenant(tenantId, (tx) =>
      tx.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${text}`, params),
    );
    const leaves = new Set(plan.flatMap((row) => /usage_event_(20\d{6})/.exec(row['QUERY PLAN'])?.[1] ?? []));
    const past = [...leaves].filter((day) => day < daysAgo(1).toISOString().slice(0, 10).replaceAll('-', ''));
    expect(past.length).toBeLessThan(limit);
  });
});
