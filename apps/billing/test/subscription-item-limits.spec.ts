import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { storedNoticeOf } from '@kontor/contracts';
import { servicePrincipal } from '@kontor/testing';
import { Billing } from './support/billing.js';
import { World } from './support/world.js';

describe('items of a subscription', () => {
  let billing: Billing;
  let world: World;
  let pricePlan: string;
  let customer: string;

  beforeAll(async () => {
    billing = await Billing.start();
    world = await World.at(billing, '2026-03-01T09:00:00Z');
    pricePlan = await world.price();
    customer = await world.customer();
  });
  afterAll(() => billing.stop());

  const items = (length: number): object[] => Array.from({ length }, () => ({ pricePlan }));
  const reason = async (path: string, body: object): Promise<string> => {
    const answer = await world.tenant.call('POST', path, body);
    return `${answer.status} ${answer.body.reason ?? ''}`.trim();
  };

  it('are a hundred, those of its plan included', async () => {
    const plan = await world.ok('POST', '/plans', { code: 'many', name: 'Many', status: 'active', items: items(60) });
    expect(await reason('/subscriptions', { customer, plan: plan.id, items: items(41) })).toBe('422 too_many_items');
    expect(await reason('/subscriptions', { customer, plan: plan.id, items: items(40) })).toBe('201');
    expect(await reason('/subscriptions', { customer, items: items(101) })).toBe('422 validation_failed');
  });

  it('are a hundred with those that are added later; an ended one leaves its place', async () => {
    const { id, items: first } = await world.subscribe(customer, pricePlan, { items: items(60) });
    const path = `/subscriptions/${id}/products`;
    expect(await reason(path, { items: items(41) })).toBe('422 too_many_items');
    expect(await reason(path, { items: items(40) })).toBe('201');
    expect(await reason(path, { pricePlan })).toBe('422 too_many_items');
    await billing.test.peek(`UPDATE subscription_item SET status = 'terminated' WHERE id = $1`, [first[0].id]);
    expect(await reason(path, { pricePlan })).toBe('201');
    expect(await reason(path, { pricePlan })).toBe('422 too_many_items');
  });

  it('may be so many that their events carry references, which answer the data once for all notices', async () => {
    const { id } = await world.subscribe(customer, pricePlan, { items: items(60) });
    await world.ok('POST', `/subscriptions/${id}/products`, { items: items(40) });
    const notices = await billing.notices(id);
    const [last] = notices.slice(-1);
    expect(last?.type).toBe('subscription.item.added');
    const reference = storedNoticeOf(last?.data as Record<string, unknown>);
    expect(reference?.service).toBe('billing');
    const shown = await world.ok('GET', `/subscriptions/${id}`);
    const asWebhooks = billing.test.as(servicePrincipal(world.tenant.id, 'webhooks'));
    expect((await asWebhooks('GET', reference!.path)).body).toEqual({ subscription: shown });
    const stranger = billing.test.as(servicePrincipal((await billing.tenant()).id, 'webhooks'));
    expect((await stranger('GET', reference!.path)).status).toBe(404);
    expect(new Set(notices.slice(-40).map(({ data }) => JSON.stringify(data))).size).toBe(1);
  });

  it('are more than an event holds on one invoice: the events say which part of it they are', async () => {
    const large = await World.at(billing, '2026-03-01T09:00:00Z');
    const price = await large.price();
    const payer = await large.customer();
    const many = Array.from({ length: 100 }, () => ({ pricePlan: price }));
    for (let n = 0; n < 3; n++) await large.subscribe(payer, price, { items: many });
    await large.advance('2026-03-02T09:00:00Z');
    const events = await large.batches();
    const of = events[0]?.batchId;
    expect(events.map(({ lines, part }) => [lines.length, part])).toEqual([
      [120, { of, number: 1, count: 3 }],
      [120, { of, number: 2, count: 3 }],
      [60, { of, number: 3, count: 3 }],
    ]);
  });
});
