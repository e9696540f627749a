import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Api, eventually, type Json } from './support/api.js';
import { aCustomer, priced } from './support/catalogue.js';
import { Receiver, signatureIsValid } from './support/receiver.js';
import { advance, System } from './support/system.js';

describe('from a customer to a paid invoice', () => {
  let system: System;
  let api: Api;
  let receiver: Receiver;
  let secret: string;

  beforeAll(async () => {
    system = await System.embedded();
    ({ api } = await system.sandbox({ now: '2026-01-10T09:00:00.000Z' }));
    receiver = await Receiver.listen();
    const endpoint = await api.ok('POST', '/webhooks', { url: receiver.url, events: ['*'] });
    secret = endpoint.secret;
  }, 120_000);

  afterAll(async () => {
    receiver?.close();
    await system?.stop();
  });

  it('bills a month of a subscription, takes the payment and tells the receiver', async () => {
    const customer = await aCustomer(api);
    expect(customer).toMatchObject({ language: 'de', status: 'STATUS_ACTIVE' });
    const { pricePlan } = await priced(api, { price: { amount: 4900 } });
    const subscription = await api.ok('POST', '/subscriptions', {
      customer: customer.id,
      items: [{ pricePlan: pricePlan.id, quantity: '1' }],
      billingStart: '2026-01-31T11:00:00.000Z',
      activate: true,
    });
    expect(subscription.status).toBe('active');

    await advance(api, '2026-02-01T12:00:00.000Z');
    const list = await api.ok('GET', `/invoices?customer=${customer.id}`);
    expect(list.meta.pagination.totalItems).toBe(1);
    const invoice: Json = await api.ok('GET', `/invoices/${list.data[0].id}`);
    expect(invoice).toMatchObject({
      status: 'STATUS_UNPAID',
      type: 'TYPE_INVOICE',
      sourceType: 'subscription',
      netAmount: { amount: 4900, currencyCode: 'EUR' },
      taxAmount: { amount: 931, currencyCode: 'EUR' },
      grossAmount: { amount: 5831, currencyCode: 'EUR' },
      unpaidAmount: { amount: 5831, currencyCode: 'EUR' },
    });
    expect(invoice.number).toMatch(/^RE-2026-\d{5}$/);
    expect(invoice.paymentIntent).toMatchObject({ amount: { amount: 5831 }, openAmount: { amount: 5831 } });

    const pdf = await fetch(`${api.baseUrl}/invoices/${invoice.id}/pdf`, { headers: { authorization: `Bearer ${api.token}` } });
    expect(pdf.status).toBe(200);
    expect(Buffer.from(await pdf.arrayBuffer()).subarray(0, 5).toString()).toBe('%PDF-');

    const method = await api.ok('POST', '/payment-methods', { gateway: 'bank_transfer', customerId: customer.id });
    const paid = await api.ok('POST', `/invoices/${invoice.id}/payments`, { paymentMethod: method.paymentMethod.id, description: 'Überweisung' });
    expect(paid).toMatchObject({ status: 'STATUS_PAID', unpaidAmount: { amount: 0 } });

    const delivered = await eventually('invoice.paid is delivered', async () => receiver.deliveries.find((d) => d.type === 'invoice.paid'));
    expect(signatureIsValid(delivered, secret)).toBe(true);
    expect(delivered.headers['x-webhook-event-version']).toBe('v1');
    expect(delivered.headers['x-webhook-id']).toBe(delivered.body.event.id);
    expect(delivered.body.data.invoice).toMatchObject({ id: invoice.id, status: 'STATUS_PAID' });
    const finalized = receiver.deliveries.find((d) => d.type === 'invoice.finalized');
    expect(finalized?.body.data.invoice).toMatchObject({ id: invoice.id, status: 'STATUS_UNPAID', number: invoice.number });
    expect(receiver.types().indexOf('invoice.finalized')).toBeLessThan(receiver.types().indexOf('invoice.paid'));

    const activities = await api.ok('GET', `/customers/${customer.id}/activities`);
    const types = activities.data.map((entry: Json) => entry.type);
    expect(types).toEqual(expect.arrayContaining(['customer.created', 'subscription.created', 'subscription.activated', 'invoice.finalized', 'invoice.paid']));
  });

  it('a year anchored on 31 January in Berlin time gives twelve correct invoices', async () => {
    const tenant = await system.sandbox({ now: '2025-01-15T09:00:00.000Z' });
    const customer = await aCustomer(tenant.api);
    const { pricePlan } = await priced(tenant.api, { price: { amount: 10000 } });
    await tenant.api.ok('POST', '/subscriptions', {
      customer: customer.id,
      items: [{ pricePlan: pricePlan.id }],
      billingStart: '2025-01-31T09:00:00.000Z',
      activate: true,
    });
    await advance(tenant.api, '2026-01-30T22:00:00.000Z');
    const list = await tenant.api.ok('GET', `/invoices?customer=${customer.id}&limit=100&order[number]=asc`);
    expect(list.meta.pagination.totalItems).toBe(12);
    const periods = list.data.map((invoice: Json) => [invoice.serviceDateFrom, invoice.serviceDateTo].map((at) => berlinDay(at)).join(' – '));
    expect(periods).toEqual([
      '2025-01-31 – 2025-02-27', '2025-02-28 – 2025-03-30', '2025-03-31 – 2025-04-29', '2025-04-30 – 2025-05-30', '2025-05-31 – 2025-06-29',
      '2025-06-30 – 2025-07-30', '2025-07-31 – 2025-08-30', '2025-08-31 – 2025-09-29', '2025-09-30 – 2025-10-30', '2025-10-31 – 2025-11-29',
      '2025-11-30 – 2025-12-30', '2025-12-31 – 2026-01-30',
    ]); // prettier-ignore
    for (const invoice of list.data) expect(invoice).toMatchObject({ grossAmount: { amount: 11900 }, status: 'STATUS_UNPAID' });
    expect(new Set(list.data.map((invoice: Json) => invoice.number)).size).toBe(12);
  }, 240_000);
});

const berlinDay = (at: string): string => new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Berlin' }).format(new Date(at));
