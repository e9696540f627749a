import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Billing } from './support/billing.js';
import { expectInvariants, World } from './support/world.js';

let billing: Billing;
beforeAll(async () => {
  billing = await Billing.start();
});
afterEach(expectInvariants);
afterAll(async () => billing?.stop());

/** Basic: 10.00 a month for each of two seats. Pro: 31.00 for each of two, and support for 62.00. One family. */
async function sold(world: World, terms: object = {}, termsOfLarge: object = {}) {
  const { id: family } = await world.ok('POST', '/product-families', { name: 'Cloud' });
  const plan = async (code: string, items: object[], more: object = {}): Promise<string> =>
    (await world.ok('POST', '/plans', { code, name: code, status: 'active', family, items, ...more })).id;
  const basic = await world.price();
  const pro = await world.price({ price: { amount: 3100 } });
  const support = await world.price({ type: 'flat_fee', price: { amount: 6200 } });
  const small = await plan('small', [{ pricePlan: basic, quantity: '2' }], terms);
  const large = await plan('large', [{ pricePlan: pro, quantity: '2' }, { pricePlan: support }], termsOfLarge);
  const subscription = await world.ok('POST', '/subscriptions', {
    customer: await world.customer(),
    plan: small,
    activate: true,
  });
  return { id: subscription.id as string, item: subscription.items[0].id as string, small, large, basic, pro, support };
}

const MARCH = '2026-03-01T09:00:00.000Z';

describe('a change of the whole plan', () => {
  it('immediately credits and bills the rest of the period in one document, whose id is answered', async () => {
    const world = await World.at(billing, MARCH);
    const { id, item, large, pro, support } = await sold(world);
    await world.advance('2026-03-11T09:00:00.000Z');
    const path = `/subscriptions/${id}/change-plan`;
    const preview = await world.ok('POST', path, { plan: large, timing: 'immediately', preview: true });
    expect(preview).toMatchObject({ timing: 'immediately', effectiveOn: '2026-03-11', direction: 'upgrade' });
    expect(preview.invoice.netAmount.amount).toBe(-1355 + 4200 + 4200);
    expect((await world.ok('GET', `/subscriptions/${id}`)).plan.code).toBe('small');
    const changed = await world.ok('POST', path, { plan: large, timing: 'immediately' });
    expect(changed).toMatchObject({ plan: { code: 'large' }, pendingPlanChange: null });
    expect(changed.items.map((sold: { pricePlan: { id: string } }) => sold.pricePlan.id)).toEqual([pro, support]);
    expect(changed.items[0]).toMatchObject({ id: item, quantity: '2', plan: { code: 'large' } });
    const last = (await world.batches()).at(-1);
    expect(last).toMatchObject({ immediate: true, invoiceId: changed.billedInvoice.id });
    expect((await world.lines()).slice(1)).toEqual([
      '2026-03-11: credit 2026-03-11..2026-04-01 -1355',
      '2026-03-11: regular 2026-03-11..2026-04-01 4200',
      '2026-03-11: regular 2026-03-11..2026-04-01 4200',
    ]);
    const again = await world.tenant.call('POST', path, { plan: large });
    expect(again.body).toMatchObject({ status: 422, violations: [{ propertyPath: 'plan', code: 'no_change' }] });
  });

  it('waits for its day, is listed, and is revoked with all that it brings', async () => {
    const world = await World.at(billing, MARCH);
    const { id, item, large, pro } = await sold(world);
    await world.advance('2026-03-11T09:00:00.000Z');
    const waits = await world.ok('POST', `/subscriptions/${id}/change-plan`, { plan: large, credit: 'full' });
    const from = '2026-03-31T22:00:00.000Z';
    expect(waits).toMatchObject({
      plan: { code: 'small' },
      pendingPlanChange: { plan: { code: 'large' }, from, credit: 'full' },
    });
    const refused = await world.tenant.call('POST', `/subscription-items/${item}/change`, { pricePlan: pro });
    expect(refused.body).toMatchObject({ status: 422, reason: 'plan_change_pending' });
    const { data } = await world.ok('GET', `/subscriptions/${id}/pending-changes`);
    expect(data).toMatchObject([{ kind: 'plan', from, plan: { code: 'large' }, subscriptionItem: null }]);
    expect((await world.tenant.call('DELETE', `/subscriptions/${id}/pending-changes/${data[0].id}`)).status).toBe(204);
    const kept = await world.ok('GET', `/subscriptions/${id}`);
    expect(kept).toMatchObject({ pendingPlanChange: null, items: [{ pendingChange: null }] });
    expect(kept.items).toHaveLength(1);
    await world.ok('POST', `/subscriptions/${id}/change-plan`, { plan: large });
    await world.advance('2026-04-02T09:00:00.000Z');
    expect((await world.ok('GET', `/subscriptions/${id}`)).plan.code).toBe('large');
    expect((await world.lines()).slice(1)).toEqual([
      '2026-04-01: regular 2026-04-01..2026-05-01 6200',
      '2026-04-01: regular 2026-04-01..2026-05-01 6200',
    ]);
  });

  it('back to fewer lines ends those that are left, and keeps seats that were added', async () => {
    const world = await World.at(billing, MARCH);
    const { id, item, small, large } = await sold(world);
    await world.ok('PATCH', `/subscription-items/${item}`, { quantity: '5' });
    await world.ok('POST', `/subscriptions/${id}/change-plan`, { plan: large });
    await world.advance('2026-03-11T09:00:00.000Z');
    const options = await world.ok('GET', `/subscriptions/${id}/change-options`);
    expect(options).toMatchObject({ current: { code: 'large' }, defaultTiming: 'end_of_period' });
    expect(options.options).toMatchObject([{ plan: { code: 'small' }, direction: 'downgrade' }]);
    const back = { plan: small, changeDate: '2026-03-21T12:00:00.000Z' };
    const waits = await world.ok('POST', `/subscriptions/${id}/change-plan`, back);
    expect(waits.items[1]).toMatchObject({ status: 'cancelled', endDate: '2026-03-20T23:00:00.000Z' });
    await world.advance('2026-04-02T09:00:00.000Z');
    const lines = await world.lines();
    expect(lines.slice(2)).toEqual([
      '2026-03-21: credit 2026-03-21..2026-04-01 -5500',
      '2026-03-21: regular 2026-03-21..2026-04-01 1774',
      '2026-03-21: credit 2026-03-21..2026-04-01 -2200',
      '2026-04-01: regular 2026-04-01..2026-05-01 5000',
    ]);
  });

  it('obeys the plan in both directions, and its currency and status', async () => {
    const world = await World.at(billing, MARCH);
    const { id, large } = await sold(world, { changeBehaviour: 'downgradeable' });
    const path = `/subscriptions/${id}/change-plan`;
    const refusal = async (body: object) => (await world.tenant.call('POST', path, body)).body;
    expect(await refusal({ plan: large })).toMatchObject({ status: 422, reason: 'change_not_allowed' });
    expect(await refusal({ plan: large, preview: true })).toMatchObject({ reason: 'change_not_allowed' });
    const dollars = await world.price({ currencyCode: 'USD' });
    const draft = { code: 'usd', name: 'USD', items: [{ pricePlan: dollars }] };
    const { id: usd } = await world.ok('POST', '/plans', { ...draft, status: 'active' });
    expect(await refusal({ plan: usd })).toMatchObject({ violations: [{ code: 'currency_mismatch' }] });
    const { id: unsold } = await world.ok('POST', '/plans', { ...draft, code: 'draft' });
    expect(await refusal({ plan: unsold })).toMatchObject({ violations: [{ code: 'not_active' }] });
    expect(await refusal({ plan: id })).toMatchObject({ reason: 'unknown_reference' });
    const past = { plan: large, timing: 'custom', changeDate: '2026-02-01T00:00:00.000Z' };
    expect(await refusal({ ...past, timing: 'end_of_period' })).toMatchObject({ status: 422 });
    expect((await world.ok('GET', `/subscriptions/${id}/change-options`)).options).toEqual([]);
  });

  it('brings no price that is archived, or another customer’s; what an item has it keeps', async () => {
    const world = await World.at(billing, MARCH);
    const { id, basic, large, pro, support } = await sold(world);
    const { family } = await world.ok('GET', `/plans/${large}`);
    const plan = async (code: string, ...prices: string[]): Promise<string> => {
      const items = prices.map((pricePlan) => ({ pricePlan }));
      return (await world.ok('POST', '/plans', { code, name: code, status: 'active', family: family.id, items })).id;
    };
    const other = await world.price({ price: { amount: 100 }, customer: await world.customer() });
    const [foreign, keeping] = [await plan('foreign', other), await plan('keeping', basic, pro)];
    await world.ok('PUT', `/price-plans/${basic}/archive`);
    const change = (to: string, more: object = {}) =>
      world.tenant.call('POST', `/subscriptions/${id}/change-plan`, { plan: to, timing: 'immediately', ...more });
    const refusal = { status: 422, violations: [{ propertyPath: 'plan', code: 'unknown_reference' }] };
    expect((await change(foreign)).body).toMatchObject(refusal);
    expect((await change(foreign, { preview: true })).body).toMatchObject(refusal);
    const options = async () => {
      const answer = await world.ok('GET', `/subscriptions/${id}/change-options`);
      return answer.options.map((option: { plan: { code: string } }) => option.plan.code);
    };
    expect(await options()).toEqual(['large', 'keeping']);
    expect((await change(keeping)).status).toBe(201);
    await world.ok('PUT', `/price-plans/${support}/archive`);
    expect(await options()).toEqual(['small']);
    expect((await change(large)).body).toMatchObject(refusal);
  });

  it('goes up or down by the ranks of both plans, whatever they cost, and by price where one has none', async () => {
    const world = await World.at(billing, MARCH);
    const { id, large } = await sold(world, { changeBehaviour: 'upgradeable', rank: 20 }, { rank: 10 });
    const path = `/subscriptions/${id}/change-plan`;
    expect((await world.tenant.call('POST', path, { plan: large })).body).toMatchObject({
      reason: 'change_not_allowed',
    });
    expect((await world.ok('GET', `/subscriptions/${id}/change-options`)).options).toEqual([]);
    const { id: _id, ...plan } = await world.ok('GET', `/plans/${large}`);
    const items = plan.items.map((line: { pricePlan: { id: string }; quantity: string }) => ({
      pricePlan: line.pricePlan.id,
      quantity: line.quantity,
    }));
    const change = { code: 'large', name: 'large', status: 'active', family: plan.family.id, items };
    for (const rank of [30, null]) {
      await world.ok('PUT', `/plans/${large}`, { ...change, rank });
      const { options } = await world.ok('GET', `/subscriptions/${id}/change-options`);
      expect(options).toMatchObject([{ plan: { code: 'large', rank }, direction: 'upgrade' }]);
    }
    expect(await world.ok('POST', path, { plan: large, preview: true })).toMatchObject({ direction: 'upgrade' });
  });

  it('of a draft or in a trial simply is the other plan', async () => {
    const world = await World.at(billing, MARCH);
    const { small, large, pro, support } = await sold(world);
    const customer = await world.customer({ email: 'draft@example.com' });
    const draft = await world.ok('POST', '/subscriptions', { customer, plan: small, trialDays: 14 });
    const other = await world.ok('POST', `/subscriptions/${draft.id}/change-plan`, { plan: large });
    expect(other).toMatchObject({ plan: { code: 'large' }, pendingPlanChange: null, status: 'draft' });
    await world.ok('PUT', `/subscriptions/${draft.id}/activate`);
    const back = await world.ok('POST', `/subscriptions/${draft.id}/change-plan`, { plan: small });
    expect(back).toMatchObject({ plan: { code: 'small' } });
    const again = await world.ok('POST', `/subscriptions/${draft.id}/change-plan`, { plan: large });
    expect(again.items.filter((kept: { status: string }) => kept.status !== 'terminated')).toMatchObject([
      { pricePlan: { id: pro } },
      { pricePlan: { id: support }, startDate: '2026-03-14T23:00:00.000Z' },
    ]);
  });

  it('gives further lines what is left of the discounts that all lines share', async () => {
    const world = await World.at(billing, MARCH);
    const { id, large } = await sold(world);
    const discount = { name: 'Half', type: 'percentage', percentage: '50', frequency: 'limited', frequencyInterval: 2 };
    await world.advance('2026-03-11T09:00:00.000Z');
    await world.ok('POST', `/subscriptions/${id}/discounts`, discount);
    await world.ok('POST', `/subscriptions/${id}/change-plan`, { plan: large });
    await world.advance('2026-06-02T09:00:00.000Z');
    const lines = (await world.batches()).slice(1).flatMap((batch) => batch.lines);
    const half = [6200, 3100];
    const amounts = lines.map(({ netAmount, discountAmount }) => [netAmount.amount, discountAmount?.amount ?? 0]);
    expect(amounts).toEqual([half, half, half, half, [6200, 0], [6200, 0]]);
  });

  it('that waits brings a draft its lines on their day', async () => {
    const world = await World.at(billing, MARCH);
    const { small, large } = await sold(world);
    const customer = await world.customer({ email: 'draft@example.com' });
    const { id } = await world.ok('POST', '/subscriptions', { customer, plan: small });
    await world.ok('POST', `/subscriptions/${id}/change-plan`, { plan: large, changeDate: '2026-03-11T09:00:00.000Z' });
    const active = await world.ok('PUT', `/subscriptions/${id}/activate`);
    expect(active.items[1]).toMatchObject({ startDate: '2026-03-10T23:00:00.000Z' });
    await world.advance('2026-03-12T09:00:00.000Z');
    expect((await world.lines()).slice(1)).toEqual([
      '2026-03-01: regular 2026-03-01..2026-03-11 645',
      '2026-03-11: regular 2026-03-11..2026-04-01 4200',
      '2026-03-11: regular 2026-03-11..2026-04-01 4200',
    ]);
  });
});

describe('a change of a later day, in a trial', () => {
  const FROM = '2026-03-20T09:00:00.000Z';
  async function trying(world: World) {
    const monthly = await world.price({ type: 'flat_fee', price: { amount: 3100 } });
    const yearly = await world.price({ type: 'flat_fee', price: { amount: 36500 }, billingInterval: '1Y' });
    const plan = async (code: string, pricePlan: string): Promise<string> =>
      (await world.ok('POST', '/plans', { code, name: code, status: 'active', items: [{ pricePlan }] })).id;
    const [small, large] = [await plan('small', monthly), await plan('large', yearly)];
    const customer = await world.customer();
    const { id, items } = await world.ok('POST', '/subscriptions', {
      customer,
      plan: small,
      trialDays: 31,
      activate: true,
    });
    return { id: id as string, item: items[0].id as string, monthly, yearly, large };
  }
  const priceOf = async (world: World, id: string): Promise<string> =>
    (await world.ok('GET', `/subscriptions/${id}`)).items[0].pricePlan.id;

  it('leaves everything as it was when it is revoked', async () => {
    const world = await World.at(billing, MARCH);
    const { id, monthly, large } = await trying(world);
    await world.ok('POST', `/subscriptions/${id}/change-plan`, { plan: large, changeDate: FROM });
    const { data } = await world.ok('GET', `/subscriptions/${id}/pending-changes`);
    expect((await world.tenant.call('DELETE', `/subscriptions/${id}/pending-changes/${data[0].id}`)).status).toBe(204);
    expect(await priceOf(world, id)).toBe(monthly);
  });

  it('waits for its day where billing begins before', async () => {
    const world = await World.at(billing, MARCH);
    const { id, item, yearly } = await trying(world);
    await world.ok('POST', `/subscription-items/${item}/change`, { pricePlan: yearly, changeDate: FROM });
    await world.ok('PUT', `/subscriptions/${id}/revoke-trial`);
    await world.advance('2026-03-21T09:00:00.000Z');
    expect(await world.lines()).toEqual([
      '2026-03-01: regular 2026-03-01..2026-03-20 1900',
      '2026-03-20: regular 2026-03-20..2027-03-20 36500',
    ]);
  });

  it('is what billing begins with after it, for a whole interval', async () => {
    const world = await World.at(billing, MARCH);
    const { id, large, yearly } = await trying(world);
    await world.ok('POST', `/subscriptions/${id}/change-plan`, { plan: large, changeDate: FROM });
    await world.advance('2026-04-02T09:00:00.000Z');
    expect(await priceOf(world, id)).toBe(yearly);
    expect(await world.lines()).toEqual(['2026-04-01: regular 2026-04-01..2027-04-01 36500']);
  });
});

describe('ramps and dates', () => {
  it('bill each phase from its month on, in previews and lists too', async () => {
    const world = await World.at(billing, '2026-01-31T09:00:00.000Z');
    const [start, later] = [await world.price({ price: { amount: 500 } }), await world.price()];
    const phases = [
      { after: '2M', quantity: '3' },
      { after: '3M', pricePlan: later },
    ];
    const item = { pricePlan: start, phases };
    const { id, items } = await world.subscribe(await world.customer(), start, { items: [item] });
    const { data } = await world.ok('GET', `/subscriptions/${id}/pending-changes`);
    expect(data).toMatchObject([
      {
        kind: 'phase',
        subscriptionItem: items[0].id,
        pricePlan: start,
        quantity: '3',
        from: '2026-03-30T22:00:00.000Z',
      },
      { kind: 'phase', pricePlan: later, quantity: '3', from: '2026-04-29T22:00:00.000Z' },
    ]);
    expect((await world.ok('GET', `/price-plans/${later}`)).inUse).toBe(true);
    expect((await world.tenant.call('DELETE', `/price-plans/${later}`)).body).toMatchObject({ reason: 'in_use' });
    await world.advance('2026-05-02T09:00:00.000Z');
    expect(await world.lines()).toEqual([
      '2026-01-31: regular 2026-01-31..2026-02-28 500',
      '2026-02-28: regular 2026-02-28..2026-03-31 500',
      '2026-03-31: regular 2026-03-31..2026-04-30 1500',
      '2026-04-30: regular 2026-04-30..2026-05-31 3000',
    ]);
  });

  it('of a trial count from its end', async () => {
    const world = await World.at(billing, MARCH);
    const [start, later] = [await world.price({ price: { amount: 500 } }), await world.price()];
    const items = [{ pricePlan: start, phases: [{ after: '1M', pricePlan: later }] }];
    const { id } = await world.subscribe(await world.customer(), start, { items, trialDays: 10 });
    await world.ok('PUT', `/subscriptions/${id}/extend-trial`, { trialEndsOn: '2026-03-20T23:00:00.000Z' });
    await world.advance('2026-05-01T09:00:00.000Z');
    expect(await world.lines()).toEqual([
      '2026-03-21: regular 2026-03-21..2026-04-21 500',
      '2026-04-21: regular 2026-04-21..2026-05-21 1000',
    ]);
  });

  it('are refused when they make no sense', async () => {
    const world = await World.at(billing, MARCH);
    const [price, dollars] = [await world.price(), await world.price({ currencyCode: 'USD' })];
    const customer = await world.customer();
    const refusal = async (phases: object[]) =>
      (await world.tenant.call('POST', '/subscriptions', { customer, items: [{ pricePlan: price, phases }] })).body;
    expect(await refusal([{ after: '1M' }])).toMatchObject({ status: 422 });
    const disordered = await refusal([
      { after: '2M', quantity: '2' },
      { after: '1M', quantity: '3' },
    ]);
    expect(disordered).toMatchObject({
      violations: [{ propertyPath: 'items[0].phases[1].after', code: 'not_ascending' }],
    });
    expect(await refusal([{ after: '1M', pricePlan: dollars }])).toMatchObject({ status: 422 });
    expect(await refusal([{ after: '1M', pricePlan: customer }])).toMatchObject({ reason: 'unknown_reference' });
  });

  it.each([
    ['pro_rata', ['credit 2026-03-16..2026-04-01 -516', 'regular 2026-03-16..2026-04-01 1032']],
    ['full', ['credit 2026-03-01..2026-04-01 -1000', 'regular 2026-03-16..2026-04-01 1032']],
    ['none', ['regular 2026-03-16..2026-04-01 1032']],
  ])('a change on a day credits %s, and nothing twice when it ends later', async (credit, expected) => {
    const world = await World.at(billing, MARCH);
    const [price, larger] = [await world.price(), await world.price({ price: { amount: 2000 } })];
    const { id, items } = await world.subscribe(await world.customer(), price);
    await world.advance('2026-03-11T09:00:00.000Z');
    const change = { pricePlan: larger, changeDate: '2026-03-16T09:00:00.000Z', credit };
    const preview = await world.ok('POST', `/subscription-items/${items[0].id}/change?preview=true`, change);
    expect(preview).toMatchObject({ timing: 'custom', effectiveOn: '2026-03-16' });
    expect(preview.invoice.positions).toHaveLength(expected.length);
    await world.ok('POST', `/subscription-items/${items[0].id}/change`, change);
    await world.advance('2026-03-20T09:00:00.000Z');
    expect((await world.lines()).slice(1)).toEqual(expected.map((line) => `2026-03-16: ${line}`));
    const body = { credit: 'pro_rata' };
    const ended = await world.ok('PUT', `/subscriptions/${id}/terminate`, body);
    expect(ended).toMatchObject({ status: 'terminated', billedInvoice: { id: expect.any(String) } });
    expect((await world.lines()).at(-1)).toBe('2026-03-20: credit 2026-03-20..2026-04-01 -774');
    await world.advance('2026-05-01T09:00:00.000Z');
    expect(await world.lines()).toHaveLength(expected.length + 2);
  });
});

describe('partner and parent', () => {
  it('are filled; what belongs to an item ends with it', async () => {
    const world = await World.at(billing, MARCH);
    const price = await world.price();
    const partner = await world.customer({ email: 'partner@example.com', companyName: 'Partner GmbH' });
    const customer = await world.customer();
    const { id, items, ...made } = await world.subscribe(customer, price, { partner });
    expect(made.partner).toMatchObject({ id: partner, name: 'Partner GmbH', email: 'partner@example.com' });
    const body = { items: [{ pricePlan: price, parent: items[0].id }] };
    const { items: both } = await world.ok('POST', `/subscriptions/${id}/products`, body);
    expect(both[1].parent).toEqual({ id: items[0].id, type: 'product', status: 'pending', name: 'Team' });
    const unknown = { items: [{ pricePlan: price, parent: customer }] };
    const refused = await world.tenant.call('POST', `/subscriptions/${id}/products`, unknown);
    expect(refused.body).toMatchObject({ status: 422, reason: 'unknown_reference' });
    const end = { cancellationDateType: 'custom', cancellationDate: '2026-03-20T12:00:00.000Z' };
    await world.ok('PUT', `/subscription-items/${items[0].id}/cancel`, end);
    const child = await world.ok('GET', `/subscription-items/${both[1].id}`);
    expect(child).toMatchObject({ status: 'cancelled', endDate: '2026-03-19T23:00:00.000Z' });
    const gone = await world.ok('PUT', `/subscriptions/${id}`, {});
    expect(gone.partner).toBeNull();
  });

  it('items are added as a list or as a single one, not as both', async () => {
    const world = await World.at(billing, MARCH);
    const price = await world.price();
    const { id } = await world.subscribe(await world.customer(), price);
    const add = (body: object): Promise<{ status: number; body: unknown }> =>
      world.tenant.call('POST', `/subscriptions/${id}/products`, body);
    expect((await add({ items: [{ pricePlan: price }], pricePlan: null })).status).toBe(201);
    expect((await add({ pricePlan: price, quantity: '2' })).status).toBe(201);
    expect((await add({ items: [{ pricePlan: price }], quantity: '2' })).body).toMatchObject({
      status: 422,
      violations: [{ propertyPath: 'quantity', code: 'not_allowed' }],
    });
  });

  it('a contract ends after it starts, as it is made and as it is replaced', async () => {
    const world = await World.at(billing, MARCH);
    const price = await world.price();
    const customer = await world.customer();
    const contractDetails = { contractStart: '2026-05-01T00:00:00.000Z', contractEnd: '2026-04-01T00:00:00.000Z' };
    const { id } = await world.subscribe(customer, price);
    const replaced = await world.tenant.call('PUT', `/subscriptions/${id}`, { contractDetails });
    expect(replaced.body).toMatchObject({
      status: 422,
      violations: [{ propertyPath: 'contractDetails.contractEnd', code: 'not_later' }],
    });
    const made = { customer, items: [{ pricePlan: price }], contractDetails };
    expect((await world.tenant.call('POST', '/subscriptions', made)).body).toMatchObject({
      violations: [{ propertyPath: 'contractDetails.contractEnd', code: 'not_later' }],
    });
  });
});
