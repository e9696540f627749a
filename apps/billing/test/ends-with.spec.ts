import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Billing } from './support/billing.js';
import { expectInvariants, World } from './support/world.js';

let billing: Billing;
beforeAll(async () => {
  billing = await Billing.start();
});
afterEach(expectInvariants);
afterAll(async () => billing?.stop());

const MARCH = '2026-03-01T09:00:00.000Z';
const BEGINS = '2026-03-11T09:00:00.000Z';
const APRIL = '2026-03-31T22:00:00.000Z';
const CHANGES = '/pending-changes';

/** Team and support for 31.00 each, paid for March; a plan of the team alone, and one with both. An add-on costs 3.10. */
async function sold(world: World) {
  const price = (amount: number): Promise<string> => world.price({ type: 'flat_fee', price: { amount } });
  const [team, support, addon] = [await price(3100), await price(3100), await price(310)];
  const plan = async (code: string, prices: string[]): Promise<string> => {
    const items = prices.map((pricePlan) => ({ pricePlan }));
    return (await world.ok('POST', '/plans', { code, name: code, status: 'active', items })).id;
  };
  const [small, large] = [await plan('small', [team]), await plan('large', [team, support])];
  const begin = async (of: string) => {
    const { id, items } = await world.ok('POST', '/subscriptions', {
      customer: await world.customer(),
      plan: of,
      activate: true,
    });
    return { id: id as string, ids: items.map((item: { id: string }) => item.id) as string[] };
  };
  return { small, large, addon, begin };
}

/** Status and last paid instant of each item. */
const shown = async (world: World, id: string): Promise<unknown[]> =>
  (await world.ok('GET', `/subscriptions/${id}`)).items.map((item: { status: string; endDate: string | null }) => [
    item.status,
    item.endDate,
  ]);

const revoke = async (world: World, id: string): Promise<number> => {
  const { data } = await world.ok('GET', `/subscriptions/${id}${CHANGES}`);
  return (await world.tenant.call('DELETE', `/subscriptions/${id}${CHANGES}/${data[0].id}`)).status;
};

describe('what ends with something else', () => {
  it('an item that was cancelled meanwhile stays so when the change of the plan is revoked', async () => {
    const world = await World.at(billing, MARCH);
    const { small, large, begin } = await sold(world);
    const { id, ids } = await begin(large);
    await world.advance(BEGINS);
    await world.ok('POST', `/subscriptions/${id}/change-plan`, { plan: small, credit: 'full' });
    const later = { cancellationDateType: 'custom', cancellationDate: '2026-05-01T09:00:00.000Z' };
    const refused = await world.tenant.call('PUT', `/subscription-items/${ids[1]}/cancel`, later);
    expect(refused.body).toMatchObject({ status: 422, reason: 'plan_change_pending' });
    await world.ok('PUT', `/subscription-items/${ids[1]}/cancel`, { cancellationDateType: 'immediate' });
    expect(await revoke(world, id)).toBe(204);
    expect(await shown(world, id)).toEqual([
      ['active', null],
      ['terminated', '2026-03-10T23:00:00.000Z'],
    ]);
    await world.advance('2026-04-02T09:00:00.000Z');
    // Its own end credits the unused days, whatever the change of the plan said.
    expect((await world.lines()).slice(2)).toEqual([
      '2026-03-11: credit 2026-03-11..2026-04-01 -2100',
      '2026-04-01: regular 2026-04-01..2026-05-01 3100',
    ]);
  });

  it.each(['full', 'none'])(
    'a subscription that ends before a change of its plan is credited by its days: %s',
    async (credit) => {
      const world = await World.at(billing, MARCH);
      const { small, large, begin } = await sold(world);
      const { id } = await begin(large);
      await world.advance(BEGINS);
      await world.ok('POST', `/subscriptions/${id}/change-plan`, { plan: small, credit });
      await world.ok('PUT', `/subscriptions/${id}/cancel`, { cancellationDateType: 'immediate' });
      await world.advance('2026-04-02T09:00:00.000Z');
      expect((await world.lines()).slice(2)).toEqual([
        '2026-03-11: credit 2026-03-11..2026-04-01 -2100',
        '2026-03-11: credit 2026-03-11..2026-04-01 -2100',
      ]);
    },
  );

  it('what belongs to an item that a change of the plan ends, by as many steps as there are', async () => {
    const world = await World.at(billing, MARCH);
    const { small, large, addon, begin } = await sold(world);
    const { id, ids } = await begin(large);
    const add = async (parent: string | undefined): Promise<string> =>
      (await world.ok('POST', `/subscriptions/${id}/products`, { pricePlan: addon, parent })).items.at(-1).id;
    const child = await add(ids[1]);
    const grandchild = await add(child);
    const earlier = { cancellationDateType: 'custom', cancellationDate: '2026-04-21T09:00:00.000Z' };
    await world.ok('PUT', `/subscription-items/${grandchild}/cancel`, earlier);
    await world.advance(BEGINS);
    await world.ok('POST', `/subscriptions/${id}/change-plan`, { plan: small });
    await add(ids[1]);
    const ended = ['cancelled', APRIL];
    expect(await shown(world, id)).toEqual([['active', null], ended, ended, ended, ended]);
    expect(await revoke(world, id)).toBe(204);
    const earlierEnd = ['cancelled', '2026-04-20T22:00:00.000Z'];
    const open = ['active', null];
    expect(await shown(world, id)).toEqual([open, open, open, earlierEnd, ['pending', null]]);
    await world.ok('POST', `/subscriptions/${id}/change-plan`, { plan: small, timing: 'immediately', credit: 'full' });
    expect((await shown(world, id)).slice(1).map((item) => (item as string[])[0])).toEqual(Array(4).fill('terminated'));
    // Credited with the item that they belong to, in the same request.
    expect((await world.lines()).filter((line) => line.includes('credit')).sort()).toEqual([
      '2026-03-11: credit 2026-03-01..2026-04-01 -310',
      '2026-03-11: credit 2026-03-01..2026-04-01 -310',
      '2026-03-11: credit 2026-03-01..2026-04-01 -3100',
    ]);
  });

  it('what is added to an item whose end is known', async () => {
    const world = await World.at(billing, MARCH);
    const { large, addon, begin } = await sold(world);
    const { id, ids } = await begin(large);
    await world.advance(BEGINS);
    await world.ok('PUT', `/subscription-items/${ids[1]}/cancel`, { cancellationDateType: 'next_possible' });
    await world.ok('POST', `/subscriptions/${id}/products`, { pricePlan: addon, parent: ids[1] });
    expect((await shown(world, id)).at(-1)).toEqual(['cancelled', APRIL]);
    await world.advance('2026-05-02T09:00:00.000Z');
    expect((await world.lines()).filter((line) => line.endsWith(' 310') || line.endsWith(' 210'))).toEqual([
      '2026-03-11: regular 2026-03-11..2026-04-01 210',
    ]);
  });

  it('lines that were to begin with a revoked change vanish: coupons of theirs are free, what belonged to them stays', async () => {
    const world = await World.at(billing, MARCH);
    const { small, large, addon, begin } = await sold(world);
    const { id } = await begin(small);
    await world.advance(BEGINS);
    const { items } = await world.ok('POST', `/subscriptions/${id}/change-plan`, { plan: large });
    const added = items[1].id;
    await world.ok('POST', `/subscriptions/${id}/products`, { pricePlan: addon, parent: added });
    const coupon = { code: 'ONCE', type: 'percentage', percentage: '10', frequency: 'once', maxRedemptions: 1 };
    const { id: couponId } = await world.ok('POST', '/coupons', coupon);
    await world.ok('POST', `/subscription-items/${added}/discounts`, { coupon: 'once' });
    expect((await world.ok('GET', `/coupons/${couponId}`)).redemptions).toBe(1);
    expect(await revoke(world, id)).toBe(204);
    const kept = await world.ok('GET', `/subscriptions/${id}`);
    expect(kept.items.map((item: { parent: unknown }) => item.parent)).toEqual([null, null]);
    expect((await world.ok('GET', `/coupons/${couponId}`)).redemptions).toBe(0);
  });
});
