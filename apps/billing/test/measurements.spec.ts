import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { newUuid } from '@kontor/kernel';
import { apiKeyPrincipal } from '@kontor/testing';
import { Billing } from './support/billing.js';
import { expectInvariants, World } from './support/world.js';

const PATH = '/subscription-measurements';
let billing: Billing;
beforeAll(async () => {
  billing = await Billing.start();
});
afterEach(expectInvariants);
afterAll(async () => billing?.stop());

/** A tenant on 1 June 2026 with a measurement and a subscription of 5 seats of 30.00 EUR a month that is measured by it. */
async function measured(rules: Record<string, unknown> = {}, price: Record<string, unknown> = {}) {
  const world = await World.at(billing, '2026-06-01T09:00:00.000Z');
  const measurement = await world.ok('POST', '/catalogue/measurements', {
    code: 'seats',
    aggregationType: 'last_value',
    type: 'recurring',
    ...rules,
  });
  const pricePlan = await world.price({ measurement: measurement.id, price: { amount: 3000 }, ...price });
  const subscription = await world.subscribe(await world.customer(), pricePlan, {
    items: [{ pricePlan, quantity: '5' }],
  });
  const item = subscription.items[0].id as string;
  const send = (body: Record<string, unknown>) =>
    world.tenant.call('POST', PATH, { subscriptionItem: item, measurement: 'seats', ...body });
  /** A reading that is sent at its time. */
  const read = async (measuredAt: string, quantity: string): Promise<void> => {
    await world.advance(measuredAt);
    expect(await send({ quantity, measuredAt })).toMatchObject({ status: 204 });
  };
  return { world, subscription, item, send, read, measurement };
}

describe('a recurring measurement', () => {
  it('in advance: the next period is billed with the last reading', async () => {
    const { world, read, item, subscription } = await measured();
    await read('2026-06-10T10:00:00.000Z', '7');
    await read('2026-06-20T10:00:00.000Z', '8');
    expect(await world.ok('GET', `/subscription-items/${item}`)).toMatchObject({
      quantity: '5',
      pendingChange: { quantity: '8', from: '2026-06-30T22:00:00.000Z' },
    });
    await world.advance('2026-07-02T00:00:00.000Z');
    expect(await world.lines()).toEqual([
      '2026-06-01: regular 2026-06-01..2026-07-01 15000',
      '2026-07-01: regular 2026-07-01..2026-08-01 24000',
    ]);
    expect(await billing.noticeTypes(subscription.id)).toEqual(expect.arrayContaining(['subscription.updated']));
  });

  it('in arrears: the running period is billed with the last reading, whatever comes in late', async () => {
    const { world, read, send } = await measured({}, { payInAdvance: false });
    await read('2026-06-20T10:00:00.000Z', '8');
    expect((await send({ quantity: '3', measuredAt: '2026-06-15T00:00:00.000Z' })).status).toBe(204);
    await world.advance('2026-07-02T00:00:00.000Z');
    expect(await world.lines()).toEqual(['2026-07-01: regular 2026-06-01..2026-07-01 24000']);
    const late = await send({ quantity: '9', measuredAt: '2026-06-30T10:00:00.000Z' });
    expect([late.status, late.body.reason]).toEqual([422, 'period_already_billed']);
  });

  it('in advance with fair billing: each day is billed with what held on it', async () => {
    const { world, read } = await measured({ fairBilling: true });
    await read('2026-06-11T10:00:00.000Z', '8');
    await world.advance('2026-07-02T00:00:00.000Z');
    // 5 × 30.00 × 20 days of 30 are credited, 8 × 30.00 × 20 ÷ 30 are charged.
    expect(await world.lines()).toEqual([
      '2026-06-01: regular 2026-06-01..2026-07-01 15000',
      '2026-06-11: credit 2026-06-11..2026-07-01 -10000',
      '2026-06-11: regular 2026-06-11..2026-07-01 16000',
      '2026-07-01: regular 2026-07-01..2026-08-01 24000',
    ]);
  });

  it('in advance with fair billing: several readings before a run, late ones too, are each billed for their days', async () => {
    const { world, send, item } = await measured({ fairBilling: true });
    await world.advance('2026-06-25T06:00:00.000Z');
    const readings = [
      ['2026-06-21T10:00:00.000Z', '10'],
      ['2026-06-11T08:00:00.000Z', '9'],
      ['2026-06-11T10:00:00.000Z', '8'],
      ['2026-06-11T09:00:00.000Z', '99'],
    ];
    for (const [measuredAt, quantity] of readings)
      expect(await send({ quantity, measuredAt })).toMatchObject({ status: 204 });
    expect(await world.ok('GET', `/subscription-items/${item}`)).toMatchObject({
      quantity: '5',
      pendingChange: { quantity: '10', from: '2026-06-20T22:00:00.000Z' },
    });
    await world.advance('2026-07-02T00:00:00.000Z');
    // 30.00 ÷ 30 days is 1.00 a seat and day: 10 days of 8 and 10 of 10 instead of 20 of 5.
    expect(await world.lines()).toEqual([
      '2026-06-01: regular 2026-06-01..2026-07-01 15000',
      '2026-06-11: regular 2026-06-11..2026-06-21 8000',
      '2026-06-21: regular 2026-06-21..2026-07-01 10000',
      '2026-06-25: credit 2026-06-11..2026-07-01 -10000',
      '2026-07-01: regular 2026-07-01..2026-08-01 30000',
    ]);
    const late = await send({ quantity: '7', measuredAt: '2026-06-20T10:00:00.000Z' });
    expect([late.status, late.body.reason]).toEqual([422, 'period_already_billed']);
  });

  it('in advance with fair billing: an agreed change keeps its day, its price has the measured quantity', async () => {
    const { world, send, item } = await measured({ fairBilling: true });
    await world.advance('2026-06-16T06:00:00.000Z');
    const other = await world.price({
      price: { amount: 6000 },
      measurement: (await world.ok('GET', '/catalogue/measurements')).data.find(
        ({ code }: { code: string }) => code === 'seats',
      ).id,
    });
    await world.ok('POST', `/subscription-items/${item}/change`, { pricePlan: other, timing: 'end_of_period' });
    for (const [day, quantity] of [
      ['11', '8'],
      ['16', '6'],
    ])
      await send({ quantity, measuredAt: `2026-06-${day}T00:00:00.000Z` });
    await world.advance('2026-07-02T00:00:00.000Z');
    // 5 days of 8 and 15 of 6 instead of 20 of 5; July at the new price.
    expect((await world.lines()).map((line) => line.replace(/^\S+ /, '')).sort()).toEqual([
      'credit 2026-06-11..2026-07-01 -10000',
      'regular 2026-06-01..2026-07-01 15000',
      'regular 2026-06-11..2026-06-16 4000',
      'regular 2026-06-16..2026-07-01 9000',
      'regular 2026-07-01..2026-08-01 36000',
    ]);
  });

  it('in advance with fair billing: whatever is read and billed when, a month costs the sum of its days', async () => {
    const seed = Date.now() % 100_000;
    let state = seed;
    const random = (below: number): number => (state = (state * 48_271 + 11) % 2_147_483_647) % below;
    const { world, send } = await measured({ fairBilling: true });
    const taken: { at: string; quantity: number }[] = [];
    for (let today = 2; today <= 30; today += 1 + random(5)) {
      await world.advance(`2026-06-${String(today).padStart(2, '0')}T12:00:00.000Z`);
      for (let n = random(4); n > 0; n--) {
        const digits = (value: number): string => String(value).padStart(2, '0');
        const at = `2026-06-${digits(1 + random(today - 1))}T${digits(random(20))}:${digits(random(60))}:00.000Z`;
        const quantity = random(12);
        const { status, body } = await send({ quantity: String(quantity), measuredAt: at });
        expect([seed, status === 204 || body.reason]).toEqual([seed, status === 204 || 'period_already_billed']);
        if (status === 204) taken.push({ at, quantity });
      }
    }
    await world.advance('2026-07-02T00:00:00.000Z');
    // By hand: each day of Berlin (two hours ahead) costs 1.00 for each seat of its last reading; of two at one time the one sent last.
    let cents = 0;
    for (let day = 1; day <= 30; day++) {
      const end = new Date(Date.UTC(2026, 5, day, 22)).toISOString();
      const held = taken
        .filter(({ at }) => at < end)
        .reduce<{ at: string; quantity: number } | null>(
          (last, reading) => (last === null || reading.at >= last.at ? reading : last),
          null,
        );
      cents += 100 * (held?.quantity ?? 5);
    }
    const june = (await world.lines()).filter((line) => /(2026-06-\d\d)\.\./.test(line));
    expect([seed, june.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0)]).toEqual([seed, cents]);
  });

  it('a change of plan that is waiting keeps its price', async () => {
    const { world, item, read } = await measured();
    await world.advance('2026-06-02T09:00:00.000Z');
    const other = await world.price({ price: { amount: 1000 } });
    await world.ok('POST', `/subscription-items/${item}/change`, { pricePlan: other, timing: 'end_of_period' });
    await read('2026-06-10T10:00:00.000Z', '7');
    await world.advance('2026-07-02T00:00:00.000Z');
    expect((await world.lines()).at(-1)).toBe('2026-07-01: regular 2026-07-01..2026-08-01 7000');
  });
});

describe('refusals', () => {
  it('name what is wrong and leave everything as it is', async () => {
    const { world, send, subscription, item } = await measured();
    await world.advance('2026-06-03T09:00:00.000Z');
    const cases: [Record<string, unknown>, number, string][] = [
      [{ quantity: '7', measuredAt: '2026-06-03T09:02:00.000Z' }, 422, 'measurement_in_future'],
      [{ quantity: '7', measuredAt: '2026-05-20T09:00:00.000Z' }, 422, 'subscription_not_active'],
      [{ quantity: '-7' }, 422, 'validation_failed'],
      [{ quantity: 7 }, 400, 'invalid_request'],
      [{}, 400, 'invalid_request'],
      [{ quantity: '7', amount: '1' }, 400, 'unknown_field'],
      [{ quantity: '7', subscriptionItem: newUuid() }, 422, 'unknown_reference'],
      [{ quantity: '7', measurement: 'storage' }, 422, 'unknown_reference'],
      [{ quantity: '7', subscription: newUuid() }, 422, 'unknown_reference'],
    ];
    for (const [body, status, reason] of cases) {
      const answer = await send(body);
      expect([body, answer.status, answer.body.reason]).toEqual([body, status, reason]);
    }
    const other = await billing.tenant();
    const foreign = await other.call('POST', PATH, { subscriptionItem: item, measurement: 'seats', quantity: '7' });
    expect([foreign.status, foreign.body.reason]).toEqual([422, 'unknown_reference']);
    const reader = billing.test.as(apiKeyPrincipal(world.tenant.id, { permissions: ['subscription:read'] }));
    expect((await reader('POST', PATH, { subscriptionItem: item, measurement: 'seats', quantity: '7' })).status).toBe(
      403,
    );
    await world.ok('PUT', `/subscriptions/${subscription.id}/terminate`, {});
    expect((await send({ quantity: '7' })).body.reason).toBe('subscription_ended');
    expect(
      await billing.test.peek('SELECT 1 FROM subscription_measurement WHERE tenant_id = $1', [world.tenant.id]),
    ).toEqual([]);
  });

  it('a subscription with one measured item needs no more to be named; with two it does', async () => {
    const { world, subscription } = await measured();
    const bySubscription = { subscription: subscription.id, quantity: '7' };
    for (const named of [{}, { measurement: 'seats' }])
      expect((await world.tenant.call('POST', PATH, { ...bySubscription, ...named })).status).toBe(204);
    const pricePlan = subscription.items[0].pricePlan.id as string;
    await world.ok('POST', `/subscriptions/${subscription.id}/products`, { pricePlan });
    const answer = await world.tenant.call('POST', PATH, bySubscription);
    expect([answer.status, answer.body.reason]).toEqual([422, 'ambiguous_subscription_item']);
  });
});

describe('a batch', () => {
  it('records what is right, reports what is wrong, and a known transaction counts once', async () => {
    const { world, item, subscription } = await measured();
    const other = await world.subscribe(
      await world.customer({ email: 'b@b.example' }),
      subscription.items[0].pricePlan.id,
    );
    const reading = (transactionId: string, changes: object = {}) => ({
      subscriptionItem: item,
      measurement: 'seats',
      quantity: '6',
      transactionId,
      ...changes,
    });
    const measurements = [
      reading('a'),
      reading('a'),
      reading('b', { quantity: 'x' }),
      reading('c', { subscriptionItem: other.items[0].id, quantity: '9' }),
      reading('d', { measuredAt: '2027-01-01T00:00:00Z' }),
      7,
      reading('e', { subscriptionItem: newUuid() }),
    ];
    const { status, body } = await world.tenant.call('POST', `${PATH}/batch`, { measurements });
    expect(status).toBe(202);
    expect(body).toMatchObject({ recorded: 2, duplicates: 1, failed: 4 });
    expect(body.errors.map((error: { index: number; code: string }) => [error.index, error.code])).toEqual([
      [2, 'invalid_value'], [4, 'measurement_in_future'], [5, 'invalid_type'], [6, 'unknown_reference'],
    ]); // prettier-ignore
    expect((await world.tenant.call('POST', `${PATH}/batch`, { measurements: [reading('a')] })).body).toMatchObject({
      recorded: 0,
      duplicates: 1,
    });
    expect((await world.tenant.call('POST', PATH, reading('a', { quantity: '99' }))).status).toBe(204);
    await world.advance('2026-07-02T00:00:00.000Z');
    expect((await world.lines()).filter((line) => line.startsWith('2026-07-01')).sort()).toEqual([
      '2026-07-01: regular 2026-07-01..2026-08-01 18000',
      '2026-07-01: regular 2026-07-01..2026-08-01 27000',
    ]);
  });

  it.each([
    [{}],
    [{ measurements: {} }],
    [{ measurements: [] }],
    [{ measurements: Array(1001).fill({}) }],
    [{ measurements: [{}], x: 1 }],
    [[]],
  ])('envelope %# is refused whole', async (body) => {
    const tenant = await billing.tenant();
    expect((await tenant.call('POST', `${PATH}/batch`, body)).status).toBe(400);
  });
});

describe('a metered measurement', () => {
  it('is counted over the period and billed at its end', async () => {
    const { world, read } = await measured({ type: 'metered', aggregationType: 'sum' }, { price: { amount: 250 } });
    await read('2026-06-05T10:00:00.000Z', '3.5');
    await read('2026-06-20T10:00:00.000Z', '8');
    await world.advance('2026-06-30T23:00:00.000Z');
    expect(await world.lines()).toEqual([]);
    await read('2026-07-03T10:00:00.000Z', '1');
    await world.advance('2026-08-02T00:00:00.000Z');
    // 11.5 × 2.50 and 1 × 2.50
    expect(await world.lines()).toEqual([
      '2026-07-01: regular 2026-06-01..2026-07-01 2875',
      '2026-08-01: regular 2026-07-01..2026-08-01 250',
    ]);
  });

  it('a gauge with fair billing is billed by the time that each level was held, carried over periods', async () => {
    const { world, read, send, item } = await measured({ type: 'metered', fairBilling: true });
    // Berlin: 11 June 00:00 is 10 June 22:00 UTC. 10 days nothing, 15 days 6, 5 days 12: (90 + 60) ÷ 30 = 5
    await read('2026-06-10T22:00:00.000Z', '6');
    await read('2026-06-25T22:00:00.000Z', '12');
    await world.advance('2026-07-02T00:00:00.000Z');
    expect(await world.lines()).toEqual(['2026-07-01: regular 2026-06-01..2026-07-01 15000']);
    const shown = await world.ok('GET', `/subscription-items/${item}`);
    expect(shown.currentMeasurementValue).toMatchObject({
      quantity: '12',
      measuredAt: '2026-06-25T22:00:00.000Z',
      measurement: { code: 'seats' },
    });
    expect(shown.measurementValues.map(({ quantity }: { quantity: string }) => quantity)).toEqual(['12', '6']);
    const late = await send({ quantity: '9', measuredAt: '2026-06-30T10:00:00.000Z' });
    expect([late.status, late.body.reason]).toEqual([422, 'period_already_billed']);
    await world.advance('2026-08-02T00:00:00.000Z');
    // July: 12 all along.
    expect((await world.lines()).at(-1)).toBe('2026-08-01: regular 2026-07-01..2026-08-01 36000');
  });

  it('seats in arrears with fair billing begin with the agreed quantity; a part of a month weighs as its days', async () => {
    const { world, read, subscription } = await measured({ fairBilling: true }, { payInAdvance: false });
    // 10 days 5, 20 days 8: (50 + 160) ÷ 30 = 7
    await read('2026-06-10T22:00:00.000Z', '8');
    await world.advance('2026-07-02T00:00:00.000Z');
    expect(await world.lines()).toEqual(['2026-07-01: regular 2026-06-01..2026-07-01 21000']);
    await world.advance('2026-07-15T22:00:00.000Z');
    await world.ok('PUT', `/subscriptions/${subscription.id}/cancel`, { cancellationDateType: 'immediate' });
    await world.advance('2026-07-20T00:00:00.000Z');
    // 15 of July's 31 days at 8: 3.87096774 × 30.00
    expect((await world.lines()).at(-1)).toBe('2026-07-16: regular 2026-07-01..2026-07-16 11613');
  });

  it.each([
    ['count', '3', 300],
    ['count_unique', '2', 200],
    ['max', '9', 900],
    ['average', '6.66666667', 667],
    ['last_value', '2', 200],
  ])('%s: %s', async (aggregationType, quantity, minor) => {
    const { world, read } = await measured({ type: 'metered', aggregationType }, { price: { amount: 100 } });
    for (const [day, value] of [['05', '9'], ['10', '9'], ['20', '2']]) await read(`2026-06-${day}T10:00:00.000Z`, value!); // prettier-ignore
    await world.advance('2026-07-02T00:00:00.000Z');
    const [batch] = await world.batches();
    expect([batch!.lines[0]!.quantity, batch!.lines[0]!.netAmount.amount]).toEqual([quantity, minor]);
  });
});
