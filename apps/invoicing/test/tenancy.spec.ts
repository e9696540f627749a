import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newUuid } from '@kontor/kernel';
import { listUsesIndexOn, multiplyRow, sortsAll, statementsOf } from '@kontor/testing';
import { type Tenant, World } from './support/world.js';

let world: World;
let tenant: Tenant;

beforeAll(async () => {
  world = await World.start();
  tenant = await world.tenant();
  const { id } = await tenant.draft((await tenant.customer()).id);
  await multiplyRow(world.test, 'invoice', {
    id: 'uuidv7()',
    customer_id: 'gen_random_uuid()',
    created_at: 'now() - make_interval(mins => n)',
  });
  await world.test.peek(
    'INSERT INTO invoice_subscription SELECT $1, gen_random_uuid(), $2 FROM generate_series(1, 5000)',
    [tenant.id, id],
  );
  await world.test.peek('analyze invoice_subscription');
});
afterAll(() => world.stop());

const list = (query: string): Promise<unknown> => tenant.ok('GET', `/invoices?${query}`);

describe('a list of invoices under row-level security', () => {
  it.each([
    [`customer=${newUuid()}`, 'customer_id'],
    [`subscription=${newUuid()}`, 'subscription_id'],
    ['status=STATUS_UNPAID', 'status'],
    ['type=TYPE_CREDIT', 'type'],
    ['number=RE-2026-00001', 'number'],
    ['sourceType=cart', 'source_type'],
    ['dueDate[after]=2026-03-02T09:00:00.000Z', 'due_at'],
    ['creationDate[before]=2020-03-02T09:00:00.000Z', 'created_at'],
    ['finalizationDate[after]=2026-03-02T09:00:00.000Z', 'finalized_at'],
  ])('is found by an index with %s', async (query, column) => {
    expect(await listUsesIndexOn(world.test.db, tenant.id, 'invoice t', column, () => list(query))).toBe(true);
  });

  it.each(['number', 'dueDate', 'creationDate', 'finalizationDate', 'grossAmount', 'status'])(
    'has the order by %s in an index, from both ends and far from the start',
    async (field) => {
      for (const query of [`order[${field}]=asc`, `order[${field}]=desc`, `order[${field}]=desc&page=100`]) {
        const statements = await statementsOf(() => list(query));
        const found = statements.filter(({ text }) => text.includes('OFFSET') && text.includes('FROM invoice t'));
        expect(found).not.toEqual([]);
        expect(await sortsAll(world.test.db, tenant.id, found.at(-1)!)).toBe(false);
      }
    },
  );

  it('asks no table for a dunning status, which no document has yet', async () => {
    const statements = await statementsOf(() => list('dunningStatus=dunning'));
    expect(statements.filter(({ text }) => text.includes('from invoice t') && !/ and false/.test(text))).toEqual([]);
  });
});
