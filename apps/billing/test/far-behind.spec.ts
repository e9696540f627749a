import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { addDays } from '@kontor/kernel';
import { eventually } from '@kontor/testing';
import { DOCUMENT_AS_LINES, PORTION, PORTION_OF_BATCH } from '../src/domain/charging/portion.js';
import { Billing } from './support/billing.js';
import { expectInvariants, World } from './support/world.js';

let billing: Billing;
beforeAll(async () => {
  billing = await Billing.start();
});
afterEach(expectInvariants);
afterAll(async () => billing?.stop());

/** Due days of the charges that each transaction has stored, in their order. */
const transactions = async (world: World): Promise<string[][]> =>
  (
    await billing.test.peek<{ days: string[] }>(
      `SELECT array_agg(due_on::text ORDER BY due_on, id) AS days FROM charge WHERE tenant_id = $1
       GROUP BY xmin::text ORDER BY min(due_on), count(*)`,
      [world.tenant.id],
    )
  ).map(({ days }) => days);

describe('an account that is far behind', () => {
  it('is billed in portions of whole days, each day once, by one run', async () => {
    const world = await World.at(billing, '2026-03-01T09:00:00.000Z');
    const daily = await world.price({ billingInterval: '1D' });
    const items = Array.from({ length: 40 }, () => ({ pricePlan: daily }));
    const billingStart = '2025-12-01T09:00:00.000Z';
    await world.subscribe(await world.customer(), daily, { items, billingStart });
    await world.advance('2026-03-02T12:00:00.000Z');
    const stored = await transactions(world);
    expect(stored.length).toBeGreaterThan(1);
    for (const days of stored) expect(days.length).toBeLessThanOrEqual(PORTION);
    const due = Array.from({ length: 92 }, (_, n) => addDays('2025-12-01', n));
    expect(stored.flat().sort()).toEqual(due.flatMap((day) => items.map(() => day)));
    const wholes = stored.map((days) => new Set(days).size).reduce((a, b) => a + b);
    expect(wholes).toBe(due.length);
    for (const batch of await world.batches()) await world.settle([batch]);
    expect((await world.ok('GET', '/billing-runs')).data).toMatchObject([
      { status: 'completed', due: 1, billed: 1, failed: 0 },
    ]);
  });

  it('does not wait for a subscription of it that cannot be billed', async () => {
    const world = await World.at(billing, '2026-03-01T09:00:00.000Z');
    const customer = await world.customer();
    const daily = await world.price({ billingInterval: '1D' });
    const tooMuch = await world.price({ billingInterval: '1D', price: { amount: Number.MAX_SAFE_INTEGER } });
    const billingStart = '2025-01-01T09:00:00.000Z';
    const failing = await world.subscribe(customer, tooMuch, {
      items: Array.from({ length: 40 }, () => ({ pricePlan: tooMuch, quantity: '2' })),
      billingStart,
    });
    await world.subscribe(customer, daily, { billingStart: '2026-02-28T09:00:00.000Z' });
    await world.advance('2026-03-02T12:00:00.000Z');
    expect((await world.batches()).map(({ billingDay }) => billingDay)).toEqual([
      '2026-02-28',
      '2026-03-01',
      '2026-03-02',
    ]);
    const [run] = (await world.ok('GET', '/billing-runs')).data;
    expect(run).toMatchObject({ failed: 1, failures: [{ subscriptionId: failing.id, reason: 'amount_out_of_range' }] });
  });

  it('is billed in the request up to a portion, the rest by the run', async () => {
    const world = await World.at(billing, '2026-03-01T09:00:00.000Z');
    const daily = await world.price({ billingInterval: '1D' });
    const items = Array.from({ length: 100 }, () => ({ pricePlan: daily }));
    const { id } = await world.subscribe(await world.customer(), daily, {
      items,
      billingStart: '2026-01-01T09:00:00.000Z',
      activate: false,
    });
    await world.ok('PUT', `/subscriptions/${id}/activate`, { billImmediately: true });
    expect((await transactions(world)).map((days) => days.length)).toEqual([PORTION]);
    await world.advance('2026-03-02T12:00:00.000Z');
    expect((await transactions(world)).flat()).toHaveLength(61 * items.length);
  });
});

describe('a tenant with more lines than become documents at once', () => {
  it.each([
    { of: 'many lines each', customers: 4, lines: 100, since: '2026-01-01' },
    { of: 'a line each', customers: 5, lines: 1, since: '2025-03-01' },
  ])('goes on when they are documents of $of, and others do not wait for it', async ({ customers, lines, since }) => {
    const now = '2026-03-02T12:00:00.000Z';
    const [behind, other] = [await World.at(billing, now), await World.at(billing, now)];
    const daily = await behind.price({ billingInterval: '1D' });
    const items = Array.from({ length: lines }, () => ({ pricePlan: daily }));
    for (let n = 0; n < customers; n++)
      await behind.subscribe(await behind.customer(), daily, { items, billingStart: `${since}T09:00:00.000Z` });
    const dayAfter = '2026-03-04';
    const runTime = '2026-03-03T12:00:00.000Z';
    const linesOf = async (world: World): Promise<number> =>
      (await world.batches()).reduce((sum, { lines }) => sum + lines.length, 0);
    const costOf = async (world: World): Promise<number> =>
      (await linesOf(world)) + DOCUMENT_AS_LINES * (await world.batches()).length;
    const advancing = behind.advance(runTime);
    await eventually(async () => (await costOf(behind)) >= PORTION_OF_BATCH, 'the first lines');
    await other.subscribe(await other.customer(), await other.price({ billingInterval: '1D' }), {
      billingStart: '2026-02-28T09:00:00.000Z',
    });
    const others = other.advance(runTime);
    await eventually(async () => {
      // However slow the machine is, nothing counts as stalled.
      await billing.test.peek(`UPDATE billing_run SET moved_at = now() + interval '1 hour' WHERE tenant_id = $1`, [
        behind.tenant.id,
      ]);
      return (await linesOf(other)) === 4;
    }, 'lines of the other');
    await others;
    // Two batches are begun at once.
    expect(await costOf(behind)).toBeLessThan(2 * (PORTION_OF_BATCH + 2 * PORTION));
    const days = (Date.parse(dayAfter) - Date.parse(since)) / 864e5;
    const settled = new Set<string>();
    await eventually(
      async () => {
        const open = (await behind.batches()).filter(({ batchId }) => !settled.has(batchId));
        if (open.length > 0) await behind.settle(open);
        for (const { batchId } of open) settled.add(batchId);
        return (await linesOf(behind)) === customers * items.length * days;
      },
      'all lines',
      { limitMs: 120_000 },
    );
    await advancing;
  });
});

describe('a tenant with documents that wait for an operator', () => {
  it('waits for them once, and bills on with what comes after them', async () => {
    const world = await World.at(billing, '2026-03-02T12:00:00.000Z');
    const daily = await world.price({ billingInterval: '1D' });
    for (let n = 0; n < 6; n++)
      await world.subscribe(await world.customer(), daily, { billingStart: '2025-03-01T09:00:00.000Z' });
    const moved = (when: string): Promise<unknown> =>
      billing.test.peek(`UPDATE billing_run SET moved_at = now() ${when} WHERE tenant_id = $1`, [world.tenant.id]);
    const advancing = world.advance('2026-03-03T12:00:00.000Z');
    await eventually(async () => {
      const cost = (await world.batches()).reduce((sum, { lines }) => sum + lines.length + DOCUMENT_AS_LINES, 0);
      return cost >= PORTION_OF_BATCH;
    }, 'as many as may be in hand');
    const parked = new Set((await world.batches()).map(({ batchId }) => batchId));
    await eventually(async () => {
      await moved(`- interval '1 minute'`);
      return (await world.batches()).length > parked.size;
    }, 'more, once nothing has moved for long');
    // From here on nothing counts as stalled, and those of before are not answered.
    const settled = new Set(parked);
    const days = (Date.parse('2026-03-04') - Date.parse('2025-03-01')) / 864e5;
    await eventually(
      async () => {
        await moved(`+ interval '1 hour'`);
        const open = (await world.batches()).filter(({ batchId }) => !settled.has(batchId));
        if (open.length > 0) await world.settle(open);
        for (const { batchId } of open) settled.add(batchId);
        return (await world.batches()).length === 6 * days;
      },
      'all lines',
      { limitMs: 120_000 },
    );
    await advancing;
    // Those of before, and those that came between the last two looks.
    await world.settle((await world.batches()).filter(({ batchId }) => parked.has(batchId) || !settled.has(batchId)));
    const [left] = await billing.test.peek<{ stuck: string; open: number }>(
      `SELECT sum(stuck_cost)::text AS stuck, sum(batches_open)::int AS open FROM billing_run WHERE tenant_id = $1`,
      [world.tenant.id],
    );
    expect(left).toEqual({ stuck: '0', open: 0 });
  });
});

describe('a preview', () => {
  it('is refused where the day that it shows is too many lines away', async () => {
    const world = await World.at(billing, '2026-03-01T09:00:00.000Z');
    const [daily, dearer] = [
      await world.price({ billingInterval: '1D' }),
      await world.price({ billingInterval: '1D', price: { amount: 2000 } }),
    ];
    const { items } = await world.subscribe(await world.customer(), daily, {});
    const preview = (changeDate: string) =>
      world.tenant.call('POST', `/subscription-items/${items[0].id}/change?preview=true`, {
        pricePlan: dearer,
        timing: 'custom',
        changeDate,
      });
    expect((await preview('2026-06-01T09:00:00.000Z')).status).toBe(201);
    expect(await preview('2199-01-01T09:00:00.000Z')).toMatchObject({
      status: 422,
      body: { reason: 'too_many_periods' },
    });
  });

  it('of amounts that no answer can carry is refused', async () => {
    const world = await World.at(billing, '2026-03-01T09:00:00.000Z');
    const large = await world.price({ price: { amount: Number.MAX_SAFE_INTEGER } });
    const { id } = await world.subscribe(await world.customer(), large);
    expect(await world.tenant.call('POST', `/subscriptions/${id}/preview-invoice`)).toMatchObject({
      status: 422,
      body: { reason: 'amount_out_of_range' },
    });
  });
});
