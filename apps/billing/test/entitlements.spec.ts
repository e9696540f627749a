import { afterAll, afterEach, beforeAll, describe, expect, it, test } from '@jest/globals';
import { newUuid } from '@kontor/kernel';
import { customerPrincipal } from '@kontor/testing';
import { Billing, type Tenant } from './support/billing.js';
import { expectInvariants, World } from './support/world.js';

let billing: Billing;
let tenant: Tenant;
beforeAll(async () => {
  billing = await Billing.start();
  tenant = await billing.tenant();
});
afterEach(expectInvariants);
afterAll(async () => billing?.stop());

const levels = [
  { value: '5', label: 'Five' },
  { value: '10', label: 'Ten' },
  { value: 'unlimited', label: null },
];
const seats = { id: 'seats', name: 'Seats', type: 'quantity', status: 'active', config: levels };
const sso = { id: 'sso', name: 'Single sign-on', type: 'switch', status: 'active' };
const START = '2026-01-01T09:00:00.000Z';

/** `seats 10 active (price)` for each entitlement of a customer. */
async function entitled(world: World, customer: string, query = ''): Promise<string[]> {
  const { data } = await world.ok('GET', `/customers/${customer}/entitlements${query}`);
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests read answers freely
  return data.map((entry: any) => `${entry.feature.id} ${entry.value} ${entry.status} (${entry.source})`);
}

/** Statuses that were announced, with the tenant's time, in order. */
async function announced(world: World, id: string): Promise<string[]> {
  const rows = await billing.test.peek<{ payload: string | object; at: Date }>(
    'SELECT payload, effective_at AS at FROM outbox WHERE tenant_id = $1 AND aggregate_id = $2 ORDER BY id',
    [world.tenant.id, id],
  );
  return rows.flatMap(({ payload, at }) => {
    const { notices } = (typeof payload === 'string' ? JSON.parse(payload) : payload) as {
      notices: { data: { entitlement: { status: string } } }[];
    };
    return notices.map(({ data }) => `${at.toISOString().slice(0, 16)} ${data.entitlement.status}`);
  });
}

describe('features', () => {
  it('are created under a slug, listed, replaced, activated and archived; each change is published', async () => {
    const { status, body } = await tenant.call('POST', '/entitlement/features', { ...seats, status: undefined });
    expect(status).toBe(201);
    expect(body).toEqual({
      ...seats,
      status: 'draft',
      description: null,
      unit: null,
      usageMetric: null,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
      productAssignmentsCount: 0,
      productPriceAssignmentsCount: 0,
      entitlementsCount: 0,
    });
    const { body: list } = await tenant.call('GET', '/entitlement/features?status[]=draft&type=quantity&id=seats');
    expect(list.data).toHaveLength(1);
    expect(list.data[0]).not.toHaveProperty('entitlementsCount');
    const change = { name: 'Places', description: 'People', config: levels.slice(1) };
    expect((await tenant.call('PUT', '/entitlement/features/seats', change)).body).toMatchObject(change);
    const set = (to: string) => tenant.call('PUT', '/entitlement/features/seats/status', { status: to });
    expect((await set('active')).body).toMatchObject({ status: 'active' });
    expect((await set('active')).status).toBe(200);
    expect((await set('archived')).body).toMatchObject({ status: 'archived' });
    expect((await set('active')).body).toMatchObject({ status: 'active' });
    expect((await set('draft')).status).toBe(422);
    expect(await billing.noticeTypes('seats')).toEqual([
      'feature.created',
      'feature.activated',
      'feature.archived',
      'feature.activated',
    ]);
    expect((await tenant.call('GET', '/entitlement/features/seats')).body).toMatchObject({ name: 'Places' });
    expect((await tenant.call('GET', '/entitlement/features/none')).status).toBe(404);
    expect((await tenant.call('GET', '/entitlement/features/%00')).status).toBe(404);
  });

  test.each<[string, object, number, string]>([
    ['no name', { name: undefined }, 400, 'name'],
    ['another type', { type: 'number' }, 422, 'type'],
    ['no config', { config: null }, 422, 'config'],
    ['a config that is text', { config: 'ten' }, 400, 'config'],
    ['the id of another', { id: 'taken' }, 422, 'id'],
    ['a blank in its id', { id: 'a b' }, 422, 'id'],
    ['a unit that does not exist', { unit: newUuid() }, 422, 'unit'],
    ['a metric for a switch', { type: 'switch', config: null, usageMetric: newUuid() }, 422, 'usageMetric'],
    ['an archived beginning', { status: 'archived' }, 422, 'status'],
  ])('with %s are refused', async (_name, change, status, propertyPath) => {
    await tenant.call('POST', '/entitlement/features', { ...sso, id: 'taken' });
    const { body } = await tenant.call('POST', '/entitlement/features', { ...seats, id: newUuid(), ...change });
    expect(body).toMatchObject({ status, violations: [{ propertyPath }] });
  });

  it('a config goes on allowing what somebody has', async () => {
    const world = await World.at(billing, START);
    await world.ok('POST', '/entitlement/features', seats);
    await world.ok('POST', `/customers/${await world.customer()}/entitlements`, { feature: 'seats', value: '5' });
    const shrink = (config: object) =>
      world.tenant.call('PUT', '/entitlement/features/seats', { name: 'Seats', config });
    expect((await shrink(levels.slice(1))).body).toMatchObject({ status: 422, reason: 'in_use' });
    expect((await shrink(levels.slice(0, 1))).status).toBe(200);
  });
});

describe('entitlements', () => {
  it('begin and expire at the very moment, each announced once', async () => {
    const world = await World.at(billing, START);
    await world.ok('POST', '/entitlement/features', seats);
    const customer = await world.customer();
    const { id, status } = await world.ok('POST', `/customers/${customer}/entitlements`, {
      feature: 'seats',
      value: 10,
      validFrom: '2026-01-02T10:30:00.000Z',
      validUntil: '2026-01-05T10:45:00.000Z',
    });
    expect(status).toBe('pending');
    expect(await entitled(world, customer)).toEqual(['seats 10 pending (customer)']);
    await world.advance('2026-01-02T10:30:00.000Z');
    expect(await entitled(world, customer)).toEqual(['seats 10 active (customer)']);
    await world.advance('2026-02-01T00:00:00.000Z');
    expect(await entitled(world, customer)).toEqual([]);
    expect(await entitled(world, customer, '?includeExpired=true')).toEqual(['seats 10 expired (customer)']);
    expect(await entitled(world, customer, '?status=expired')).toHaveLength(1);
    expect(await announced(world, id)).toEqual([
      '2026-01-01T09:00 pending',
      '2026-01-02T10:30 active',
      '2026-01-05T10:45 expired',
    ]);
  });

  it('of products and prices come with the items and go with them', async () => {
    const world = await World.at(billing, START);
    for (const feature of [seats, sso]) await world.ok('POST', '/entitlement/features', feature);
    const price = await world.price();
    const { product } = await world.ok('GET', `/price-plans/${price}`);
    const early = await world.customer();
    await world.subscribe(early, price);
    const assign = (body: object) => world.ok('POST', '/entitlement/feature-assignments', body);
    await assign({ feature: 'seats', object: 'product', objectId: product.id, value: '5' });
    await assign({ feature: 'sso', object: 'product-price', objectId: price });
    expect(await entitled(world, early)).toEqual(['seats 5 active (product)', 'sso true active (price)']);
    const late = await world.customer();
    const subscription = await world.subscribe(late, price);
    expect(await entitled(world, late)).toEqual(['seats 5 active (product)', 'sso true active (price)']);
    await assign({ feature: 'seats', object: 'product-price', objectId: price, value: '10' });
    expect(await entitled(world, late)).toEqual(['sso true active (price)', 'seats 10 active (price)']);
    const { data: all } = await world.ok('GET', `/subscriptions/${subscription.id}/entitlements`);
    expect(all).toHaveLength(3);
    expect(await world.ok('GET', '/entitlement/features/seats')).toMatchObject({
      productAssignmentsCount: 1,
      productPriceAssignmentsCount: 1,
      entitlementsCount: 4,
    });
    const listed = await world.ok('GET', `/entitlement/feature-assignments?feature=seats&product=${product.id}`);
    expect(listed.data).toMatchObject([{ object: 'product', objectId: product.id, value: '5' }]);
    const [item] = subscription.items;
    await world.ok('POST', `/subscription-items/${item.id}/entitlements`, { feature: 'seats', value: 'unlimited' });
    expect(await entitled(world, late, '?feature=seats')).toEqual(['seats unlimited active (item)']);
    await world.ok('PUT', `/subscriptions/${subscription.id}/terminate`);
    expect(await entitled(world, late)).toEqual([]);
    expect(await announced(world, all[0].id)).toEqual(['2026-01-01T09:00 active', '2026-01-01T09:00 expired']);
  });

  it('rest while their subscription is paused, run in a trial, wait with a draft', async () => {
    const world = await World.at(billing, START);
    await world.ok('POST', '/entitlement/features', sso);
    const customer = await world.customer();
    const price = await world.price();
    const { id } = await world.ok('POST', '/subscriptions', { customer, items: [{ pricePlan: price }], trialDays: 14 });
    const granted = await world.ok('POST', `/subscriptions/${id}/entitlements`, { feature: 'sso' });
    expect(granted).toMatchObject({ status: 'pending', source: 'subscription', value: true, subscription: { id } });
    await world.ok('PUT', `/subscriptions/${id}/activate`, {});
    expect(await entitled(world, customer)).toEqual(['sso true active (subscription)']);
    await world.ok('PUT', `/subscriptions/${id}/pause`);
    expect(await entitled(world, customer)).toEqual(['sso true disabled (subscription)']);
    await world.ok('PUT', `/subscriptions/${id}/resume`, {});
    await world.ok('PUT', `/entitlements/${granted.id}/status`, { active: false });
    expect(await entitled(world, customer)).toEqual(['sso true disabled (subscription)']);
    await world.ok('PUT', `/entitlements/${granted.id}/status`, { active: true });
    await world.ok('PUT', `/subscriptions/${id}/cancel`, {
      cancellationDateType: 'custom',
      cancellationDate: '2026-01-20T23:00:00.000Z',
    });
    expect(await entitled(world, customer)).toEqual(['sso true active (subscription)']);
    await world.advance('2026-02-01T00:00:00.000Z');
    expect(await entitled(world, customer)).toEqual([]);
    expect((await announced(world, granted.id)).map((line) => line.slice(17))).toEqual([
      'pending',
      'active',
      'disabled',
      'active',
      'disabled',
      'active',
      'expired',
    ]);
    const refused = await world.tenant.call('POST', `/subscriptions/${id}/entitlements`, { feature: 'sso' });
    expect(refused.body).toMatchObject({ status: 422, reason: 'subscription_ended' });
  });

  it('to a draft feature wait for it; an archived one is given no more and keeps working', async () => {
    const world = await World.at(billing, START);
    await world.ok('POST', '/entitlement/features', { ...sso, status: 'draft' });
    const customer = await world.customer();
    const grant = () => world.tenant.call('POST', `/customers/${customer}/entitlements`, { feature: 'sso' });
    const { body: granted } = await grant();
    expect(granted).toMatchObject({ status: 'pending' });
    await world.ok('PUT', '/entitlement/features/sso/status', { status: 'active' });
    expect((await announced(world, granted.id)).map((line) => line.slice(17))).toEqual(['pending', 'active']);
    await world.ok('PUT', '/entitlement/features/sso/status', { status: 'archived' });
    expect((await grant()).body).toMatchObject({ status: 422, reason: 'feature_archived' });
    expect(await entitled(world, customer)).toEqual(['sso true active (customer)']);
  });

  it('follow a change of the price, and come back with it', async () => {
    const world = await World.at(billing, START);
    await world.ok('POST', '/entitlement/features', seats);
    const [small, large] = [await world.price(), await world.price()];
    for (const [objectId, value] of [
      [small, '5'],
      [large, '10'],
    ])
      await world.ok('POST', '/entitlement/feature-assignments', {
        feature: 'seats',
        object: 'product-price',
        objectId,
        value,
      });
    const customer = await world.customer();
    const { items } = await world.subscribe(customer, small);
    const change = (pricePlan: string) =>
      world.ok('POST', `/subscription-items/${items[0].id}/change`, { pricePlan, timing: 'immediately' });
    await change(large);
    expect(await entitled(world, customer)).toEqual(['seats 10 active (price)']);
    await change(small);
    expect(await entitled(world, customer)).toEqual(['seats 5 active (price)']);
  });

  it('are the same with an unchanged tag; a customer sees its own, nobody those of another tenant', async () => {
    const world = await World.at(billing, START);
    await world.ok('POST', '/entitlement/features', sso);
    const [customer, other] = [await world.customer(), await world.customer()];
    const { id } = await world.ok('POST', `/customers/${customer}/entitlements`, { feature: 'sso' });
    const holder = billing.test.as(customerPrincipal(world.tenant.id, customer));
    const ask = (headers?: Record<string, string>) =>
      holder('GET', `/customers/${customer}/entitlements`, undefined, headers);
    const first = await ask();
    const etag = first.headers.get('etag')!;
    expect(first.status).toBe(200);
    expect((await holder('GET', '/entitlements')).body).toEqual(first.body);
    const again = await ask({ 'if-none-match': etag });
    expect([again.status, again.body]).toEqual([304, '']);
    await world.ok('PUT', `/entitlements/${id}/status`, { active: false });
    expect((await ask({ 'if-none-match': etag })).status).toBe(200);
    const asOther = billing.test.as(customerPrincipal(world.tenant.id, other));
    expect((await asOther('GET', '/entitlements')).body).toEqual({ data: [] });
    expect((await asOther('GET', `/customers/${customer}/entitlements`)).status).toBe(403);
    expect((await asOther('PUT', `/entitlements/${id}/status`, { active: true })).status).toBe(403);
    expect((await world.tenant.call('GET', '/entitlements')).status).toBe(403);
    const app = (scopes: string[]) =>
      billing.test.as(customerPrincipal(world.tenant.id, customer, { kind: 'client', scopes }));
    expect((await app(['openid', 'entitlements.read'])('GET', '/entitlements')).body.data).toMatchObject([{ id }]);
    expect((await app(['openid'])('GET', '/entitlements')).status).toBe(403);
    expect((await app(['entitlements.read'])('GET', `/customers/${customer}/entitlements`)).status).toBe(403);
    for (const [method, path, body] of [
      ['GET', `/customers/${customer}/entitlements`],
      ['PUT', `/entitlements/${id}/status`, { active: true }],
      ['POST', `/customers/${customer}/entitlements`, { feature: 'sso' }],
    ] as const)
      expect((await tenant.call(method, path, body)).status).toBe(404);
  });

  test.each<[string, object, number, string]>([
    ['no feature', { feature: undefined }, 400, 'feature'],
    ['an unknown feature', { feature: 'none' }, 422, 'feature'],
    ['no value', { value: undefined }, 422, 'value'],
    ['a value between the levels', { value: '7' }, 422, 'value'],
    ['a value that is a list', { value: [] }, 400, 'value'],
    [
      'an end before its start',
      { validFrom: '2026-02-01T00:00:00Z', validUntil: '2026-01-01T00:00:00Z' },
      422,
      'validUntil',
    ],
    ['a day without time', { validFrom: '2026-02-01' }, 422, 'validFrom'],
  ])('with %s are refused', async (_name, change, status, propertyPath) => {
    const world = await World.at(billing, START);
    await world.ok('POST', '/entitlement/features', seats);
    const answer = await world.tenant.call('POST', `/customers/${await world.customer()}/entitlements`, {
      feature: 'seats',
      value: '5',
      ...change,
    });
    expect(answer.body).toMatchObject({ status, violations: [{ propertyPath }] });
  });
});

describe('at the same time', () => {
  it('assignments and subscriptions do not miss each other', async () => {
    const world = await World.at(billing, START);
    await world.ok('POST', '/entitlement/features', { ...sso, status: 'draft' });
    const price = await world.price();
    const customers = await Promise.all(Array.from({ length: 8 }, () => world.customer()));
    await Promise.all([
      ...customers.map((customer) => world.subscribe(customer, price)),
      world.ok('POST', '/entitlement/feature-assignments', {
        feature: 'sso',
        object: 'product-price',
        objectId: price,
      }),
      world.ok('PUT', '/entitlement/features/sso/status', { status: 'active' }),
    ]);
    await world.idle();
    for (const customer of customers) expect(await entitled(world, customer)).toEqual(['sso true active (price)']);
    const rows = await billing.test.peek<{ status: string }>('SELECT status FROM entitlement WHERE tenant_id = $1', [
      world.tenant.id,
    ]);
    expect(rows.map(({ status }) => status)).toEqual(customers.map(() => 'active'));
  });

  it('disabling and pausing leave versions without a gap', async () => {
    const world = await World.at(billing, START);
    await world.ok('POST', '/entitlement/features', sso);
    const subscription = await world.subscribe(await world.customer(), await world.price());
    const { id } = await world.ok('POST', `/subscriptions/${subscription.id}/entitlements`, { feature: 'sso' });
    await Promise.all([
      ...[false, true, false].map((active) => world.ok('PUT', `/entitlements/${id}/status`, { active })),
      world.ok('PUT', `/subscriptions/${subscription.id}/pause`),
    ]);
    const events = await billing.test.peek<{ seq: bigint }>(
      'SELECT aggregate_seq AS seq FROM outbox WHERE aggregate_id = $1 ORDER BY id',
      [id],
    );
    expect(events.map(({ seq }) => Number(seq))).toEqual(events.map((_, n) => n + 1));
  });
});
