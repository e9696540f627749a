import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { SaleRequest, UsageMetricState } from '@kontor/contracts';
import { newUuid } from '@kontor/kernel';
import { lockWaiters, servicePrincipal, whileHeld } from '@kontor/testing';
import { Billing, type Tenant } from './support/billing.js';

let billing: Billing;
let tenant: Tenant;
let pricePlan: string;
beforeAll(async () => {
  billing = await Billing.start();
  tenant = await billing.tenant();
  const product = await made('/catalogue/products', { name: 'Team' });
  const price = { type: 'flat_fee', currencyCode: 'EUR', price: { amount: 1900 }, billingInterval: '1M' };
  pricePlan = (await made('/price-plans', { product: product.id, ...price })).id;
  await made('/coupons', { code: 'FLASH', type: 'percentage', percentage: '10', frequency: 'once' });
  const customer = await made('/customers', { email: 'a@backhaus.example', companyName: 'Backhaus' });
  await made('/subscriptions', { customer: customer.id, items: [{ pricePlan }] });
});
afterAll(async () => billing?.stop());

const offers = () => billing.test.as(servicePrincipal(tenant.id, 'offers'));

async function made(path: string, body: object) {
  const answer = await tenant.call('POST', path, body);
  expect([path, answer.status]).toEqual([path, 201]);
  return answer.body;
}

const address = { street: 'Ring', houseNumber: '1', zip: '20095', city: 'Hamburg', addition: null, countryCode: 'DE' };
const wanted = (name: string, more: Partial<SaleRequest> = {}): SaleRequest => ({
  customerId: null,
  buyer: {
    ...address,
    companyName: name,
    firstName: null,
    lastName: null,
    vatId: null,
    email: 'kaffee@x.example',
    phone: null,
    language: 'de',
  },
  plan: null,
  items: [{ pricePlan, quantity: '1' }],
  coupon: null,
  trialDays: 0,
  paymentMethodId: null,
  invoiceAddressId: null,
  invoiceId: null,
  invoiceDetails: null,
  expectedTotal: null,
  customFields: null,
  ...more,
});

/** While another sale of the tenant has rows and does not end. */
const whileHeldByOther = <T>(sql: string, work: () => Promise<T>): Promise<T> =>
  whileHeld(billing.test.db, { sql, params: [tenant.id] }, work);
const SERIES = 'SELECT 1 FROM number_series WHERE tenant_id = $1 FOR UPDATE';
const COUPON = "SELECT 1 FROM coupon WHERE tenant_id = $1 AND code = 'FLASH' FOR UPDATE";

describe('what is sold at the same time', () => {
  it('is quoted without taking a number, and without waiting for who takes one', async () => {
    const items = [{ pricePlan, quantity: '1', name: null, description: null, subscriptionItem: null }];
    const { id: customerId } = await made('/customers', { email: 'b@backhaus.example', companyName: 'Backhaus' });
    const terms = { dealType: 'new_business', customerId, name: null, subscriptionId: null, plan: null, items };
    await whileHeldByOther(SERIES, async () => {
      const cart = await offers()('POST', '/internal/sales/quotes', wanted('Kaffee GmbH'));
      const offer = await offers()('POST', '/internal/sales/offers/previews', {
        terms: { ...terms, startsOn: null, trialDays: 0, period: null },
        pricePlans: [pricePlan],
      });
      expect([cart.status, offer.status]).toEqual([200, 200]);
      expect(offer.body.quote.totals).toEqual(cart.body.totals);
    });
  });

  it('is quoted with a coupon while somebody redeems it, and redeems nothing', async () => {
    const redeemed = () => billing.test.peek(`SELECT redemptions, version FROM coupon WHERE code = 'FLASH'`);
    const before = await redeemed();
    await whileHeldByOther(COUPON, async () => {
      const { status, body } = await offers()(
        'POST',
        '/internal/sales/quotes',
        wanted('Kaffee GmbH', { coupon: 'FLASH' }),
      );
      expect([status, body.totals?.net, body.totals?.discount]).toEqual([
        200,
        { amount: 1710, currencyCode: 'EUR' },
        { amount: 190, currencyCode: 'EUR' },
      ]);
    });
    expect(await redeemed()).toEqual(before);
    expect(await billing.test.peek('SELECT 1 FROM coupon_redemption')).toEqual([]);
  });

  it('does not wait for another sale that takes long', async () => {
    const [slow, quick] = [newUuid(), newUuid()];
    let waiting: ReturnType<ReturnType<typeof offers>> | undefined;
    await whileHeldByOther(COUPON, async () => {
      waiting = offers()('POST', `/internal/sales/${slow}`, wanted('Langsam GmbH', { coupon: 'FLASH' }));
      await lockWaiters(billing.test.db, 1);
      const sold = await offers()('POST', `/internal/sales/${quick}`, wanted('Schnell GmbH'));
      expect(sold.status).toBe(200);
      expect(await sales(slow)).toEqual([]);
    });
    expect((await waiting!).status).toBe(200);
    const rows = [...(await sales(slow)), ...(await sales(quick))];
    expect(new Set(rows.map(({ number }) => number)).size).toBe(2);
  });
});

const sales = (id: string) =>
  billing.test.peek<{ number: string }>(
    'SELECT s.number FROM sale x JOIN subscription s ON s.id = x.subscription_id WHERE x.id = $1',
    [id],
  );

/** As it was shown, and not as something else. */
async function isSoldWith(order: Partial<SaleRequest>, { shown, other }: { shown: string[]; other: string[] }) {
  const sell = (expectedTerms: string[]) =>
    offers()('POST', `/internal/sales/${newUuid()}`, wanted('A GmbH', { ...order, expectedTerms }));
  const refused = await sell(other);
  expect([refused.status, refused.body.reason]).toEqual([422, 'total_changed']);
  expect((await sell(shown)).status).toBe(200);
}

it('a contract is quoted with how long it binds', async () => {
  const period = { contractPeriodCount: 2, contractPeriod: '12M', cancellationPeriod: '3M' };
  const status = { status: 'active', allowCheckout: true };
  const plan = await made('/plans', { code: 'long', name: 'Long', ...status, items: [{ pricePlan }], period });
  const long = await offers()('POST', '/internal/sales/quotes', wanted('Kaffee GmbH', { plan: plan.id, items: [] }));
  expect(long.body.term).toEqual(period);
  const order = { plan: plan.id, items: [], expectedTotal: long.body.totals.gross };
  expect(long.body.terms).toEqual(['1 x Team', 'binds: 2 x 12M, 3M', 'due now', 'each 1M: 1900 EUR']);
  await isSoldWith(order, { shown: long.body.terms, other: ['1 x Team', 'due now', 'each 1M: 1900 EUR'] });
  const short = await offers()('POST', '/internal/sales/quotes', wanted('Kaffee GmbH'));
  expect(short.body.term).toBeNull();
});

describe('a discount that ends', () => {
  const eur = (amount: number) => ({ amount, currencyCode: 'EUR' });

  it.each([
    ['once', null, 'Probe endet nach der ersten Abrechnung'],
    ['limited', 3, 'Probe endet nach 3 Abrechnungen'],
    ['lifetime', null, null],
  ])('(%s, %s) is quoted with its end, and what comes again without it', async (frequency, frequencyInterval, end) => {
    const code = `END${frequency}`;
    const terms = { type: 'percentage', percentage: '50', frequency, frequencyInterval };
    await made('/coupons', { code, name: 'Probe', ...terms });
    const { body } = await offers()('POST', '/internal/sales/quotes', wanted('Kaffee GmbH', { coupon: code }));
    expect(body.totals.net).toEqual(eur(950));
    expect(body.lines[0].description).toBe(['Rabatt Probe 50 %', ...(end ? [end] : [])].join('; '));
    expect(body.recurring).toEqual([
      { interval: '1M', net: eur(end ? 1900 : 950), gross: eur(Math.round((end ? 1900 : 950) * 1.19)) },
    ]);
  });

  it('is compared with what comes again, as it was shown', async () => {
    const shown = ['1 x Team; 3 times 50', 'due now', 'each 1M: 1900 EUR'];
    const order = { coupon: 'ENDlimited', expectedTotal: eur(1131) };
    await isSoldWith(order, { shown, other: ['1 x Team; 3 times 50', 'due now', 'each 1M: 950 EUR'] });
    await isSoldWith(order, { shown, other: ['1 x Team; 12 times 50', 'due now', 'each 1M: 1900 EUR'] });
  });
});

it('what is billed by use is quoted with its price, and sold at that alone', async () => {
  const usageMetric = newUuid();
  await billing.test.giveCopy('usage_metric', tenant.id, usageMetric, {
    id: usageMetric,
    code: 'calls',
    name: 'Anrufe',
    status: 'active',
    eventName: 'call',
    aggregationType: 'count',
    property: null,
    unit: 'Anruf',
    groupBy: [],
    rounding: null,
  } satisfies UsageMetricState);
  const product = await made('/catalogue/products', { name: 'Telefonie' });
  const terms = { product: product.id, type: 'per_unit', currencyCode: 'EUR', billingInterval: '1M' };
  const usage = await made('/price-plans', { ...terms, price: { amount: 25 }, freeUnits: 100, usageMetric });
  const items = [
    { pricePlan, quantity: '1' },
    { pricePlan: usage.id, quantity: '1' },
  ];
  const quote = await offers()('POST', '/internal/sales/quotes', wanted('Kaffee GmbH', { items }));
  expect(quote.body.measured).toMatchObject([
    { name: 'Telefonie', interval: '1M', price: '0,25 EUR je Anruf; 100 frei' },
  ]);
  const shown: string[] = quote.body.terms;
  const use = '1 x Telefonie; 1M 0.25 EUR per unit; 100 free';
  expect(shown).toContain(use);
  const order = { items, expectedTotal: quote.body.totals.gross };
  const cheaper = use.replace('0.25', '0.20');
  await isSoldWith(order, { shown, other: shown.filter((term) => term !== use) });
  await isSoldWith(order, { shown, other: shown.map((term) => (term === use ? cheaper : term)) });
});
