import { expect } from '@jest/globals';
import { type Api, eventually, type Json } from './api.js';
import { aCustomer, priced } from './catalogue.js';
import type { Receiver } from './receiver.js';
import { signatureIsValid } from './receiver.js';
import { advance } from './system.js';

/**
 * The main job on a sandbox tenant whose clock stands before 31 January 2026: a customer, a price, a subscription, a month
 * passing, an invoice with its PDF, a payment, signed webhooks in order, the activity log.
 */
export async function walkToPaidInvoice(api: Api, receiver: Receiver): Promise<void> {
  const { secret } = await api.ok('POST', '/webhooks', { url: receiver.url, events: ['*'] });
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

  const pdf = await fetch(`${api.baseUrl}/invoices/${invoice.id}/pdf`, {
    headers: { authorization: `Bearer ${api.token}` },
  });
  expect(pdf.status).toBe(200);
  expect(
    Buffer.from(await pdf.arrayBuffer())
      .subarray(0, 5)
      .toString(),
  ).toBe('%PDF-');

  const method = await api.ok('POST', '/payment-methods', { gateway: 'bank_transfer', customerId: customer.id });
  const paid = await api.ok('POST', `/invoices/${invoice.id}/payments`, {
    paymentMethod: method.paymentMethod.id,
    description: 'Überweisung',
  });
  expect(paid).toMatchObject({ status: 'STATUS_PAID', unpaidAmount: { amount: 0 } });

  const delivered = await eventually('invoice.paid is delivered', async () =>
    receiver.deliveries.find((d) => d.type === 'invoice.paid'),
  );
  expect(signatureIsValid(delivered, secret)).toBe(true);
  expect(delivered.headers['x-webhook-event-version']).toBe('v1');
  expect(delivered.headers['x-webhook-id']).toBe(delivered.body.event.id);
  expect(delivered.body.data.invoice).toMatchObject({ id: invoice.id, status: 'STATUS_PAID' });
  const finalized = receiver.deliveries.find((d) => d.type === 'invoice.finalized');
  expect(finalized?.body.data.invoice).toMatchObject({
    id: invoice.id,
    status: 'STATUS_UNPAID',
    number: invoice.number,
  });
  expect(receiver.types().indexOf('invoice.finalized')).toBeLessThan(receiver.types().indexOf('invoice.paid'));

  const activities = await api.ok('GET', `/customers/${customer.id}/activities`);
  const types = activities.data.map((entry: Json) => entry.type);
  expect(types).toEqual(
    expect.arrayContaining([
      'customer.created',
      'subscription.created',
      'subscription.activated',
      'invoice.finalized',
      'invoice.paid',
    ]),
  );
}
