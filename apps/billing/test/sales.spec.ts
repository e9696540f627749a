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
      poNumber: null,
    };
    const body = accepting(customer.id, subscription.id, { activate: false, invoiceDetails });
    const answer = await offers()('POST', `/internal/sales/${newUuid()}/acceptance`, body);
    expect(answer.status).toBe(200);
    const changed = (await tenant.call('GET', `/customers/${customer.id}`)).body;
    expect(changed).toMatchObject({ vatId: 'ATU12345675', vatIdStatus: 'valid' });
    expect(changed.addresses).toMatchObject([
      { companyName: 'Backhaus', city: 'Wien', countryCode: 'AT', default: true },
    ]);
    expect((await tenant.call('GET', `/subscriptions/${subscription.id}`)).body.status).toBe('draft');
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

  it('is for services only', async () => {
    expect((await tenant.call('POST', `/internal/sales/${newUuid()}/offer`, {})).status).toBe(403);
  });
});

describe('a cancellation that was declared on the public page', () => {
  const cancel = (email: string, contract: string, wantedOn: string | null = null) =>
    offers()('POST', '/internal/sales/cancellation-notices', { email, contract, reason: 'Zu teuer', wantedOn });

  it('ends the contract that has this number and address, never earlier than it can end', async () => {
    const { customer, subscription } = await draft();
    const email = `jule.${subscription.number.toLowerCase()}@backhaus.example`;
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
    expect((await cancel(email, `Vertrag ${subscription.number}`, '2026-01-01')).body).toEqual(meant);
    const cancelled = await read();
    expect(cancelled.cancellationDate).toBe(possible);
    expect((await cancel(email.toUpperCase(), 'mein Abo')).body).toEqual(meant);
    expect((await read()).updatedAt).toBe(cancelled.updatedAt);
  });
});
