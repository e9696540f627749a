import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { AcceptSaleRequest, OfferTerms } from '@kontor/contracts';
import { newUlid, newUuid, ulidToUuid } from '@kontor/kernel';
import { servicePrincipal } from '@kontor/testing';
import { Billing, type Tenant } from './support/billing.js';

let billing: Billing;
let tenant: Tenant;
beforeAll(async () => {
  billing = await Billing.start();
  tenant = await billing.tenant();
});
afterAll(async () => billing?.stop());

const offers = () => billing.test.as(servicePrincipal(tenant.id, 'offers'));

async function draft() {
  const made = async (path: string, body: object) => {
    const answer = await tenant.call('POST', path, body);
    expect(answer.status).toBe(201);
    return answer.body;
  };
  const customer = await made('/customers', { email: 'a@backhaus.example', companyName: 'Backhaus' });
  const product = await made('/catalogue/products', { name: 'Team' });
  const price = (amount: number, billingInterval: string) =>
    made('/price-plans', {
      product: product.id,
      type: 'per_unit',
      currencyCode: 'EUR',
      price: { amount },
      billingInterval,
    });
  const [monthly, yearly] = [await price(900, '1M'), await price(12_000, '1Y')];
  const subscription = await made('/subscriptions', {
    customer: customer.id,
    items: [
      { pricePlan: monthly.id, quantity: '3' },
      { pricePlan: yearly.id, quantity: '1' },
    ],
  });
  return { customer, subscription };
}

const termsOf = (customerId: string, more: Partial<OfferTerms> = {}): OfferTerms => ({
  dealType: 'new_business',
  customerId,
  name: null,
  subscriptionId: null,
  plan: null,
  items: [],
  startsOn: null,
  trialDays: 0,
  period: null,
  ...more,
});
const accepting = (customerId: string, subscriptionId: string, more: Partial<AcceptSaleRequest> = {}) => ({
  terms: termsOf(customerId, { subscriptionId }),
  activate: true,
  invoiceDetails: null,
  ...more,
});

describe('a sale', () => {
  it('is quoted as it will be billed, and nothing of it stays', async () => {
    const { customer, subscription } = await draft();
    const before = await billing.counts();
    const terms = termsOf(customer.id, { subscriptionId: subscription.id });
    const quote = await offers()('POST', '/internal/sales/offers/quotes', terms);
    const preview = await tenant.call('POST', `/subscriptions/${subscription.id}/preview-invoice`);
    expect(quote.status).toBe(200);
    expect(quote.body).toMatchObject({
      currencyCode: 'EUR',
      totals: { net: preview.body.netAmount, tax: preview.body.taxAmount, gross: preview.body.grossAmount },
      recurring: expect.arrayContaining([
        { interval: '1M', net: { amount: 2700, currencyCode: 'EUR' }, gross: { amount: 3213, currencyCode: 'EUR' } },
        {
          interval: '1Y',
          net: { amount: 12_000, currencyCode: 'EUR' },
          gross: { amount: 14_280, currencyCode: 'EUR' },
        },
      ]),
    });
    expect(quote.body.lines).toHaveLength(2);
    expect(await billing.counts()).toEqual(before);
    expect((await tenant.call('GET', `/subscriptions/${subscription.id}`)).body.status).toBe('draft');
  });

  it('that was accepted begins its subscription once, however often it is asked', async () => {
    const { customer, subscription } = await draft();
    const id = ulidToUuid(newUlid());
    const body = accepting(customer.id, subscription.id);
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => offers()('POST', `/internal/sales/${id}/acceptance`, body)),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect((await tenant.call('GET', `/subscriptions/${subscription.id}`)).body.status).toBe('active');
    const types = await billing.noticeTypes(subscription.id);
    expect(types.filter((type) => type === 'subscription.activated')).toHaveLength(1);
  });

  it('brings the invoice details with it', async () => {
    const { customer, subscription } = await draft();
    const invoiceDetails = {
      companyName: null,
      firstName: null,
      lastName: null,
      street: 'Ring',
      houseNumber: '1',
      zip: '1010',
      city: 'Wien',
      addition: null,
      countryCode: 'AT',
      vatId: 'ATU12345675',
      poNumber: 'PO-2026-7',
      leitwegId: null,
    };
    const body = accepting(customer.id, subscription.id, { activate: false, invoiceDetails });
    const answer = await offers()('POST', `/internal/sales/${newUuid()}/acceptance`, body);
    expect(answer.status).toBe(200);
    const changed = (await tenant.call('GET', `/customers/${customer.id}`)).body;
    expect(changed).toMatchObject({ vatId: 'ATU12345675', vatIdStatus: 'valid' });
    expect(changed.addresses).toMatchObject([
      { companyName: 'Backhaus', city: 'Wien', countryCode: 'AT', default: true },
    ]);
    const { status, poNumber } = (await tenant.call('GET', `/subscriptions/${subscription.id}`)).body;
    expect([status, poNumber]).toEqual(['draft', 'PO-2026-7']);
  });

  it('once, of charges, has the order number of its buyer on the invoice', async () => {
    const { customer } = await draft();
    const product = await tenant.call('POST', '/catalogue/products', { name: 'Workshop', type: 'charge' });
    const price = await tenant.call('POST', '/price-plans', {
      product: product.body.id,
      type: 'flat_fee',
      currencyCode: 'EUR',
      price: { amount: 120_000 },
      billingInterval: '1M',
    });
    expect([product.status, price.status]).toEqual([201, 201]);
    const item = { pricePlan: price.body.id as string, quantity: '1', name: null, description: null };
    const address = { street: 'Ring', houseNumber: '1', zip: '1010', city: 'Wien', addition: null, countryCode: 'AT' };
    const nobody = { companyName: null, firstName: null, lastName: null, vatId: null };
    const sold = await offers()('POST', `/internal/sales/${newUuid()}/acceptance`, {
      terms: termsOf(customer.id, { dealType: 'one_off', items: [{ ...item, subscriptionItem: null }] }),
      activate: true,
      invoiceDetails: { ...nobody, ...address, poNumber: 'PO-2026-8', leitwegId: '04011000-1234512345-06' },
    });
    expect(sold.status).toBe(200);
    const { body: settings } = await tenant.call('GET', `/customers/${customer.id}/settings`);
    expect(settings.leitwegId).toBe('04011000-1234512345-06');
    const charges = await billing.test.peek<{ po: string }>(
      `SELECT payload::text AS po FROM outbox WHERE topic = 'billing.charges' AND payload::text LIKE '%PO-2026-8%'`,
      [],
    );
    expect(charges).toHaveLength(1);
  });

  it('of an ended subscription is refused, and can be asked again', async () => {
    const { customer, subscription } = await draft();
    expect((await tenant.call('PUT', `/subscriptions/${subscription.id}/activate`, {})).status).toBe(200);
    expect((await tenant.call('PUT', `/subscriptions/${subscription.id}/terminate`, {})).status).toBe(200);
    const id = newUuid();
    for (const _ of [1, 2]) {
      const body = accepting(customer.id, subscription.id);
      const answer = await offers()('POST', `/internal/sales/${id}/acceptance`, body);
      expect([answer.status, answer.body.reason]).toEqual([422, 'invalid_status_transition']);
    }
    expect(await billing.test.peek('SELECT 1 FROM sale WHERE id = $1', [id])).toEqual([]);
  });

  it('is previewed with the names of all options, and nothing is held', async () => {
    const { customer } = await draft();
    const product = await tenant.call('POST', '/catalogue/products', { name: 'Support' });
    const price = await tenant.call('POST', '/price-plans', {
      product: product.body.id,
      type: 'flat_fee',
      currencyCode: 'EUR',
      price: { amount: 4900 },
      billingInterval: '1M',
    });
    expect([product.status, price.status]).toEqual([201, 201]);
    const before = await billing.counts();
    const terms = termsOf(customer.id, {
      items: [{ pricePlan: price.body.id, quantity: '1', name: null, description: null, subscriptionItem: null }],
    });
    const shown = await offers()('POST', '/internal/sales/offers/previews', { terms, pricePlans: [price.body.id] });
    expect(shown.status).toBe(200);
    expect(shown.body).toMatchObject({
      quote: { totals: { net: { amount: 4900, currencyCode: 'EUR' } } },
      prices: [{ pricePlan: price.body.id, name: 'Support', unitPrice: { amount: 4900 }, billingInterval: '1M' }],
    });
    expect(await billing.counts()).toEqual(before);
    expect(await billing.test.peek('SELECT 1 FROM offered_price WHERE price_plan_id = $1', [price.body.id])).toEqual(
      [],
    );
  });

  it('can be asked for what there is, and whether it is sold', async () => {
    const made = async (path: string, body: object) => {
      const answer = await tenant.call('POST', path, body);
      expect([path, answer.status]).toEqual([path, 201]);
      return answer.body.id as string;
    };
    const product = await made('/catalogue/products', { name: 'Team' });
    const base = { product, type: 'flat_fee', price: { amount: 900 }, billingInterval: '1M' };
    const euros = await made('/price-plans', { ...base, currencyCode: 'EUR' });
    const dollars = await made('/price-plans', { ...base, currencyCode: 'USD' });
    const plan = await made('/plans', {
      code: `team-${newUuid()}`,
      name: 'Team',
      status: 'active',
      items: [{ pricePlan: euros }],
    });
    const draft = await made('/plans', { code: `draft-${newUuid()}`, name: 'Draft', items: [{ pricePlan: dollars }] });
    const [unknown, other] = [newUuid(), await billing.tenant()];
    const ask = async (tenantId: string, more: object = {}) => {
      const body = { pricePlans: [euros, dollars, unknown], plans: [plan, draft, unknown], ...more };
      const answer = await billing.test.as(servicePrincipal(tenantId, 'offers'))(
        'POST',
        '/internal/sales/on-sale',
        body,
      );
      expect(answer.status).toBe(200);
      return answer.body.data.map((sale: { id: string; isActive: boolean; currencyCodes: string[] }) => [
        sale.id,
        sale.isActive,
        ...sale.currencyCodes,
      ]);
    };
    expect(await ask(tenant.id)).toEqual(
      expect.arrayContaining([
        [euros, true, 'EUR'],
        [dollars, true, 'USD'],
        [plan, true, 'EUR'],
        [draft, false, 'USD'],
      ]),
    );
    expect(await ask(other.id)).toEqual([]);
    const customerId = await made('/customers', { email: 'buyer@backhaus.example', companyName: 'Backhaus' });
    const ownPrice = await made('/price-plans', { ...base, currencyCode: 'EUR', customer: customerId });
    expect(await ask(tenant.id, { pricePlans: [ownPrice], plans: [] })).toEqual([]);
    expect(await ask(tenant.id, { pricePlans: [ownPrice], plans: [], customerId: newUuid() })).toEqual([]);
    expect(await ask(tenant.id, { pricePlans: [ownPrice], plans: [], customerId })).toEqual([[ownPrice, true, 'EUR']]);
    expect((await tenant.call('PUT', `/price-plans/${euros}/archive`)).status).toBe(200);
    const after = new Map((await ask(tenant.id)).map(([id, isActive]: [string, boolean]) => [id, isActive]));
    expect([after.get(euros), after.get(plan), after.get(dollars)]).toEqual([false, false, true]);
  });

  it('is for services only', async () => {
    expect((await tenant.call('POST', `/internal/sales/${newUuid()}/offer`, {})).status).toBe(403);
  });
});

describe('a cancellation that was declared on the public page', () => {
  const cancel = (email: string, contract: string, wantedOn: string | null = null) =>
    offers()('POST', '/internal/sales/cancellation-notices', { email, contract, reason: 'Zu teuer', wantedOn });

  it('ends the contract that has this number and address, never earlier than it can end', async () => {
    const { customer, subscription } = await draft();
    const email = `Jule.${subscription.number}@Backhaus.example`;
    expect((await tenant.call('PUT', `/customers/${customer.id}`, { ...customer, email })).status).toBe(200);
    expect((await tenant.call('PUT', `/subscriptions/${subscription.id}/activate`, {})).status).toBe(200);
    const read = async () => (await tenant.call('GET', `/subscriptions/${subscription.id}`)).body;
    const [possible] = (await read()).nextPossibleCancellationDate;
    expect((await cancel('wer@anders.example', subscription.number)).body).toEqual({
      customerId: null,
      subscriptionId: null,
    });
    expect((await read()).cancelledAt).toBeNull();
    const meant = { customerId: customer.id, subscriptionId: subscription.id };
    // Somebody names a day far away; who asks for an earlier one still gets it.
    expect((await cancel(email, subscription.number, '2040-01-01')).body).toEqual(meant);
    expect((await read()).cancellationDate).toBe('2040-01-01T12:00:00.000Z');
    expect((await cancel(email.toLowerCase(), `Vertrag ${subscription.number}`, '2026-01-01')).body).toEqual(meant);
    const cancelled = await read();
    expect(cancelled.cancellationDate).toBe(possible);
    expect((await cancel(email.toUpperCase(), 'mein Abo')).body).toEqual(meant);
    expect((await read()).updatedAt).toBe(cancelled.updatedAt);
  });

  it('ends none whose number is a part of the one that is named', async () => {
    const [meant, other] = [await draft(), await draft()];
    const email = `Jo.${meant.subscription.number}@Backhaus.example`;
    for (const { customer, subscription } of [meant, other]) {
      expect((await tenant.call('PUT', `/customers/${customer.id}`, { ...customer, email })).status).toBe(200);
      expect((await tenant.call('PUT', `/subscriptions/${subscription.id}/activate`, {})).status).toBe(200);
    }
    const { id, number } = meant.subscription;
    for (const longer of [`${number}0`, `A${number}`])
      expect((await cancel(email, longer)).body).toEqual({ customerId: null, subscriptionId: null });
    expect((await cancel(email, `Vertrag:${number}.`)).body).toMatchObject({ subscriptionId: id });
  });
});
