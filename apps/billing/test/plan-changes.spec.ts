import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Billing } from './support/billing.js';
import { expectInvariants, World } from './support/world.js';

let billing: Billing;
beforeAll(async () => {
  billing = await Billing.start();
});
afterEach(expectInvariants);
afterAll(async () => billing?.stop());

interface Sold {
  readonly world: World;
  readonly subscription: string;
  readonly item: string;
  /** 5.00, 20.00 and 120.00 a year, beside the item's 10.00 a month; all of one family. */
  readonly smaller: string;
  readonly larger: string;
  readonly yearly: string;
}

/** An active subscription to two units of a plan, billed for March. */
async function sold(terms: object): Promise<Sold> {
  const world = await World.at(billing, '2026-03-01T09:00:00.000Z');
  const { id: productFamily } = await world.ok('POST', '/product-families', { name: 'Cloud' });
  const price = (amount: number, billingInterval = '1M') =>
    world.price({ price: { amount }, billingInterval }, { productFamily });
  const basic = await price(1000);
  const plan = await world.ok('POST', '/plans', {
    code: 'basic',
    name: 'Basic',
    status: 'active',
    items: [{ pricePlan: basic, quantity: '2' }],
    ...terms,
  });
  const { id, items } = await world.ok('POST', '/subscriptions', {
    customer: await world.customer(),
    plan: plan.id,
    activate: true,
  });
  const [smaller, larger, yearly] = [await price(500), await price(2000), await price(12_000, '1Y')];
  await world.advance('2026-03-11T09:00:00.000Z');
  return { world, subscription: id, item: items[0].id, smaller, larger, yearly };
}

describe('changes of a plan', () => {
  it('that cost nothing name their document where lines worth nothing make one', async () => {
    const change = async (createZeroInvoices: boolean) => {
      const world = await World.at(billing, '2026-03-01T09:00:00.000Z');
      await world.ok('PUT', '/settings/billing', { createZeroInvoices });
      const free = await world.price({ price: { amount: 0 } });
      const sale = { customer: await world.customer(), items: [{ pricePlan: free, quantity: '1' }], activate: true };
      const { items } = await world.ok('POST', '/subscriptions', sale);
      await world.advance('2026-03-11T09:00:00.000Z');
      const body = { quantity: '2', timing: 'immediately' };
      const { billedInvoice } = await world.ok('POST', `/subscription-items/${items[0].id}/change`, body);
      return { billedInvoice, last: (await world.batches()).at(-1)?.invoiceId };
    };
    const documented = await change(true);
    expect(documented.billedInvoice).toEqual({ id: documented.last });
    expect((await change(false)).billedInvoice).toBeNull();
  });

  it('to a price that costs the same are a document, too, whose id is answered', async () => {
    const { world, item, larger } = await sold({});
    const change = { pricePlan: larger, quantity: '1', timing: 'immediately' };
    const changed = await world.ok('POST', `/subscription-items/${item}/change`, change);
    expect((await world.batches()).at(-1)).toMatchObject({ immediate: true, invoiceId: changed.billedInvoice.id });
    expect((await world.lines()).slice(1)).toEqual([
      '2026-03-11: credit 2026-03-11..2026-04-01 -1355',
      '2026-03-11: regular 2026-03-11..2026-04-01 1355',
    ]);
  });

  it.each([
    ['upgradeable', { larger: 201, smaller: 422, yearly: 201, '3': 201, '1': 422 }],
    ['downgradeable', { larger: 422, smaller: 201, yearly: 201, '3': 422, '1': 201 }],
    ['not_changeable', { larger: 422, smaller: 422, yearly: 422, '3': 422, '1': 422 }],
    ['upgradeable_and_downgradeable', { larger: 201, smaller: 201, yearly: 201, '3': 201, '1': 201 }],
  ])(
    '%s is obeyed in both directions, for price and quantity, in previews and options too',
    async (changeBehaviour, wanted) => {
      const all = await sold({ changeBehaviour });
      const { world, item } = all;
      const prices = { larger: all.larger, smaller: all.smaller, yearly: all.yearly };
      const path = `/subscription-items/${item}/change`;
      for (const [name, status] of Object.entries(wanted)) {
        const change = name in prices ? { pricePlan: prices[name as keyof typeof prices] } : { quantity: name };
        for (const way of [`${path}?preview=true`, path]) {
          const { body } = await world.tenant.call('POST', way, { ...change, timing: 'end_of_period' });
          expect([name, body.reason ?? 'changed']).toEqual([name, status === 201 ? 'changed' : 'change_not_allowed']);
        }
        const patched = await world.tenant.call('PATCH', `/subscription-items/${item}`, change);
        if (!(name in prices)) expect([name, patched.status]).toEqual([name, status === 201 ? 200 : 422]);
      }
      const options = await world.ok('GET', `/subscription-items/${item}/change-options`);
      const offered = options.options.map(({ id, direction }: { id: string; direction: string }) => [id, direction]);
      const expected: [keyof typeof prices, string][] = [
        ['smaller', 'downgrade'],
        ['larger', 'upgrade'],
        ['yearly', 'same'],
      ];
      expect(offered).toEqual(
        expected.filter(([name]) => wanted[name] === 201).map(([name, direction]) => [prices[name], direction]),
      );
      expect(options).toMatchObject({
        quantity: { increase: wanted['3'] === 201, decrease: wanted['1'] === 201 },
        timings: ['immediately', 'end_of_period', 'custom'],
        defaultTiming: 'end_of_period',
        endOfPeriod: '2026-04-01',
      });
    },
  );

  it('in a trial to another interval begin it on the date of the billing group', async () => {
    const world = await World.at(billing, '2026-02-10T09:00:00.000Z');
    const price = (amount: number, billingInterval: string) => world.price({ price: { amount }, billingInterval });
    const [monthly, yearly] = [await price(1000, '1M'), await price(36_500, '1Y')];
    const group = await world.ok('POST', '/billing-groups', { name: 'Years', type: 'start_of_year' });
    const sale = async (pricePlan: string) =>
      world.ok('POST', '/subscriptions', {
        customer: await world.customer(),
        items: [{ pricePlan, quantity: '1' }],
        billingGroup: group.id,
        trialDays: 5,
        activate: true,
      });
    const first = async ({ id }: { readonly id: string }) => {
      const { positions } = await world.ok('POST', `/subscriptions/${id}/preview-invoice`);
      return positions.map(({ netAmount, serviceDateTo }: never) => ({ netAmount, serviceDateTo }));
    };
    const changed = await sale(monthly);
    const body = { pricePlan: yearly, timing: 'immediately' };
    const preview = await world.ok('POST', `/subscription-items/${changed.items[0].id}/change?preview=true`, body);
    await world.ok('POST', `/subscription-items/${changed.items[0].id}/change`, body);
    expect(await first(changed)).toEqual(await first(await sale(yearly)));
    expect(preview.invoice.netAmount).toMatchObject({ amount: 32_000 });
  });

  it('however many wait in a trial, the preview shows the first invoice', async () => {
    const world = await World.at(billing, '2026-03-01T09:00:00.000Z');
    const customer = await world.customer();
    const items = [{ pricePlan: await world.price({ price: { amount: 1000 }, billingInterval: '1M' }), quantity: '1' }];
    const { id, items: made } = await world.ok('POST', '/subscriptions', {
      customer,
      items,
      trialDays: 30,
      activate: true,
    });
    for (let n = 2; n <= 13; n++) {
      const changeDate = `2026-03-${String(n + 3).padStart(2, '0')}T00:00:00.000Z`;
      const body = { quantity: String(n), timing: 'custom', changeDate };
      await world.ok('POST', `/subscription-items/${made[0].id}/change`, body);
    }
    const preview = await world.ok('POST', `/subscriptions/${id}/preview-invoice`);
    expect(preview).toMatchObject({ netAmount: { amount: 13_000 }, billingDate: '2026-03-30T22:00:00.000Z' });
  });

  it('of a quantity by PATCH are made when the request or the plan says', async () => {
    const { world, item } = await sold({ changeApplyBehaviour: 'immediately' });
    const at = await world.ok('PATCH', `/subscription-items/${item}`, { quantity: '3', timing: 'end_of_period' });
    expect(at).toMatchObject({ quantity: '2', pendingChange: { quantity: '3', from: '2026-03-31T22:00:00.000Z' } });
    const now = await world.ok('PATCH', `/subscription-items/${item}`, { quantity: '4' });
    expect(now).toMatchObject({ quantity: '4', pendingChange: null });
    expect((await world.lines()).slice(1)).toEqual([
      '2026-03-11: credit 2026-03-11..2026-04-01 -1355',
      '2026-03-11: regular 2026-03-11..2026-04-01 2710',
    ]);
  });

  it('that wait are listed, and revoked until their day', async () => {
    const { world, item, larger } = await sold({});
    await world.ok('POST', `/subscription-items/${item}/change`, { pricePlan: larger });
    const pending = await world.ok('GET', `/subscription-items/${item}`);
    expect(pending.pendingChange).toEqual({ pricePlan: larger, quantity: '2', from: '2026-03-31T22:00:00.000Z' });
    const path = `/subscription-items/${item}/pending-change`;
    expect((await world.tenant.call('DELETE', path)).status).toBe(204);
    expect((await world.tenant.call('DELETE', path)).body).toMatchObject({ status: 404, reason: 'not_found' });
    expect((await world.ok('GET', `/subscription-items/${item}`)).pendingChange).toBeNull();
    await world.advance('2026-04-02T09:00:00.000Z');
    expect((await world.lines()).slice(1)).toEqual(['2026-04-01: regular 2026-04-01..2026-05-01 2000']);
  });
});
