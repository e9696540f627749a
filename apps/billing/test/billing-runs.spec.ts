import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Billing } from './support/billing.js';
import { World } from './support/world.js';

let billing: Billing;
beforeAll(async () => {
  billing = await Billing.start();
});
afterAll(async () => billing?.stop());

describe('the daily run', () => {
  it('a year anchored on 31 January in Berlin is twelve batches that tile it', async () => {
    const world = await World.at(billing, '2025-01-15T09:00:00.000Z');
    const subscription = await world.subscribe(await world.customer(), await world.price(), { billingStart: '2025-01-31T09:00:00.000Z' });
    expect(subscription).toMatchObject({ status: 'active', items: [{ status: 'pending' }] });
    await world.advance('2026-01-30T22:00:00.000Z');
    expect(await world.lines()).toEqual([
      '2025-01-31: regular 2025-01-31..2025-02-28 1000',
      '2025-02-28: regular 2025-02-28..2025-03-31 1000',
      '2025-03-31: regular 2025-03-31..2025-04-30 1000',
      '2025-04-30: regular 2025-04-30..2025-05-31 1000',
      '2025-05-31: regular 2025-05-31..2025-06-30 1000',
      '2025-06-30: regular 2025-06-30..2025-07-31 1000',
      '2025-07-31: regular 2025-07-31..2025-08-31 1000',
      '2025-08-31: regular 2025-08-31..2025-09-30 1000',
      '2025-09-30: regular 2025-09-30..2025-10-31 1000',
      '2025-10-31: regular 2025-10-31..2025-11-30 1000',
      '2025-11-30: regular 2025-11-30..2025-12-31 1000',
      '2025-12-31: regular 2025-12-31..2026-01-31 1000',
    ]);
    const now = await world.ok('GET', `/subscriptions/${subscription.id}`);
    expect(now).toMatchObject({ nextBillingDate: '2026-01-30T23:00:00.000Z', lastBillingAt: '2025-12-31T02:00:00.000Z', items: [{ status: 'active' }] });
    expect(await billing.noticeTypes(subscription.id)).toEqual(['subscription.created', 'subscription.activated', ...Array(12).fill('subscription.billed')]);
  });
});
