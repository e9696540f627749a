import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { OfferSaleItem, OfferTerms, UsageMetricState } from '@kontor/contracts';
import { newUlid, newUuid, ulidToUuid } from '@kontor/kernel';
import { servicePrincipal } from '@kontor/testing';
import { Billing, type Tenant } from './support/billing.js';

const NOW = new Date('2026-03-02T09:00:00.000Z');
let billing: Billing;
let tenant: Tenant;
beforeAll(async () => {
  billing = await Billing.start({ now: NOW });
  tenant = await billing.tenant();
  await billing.test.peek('INSERT INTO tenant_clock (tenant_id, now) VALUES ($1, $2)', [tenant.id, NOW]);
});
afterAll(async () => billing?.stop());

const offers = () => billing.test.as(servicePrincipal(tenant.id, 'offers'));
const offerId = () => ulidToUuid(newUlid());
const eur = (amount: number) => ({ amount, currencyCode: 'EUR' });

async function made(path: string, body: object) {
  const answer = await tenant.call('POST', path, body);
  expect(answer.status).toBe(201);
  return answer.body;
}
const customer = () => made('/customers', { email: 'a@backhaus.example', companyName: 'Backhaus', countryCode: 'DE' });
async function price(amount: number, more: object = {}, product: object = {}) {
  const { id } = await made('/catalogue/products', { name: `Product ${amount}`, ...product });
  return made('/price-plans', {
    product: id,
    type: 'per_unit',
    currencyCode: 'EUR',
    price: { amount },
    billingInterval: '1M',
    ...more,
  });
}
const item = (pricePlan: { id: string }, more: Partial<OfferSaleItem> = {}): OfferSaleItem => ({
  pricePlan: pricePlan.id,
  quantity: '1',
  name: null,
  description: null,
  subscriptionItem: null,
  ...more,
});
const termsOf = (customerId: string, more: Partial<OfferTerms> = {}): OfferTerms => ({
  dealType: 'new_business',
  customerId,
  name: 'Angebot',
  subscriptionId: null,
  plan: null,
  items: [],
  startsOn: null,
  trialDays: 0,
  period: null,
  ...more,
});
const offer = (id: string, terms: OfferTerms) =>
  offers()('POST', `/internal/sales/${id}/offer`, { terms, pricePlans: terms.items.map(({ pricePlan }) => pricePlan) });
const accept = (id: string, terms: OfferTerms, activate = true) =>
  offers()('POST', `/internal/sales/${id}/acceptance`, { terms, activate, invoiceDetails: null });
const withdraw = (id: string) => offers()('POST', `/internal/sales/${id}/withdrawal`, {});
const subscription = async (id: string) => tenant.call('GET', `/subscriptions/${id}`);

/** A running subscription with three seats of 10 EUR a month, billed since 1 February. */
async function running(more: object = {}) {
  const buyer = await customer();
  const seats = await price(1000);
  const { id } = await made('/subscriptions', {
    customer: buyer.id,
    items: [{ pricePlan: seats.id, quantity: '3' }],
    billingStart: '2026-01-31T23:00:00.000Z',
    ...more,
  });
  const active = await tenant.call('PUT', `/subscriptions/${id}/activate`, { billImmediately: true });
  expect(active.status).toBe(200);
  return { buyer, seats, id: id as string, itemId: active.body.items[0].id as string };
}

describe('an offer of new business', () => {
  it('is quoted with nothing used of what is measured', async () => {
    const usageMetric = newUuid();
    const calls = {
      id: usageMetric,
      code: 'calls',
      name: 'Calls',
      status: 'active',
      eventName: 'call',
      aggregationType: 'count',
      property: null,
      unit: 'calls',
      groupBy: [],
      rounding: null,
    } satisfies UsageMetricState;
    await billing.test.giveCopy('usage_metric', tenant.id, usageMetric, calls);
    const items = [item(await price(5, { usageMetric, payInAdvance: false }))];
    const quote = await offers()('POST', '/internal/sales/offers/quotes', termsOf((await customer()).id, { items }));
    expect([quote.status, quote.body.totals?.net]).toEqual([200, eur(0)]);
  });

  it('is of a subscription that stays as it was published', async () => {
    const buyer = await customer();
    const draft = await made('/subscriptions', { customer: buyer.id, items: [{ pricePlan: (await price(1000)).id }] });
    const discount = { name: 'Half', type: 'percentage', percentage: '50', frequency: 'lifetime' };
    const [first] = (await made(`/subscriptions/${draft.id}/discounts`, discount)).items[0].appliedDiscounts;
    const group = await made('/billing-groups', { name: 'Month', type: 'end_of_month' });
    const id = offerId();
    const terms = termsOf(buyer.id, { subscriptionId: draft.id });
    expect((await offer(id, terms)).status).toBe(200);
    const { body: before } = await subscription(draft.id);
    const [path, of] = [`/subscriptions/${draft.id}`, `/subscription-items/${draft.items[0].id}`];
    for (const [method, where, body] of [
      ['PUT', path, { name: 'Other', period: { contractPeriod: '1Y', contractPeriodCount: 99 } }],
      ['PUT', `${path}/billing-group`, { billingGroup: group.id }],
      ['POST', `${path}/discounts`, discount],
      ['POST', `${of}/discounts`, discount],
      ['DELETE', `${path}/discounts/${first.id}`],
      ['DELETE', `${of}/discounts/${first.id}`],
      ['PATCH', of, { name: 'Other' }],
    ] as const) {
      const refused = await tenant.call(method, where, body);
      expect([method, where, refused.status, refused.body.reason]).toEqual([
        method,
        where,
        422,
        'invalid_status_transition',
      ]);
    }
    expect((await subscription(draft.id)).body).toEqual(before);
    await withdraw(id);
    expect((await tenant.call('PATCH', of, { name: 'Other' })).status).toBe(200);
  });

  it('has a subscription wait for it, that begins with the acceptance', async () => {
    const buyer = await customer();
    const [seats, support] = [await price(1000), await price(5000)];
    const terms = termsOf(buyer.id, { items: [item(seats, { quantity: '2' })], trialDays: 14 });
    const id = offerId();
    const offered = await offers()('POST', `/internal/sales/${id}/offer`, {
      terms,
      pricePlans: [seats.id, support.id],
    });
    expect(offered.status).toBe(200);
    expect(offered.body.quote).toMatchObject({
      totals: { net: eur(2000) },
      recurring: [{ interval: '1M', net: eur(2000) }],
    });
    expect(offered.body.prices).toMatchObject([
      { pricePlan: seats.id, name: 'Product 1000', unitPrice: { amount: 1000 }, billingInterval: '1M' },
      { pricePlan: support.id, name: 'Product 5000', unitPrice: { amount: 5000 }, billingInterval: '1M' },
    ]);
    const waiting = (await subscription(offered.body.subscriptionId)).body;
    expect(waiting).toMatchObject({ status: 'offer', name: 'Angebot', items: [{ quantity: '2', status: 'pending' }] });
    expect(await billing.noticeTypes(waiting.id)).toEqual(['subscription.created', 'subscription.offer.created']);
    // Nobody changes what is offered: not the subscription, not the prices, those of options neither.
    const change = await tenant.call('PATCH', `/subscription-items/${waiting.items[0].id}`, { quantity: '9' });
    expect([change.status, change.body.reason]).toEqual([422, 'invalid_status_transition']);
    for (const plan of [seats, support]) {
      const dearer = {
        product: plan.product.id,
        type: 'per_unit',
        currencyCode: 'EUR',
        price: { amount: 1 },
        billingInterval: '1M',
      };
      expect((await tenant.call('PUT', `/price-plans/${plan.id}`, dearer)).body.reason).toBe('price_plan_in_use');
      expect((await tenant.call('PUT', `/price-plans/${plan.id}/archive`)).status).toBe(200);
    }
    const chosen = { ...terms, items: [item(seats, { quantity: '5' }), item(support, { name: 'Rundum' })] };
    const quote = await offers()('POST', '/internal/sales/offers/quotes', chosen);
    expect(quote.body.totals.net).toEqual(eur(10_000));
    const answers = await Promise.all(Array.from({ length: 8 }, () => accept(id, chosen)));
    expect(answers.map(({ status, body }) => [status, body.subscriptionId])).toEqual(
      answers.map(() => [200, waiting.id]),
    );
    expect((await subscription(waiting.id)).body).toMatchObject({
      status: 'active',
      items: [{ quantity: '5' }, { quantity: '1', name: 'Rundum' }],
    });
    const types = await billing.noticeTypes(waiting.id);
    expect(types.filter((type) => type === 'subscription.activated')).toHaveLength(1);
    expect(await billing.test.peek('SELECT 1 FROM offered_price WHERE offer_id = $1', [id])).toEqual([]);
    const late = await offer(id, terms);
    expect([late.status, late.body.reason]).toEqual([422, 'invalid_status_transition']);
  });

  it('published again with other items changes what waits, and vanishes when it is withdrawn', async () => {
    const buyer = await customer();
    const [seats, support] = [await price(1000), await price(5000)];
    const id = offerId();
    const first = (await offer(id, termsOf(buyer.id, { items: [item(seats)] }))).body;
    const terms = termsOf(buyer.id, { items: [item(support, { quantity: '3' })], startsOn: '2026-04-01' });
    const second = (await offer(id, terms)).body;
    expect(second.subscriptionId).toBe(first.subscriptionId);
    expect((await subscription(first.subscriptionId)).body.items).toMatchObject([{ quantity: '3' }]);
    for (const _ of [1, 2]) expect((await withdraw(id)).status).toBe(204);
    expect((await subscription(first.subscriptionId)).status).toBe(404);
    expect((await tenant.call('DELETE', `/price-plans/${seats.id}`)).status).toBe(204);
  });

  it('that names a draft has it wait, and gives it back', async () => {
    const buyer = await customer();
    const seats = await price(1000);
    const draft = await made('/subscriptions', { customer: buyer.id, items: [{ pricePlan: seats.id }] });
    const terms = termsOf(buyer.id, { subscriptionId: draft.id });
    const id = offerId();
    for (const _ of [1, 2]) expect((await offer(id, terms)).body.subscriptionId).toBe(draft.id);
    expect((await subscription(draft.id)).body.status).toBe('offer');
    expect((await withdraw(id)).status).toBe(204);
    expect((await subscription(draft.id)).body.status).toBe('draft');
    expect((await offer(id, terms)).status).toBe(200);
    expect((await accept(id, terms, false)).status).toBe(200);
    expect((await subscription(draft.id)).body.status).toBe('draft');
  });

  it('sells a plan from a later day on, for a term', async () => {
    const buyer = await customer();
    const [base, seats] = [await price(9900), await price(1000)];
    const plan = await made('/plans', {
      code: `team-${newUuid()}`,
      name: 'Team',
      status: 'active',
      items: [{ pricePlan: base.id }],
    });
    const terms = termsOf(buyer.id, {
      plan: plan.id,
      items: [item(seats)],
      startsOn: '2026-05-01',
      period: { contractPeriodCount: 1, contractPeriod: '1Y', cancellationPeriod: '3M' },
    });
    const id = offerId();
    const offered = (await offer(id, terms)).body;
    expect(offered.quote).toMatchObject({ totals: { net: eur(10_900) }, billingDate: '2026-04-30T22:00:00.000Z' });
    expect((await accept(id, terms)).status).toBe(200);
    expect((await subscription(offered.subscriptionId)).body).toMatchObject({
      status: 'active',
      plan: { id: plan.id },
      contractDetails: { contractEnd: '2027-04-30T22:00:00.000Z' },
      items: [{ type: 'plan' }, { type: 'addon' }],
    });
  });
});

describe('an offer about a subscription that runs', () => {
  it('expands it from today on, and bills the rest of the period once', async () => {
    const { buyer, seats, id: subscriptionId, itemId } = await running();
    const support = await price(3100);
    const terms = termsOf(buyer.id, {
      dealType: 'expansion',
      subscriptionId,
      items: [item(seats, { quantity: '10', subscriptionItem: itemId }), item(support)],
    });
    const before = await billing.counts();
    const quote = (await offers()('POST', '/internal/sales/offers/quotes', terms)).body;
    expect(await billing.counts()).toEqual(before);
    expect(quote.recurring).toMatchObject([{ interval: '1M', net: eur(13_100) }]);
    const id = offerId();
    expect((await offer(id, terms)).body).toMatchObject({ subscriptionId: null, quote });
    const answers = await Promise.all(Array.from({ length: 6 }, () => accept(id, terms)));
    const [first] = answers;
    expect(first!.body).toMatchObject({ subscriptionId, invoiceId: expect.any(String) });
    expect(answers.map(({ status, body }) => [status, body])).toEqual(answers.map(() => [200, first!.body]));
    const after = (await subscription(subscriptionId)).body;
    expect(after.items.map((row: { quantity: string }) => row.quantity)).toEqual(['10', '1']);
  });

  it('expands it from a later day on, and bills nothing before', async () => {
    const { buyer, seats, id: subscriptionId, itemId } = await running();
    const support = await price(3100);
    const terms = termsOf(buyer.id, {
      dealType: 'expansion',
      subscriptionId,
      startsOn: '2026-04-01',
      items: [item(seats, { quantity: '10', subscriptionItem: itemId }), item(support)],
    });
    const id = offerId();
    const offered = await offer(id, terms);
    expect([offered.status, offered.body.quote?.totals?.net]).toEqual([200, eur(13_100)]);
    expect((await accept(id, terms)).body).toEqual({ customerId: buyer.id, subscriptionId, invoiceId: null });
    const { items } = (await subscription(subscriptionId)).body;
    expect(items).toMatchObject([
      { quantity: '3', pendingChange: { quantity: '10', from: '2026-03-31T22:00:00.000Z' } },
      { quantity: '1', startDate: '2026-03-31T22:00:00.000Z' },
    ]);
  });

  it('renews one that was cancelled, from the end of its term on, at another price', async () => {
    const {
      buyer,
      id: subscriptionId,
      itemId,
    } = await running({
      period: { contractPeriodCount: 3, contractPeriod: '1M' },
    });
    const cancelled = await tenant.call('PUT', `/subscriptions/${subscriptionId}/cancel`, {
      cancellationDateType: 'next_possible',
    });
    expect(cancelled.body.isCancellationPending).toBe(true);
    const cheaper = await price(800);
    const terms = termsOf(buyer.id, {
      dealType: 'renewal',
      subscriptionId,
      items: [item(cheaper, { quantity: '3', subscriptionItem: itemId })],
      period: { contractPeriodCount: 1, contractPeriod: '1Y', cancellationPeriod: null },
    });
    const id = offerId();
    const offered = await offer(id, terms);
    expect([offered.status, offered.body.quote?.recurring?.[0]?.net]).toEqual([200, eur(2400)]);
    expect(offered.body.quote.term).toEqual(terms.period);
    expect((await subscription(subscriptionId)).body.isCancellationPending).toBe(true);
    expect((await accept(id, terms)).status).toBe(200);
    expect((await subscription(subscriptionId)).body).toMatchObject({
      isCancellationPending: false,
      cancellationDate: null,
      contractDetails: { contractStart: '2026-04-30T22:00:00.000Z', contractEnd: '2027-04-30T22:00:00.000Z' },
      items: [{ quantity: '3', pendingChange: { pricePlan: cheaper.id, from: '2026-04-30T22:00:00.000Z' } }],
    });
    expect(await billing.noticeTypes(subscriptionId)).toContain('subscription.cancellation.revoked');
  });

  it.each([
    ['of another customer', {}, 'unknown_reference'],
    ['with an item of another subscription', { isOwner: true, subscriptionItem: newUuid() }, 'unknown_reference'],
  ])(
    '%s is refused, and nothing stays',
    async (_name, { isOwner, subscriptionItem }: { isOwner?: boolean; subscriptionItem?: string }, reason) => {
      const { buyer, seats, id: subscriptionId } = await running();
      const other = isOwner ? buyer : await customer();
      const before = await billing.counts();
      const terms = termsOf(other.id, {
        dealType: 'expansion',
        subscriptionId,
        items: [item(seats, { subscriptionItem: subscriptionItem ?? null })],
      });
      const answer = await offer(offerId(), terms);
      expect([answer.status, answer.body.reason]).toEqual([422, reason]);
      expect(await billing.counts()).toEqual(before);
    },
  );
});

describe('an offer that sells once', () => {
  it('makes one invoice, and nothing after it', async () => {
    const buyer = await customer();
    const setup = await price(25_000, {}, { type: 'charge' });
    const terms = termsOf(buyer.id, { dealType: 'one_off', items: [item(setup, { quantity: '2', name: 'Workshop' })] });
    const id = offerId();
    const offered = (await offer(id, terms)).body;
    expect(offered).toMatchObject({ subscriptionId: null, quote: { totals: { gross: eur(59_500) }, recurring: [] } });
    const answers = await Promise.all([1, 2, 3].map(() => accept(id, terms)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(new Set(answers.map(({ body }) => body.invoiceId)).size).toBe(1);
    expect(answers[0]!.body.invoiceId).toEqual(expect.any(String));
  });

  it('refuses what comes again', async () => {
    const [buyer, seats] = [await customer(), await price(1000)];
    const answer = await offer(offerId(), termsOf(buyer.id, { dealType: 'one_off', items: [item(seats)] }));
    expect([answer.status, answer.body.violations?.[0]?.code]).toEqual([422, 'not_one_time']);
  });
});
