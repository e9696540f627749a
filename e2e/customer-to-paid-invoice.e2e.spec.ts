import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Json } from './support/api.js';
import { aCustomer, priced } from './support/catalogue.js';
import { Receiver } from './support/receiver.js';
import { advance, System } from './support/system.js';
import { walkToPaidInvoice } from './support/walk.js';

describe('from a customer to a paid invoice', () => {
  let system: System;
  let receiver: Receiver;

  beforeAll(async () => {
    system = await System.shared();
    receiver = await Receiver.listen();
  });

  afterAll(() => receiver?.close());

  it('bills a month of a subscription, accepts the payment and notifies the receiver', async () => {
    const { api } = await system.sandbox({ now: '2026-01-10T09:00:00.000Z' });
    await walkToPaidInvoice(api, receiver);
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
    const periods = list.data.map((invoice: Json) =>
      [invoice.serviceDateFrom, invoice.serviceDateTo].map((at) => berlinDay(at)).join(' – '),
    );
    expect(periods).toEqual([
      '2025-01-31 – 2025-02-27', '2025-02-28 – 2025-03-30', '2025-03-31 – 2025-04-29', '2025-04-30 – 2025-05-30', '2025-05-31 – 2025-06-29',
      '2025-06-30 – 2025-07-30', '2025-07-31 – 2025-08-30', '2025-08-31 – 2025-09-29', '2025-09-30 – 2025-10-30', '2025-10-31 – 2025-11-29',
      '2025-11-30 – 2025-12-30', '2025-12-31 – 2026-01-30',
    ]); // prettier-ignore
    for (const invoice of list.data)
      expect(invoice).toMatchObject({ grossAmount: { amount: 11900 }, status: 'STATUS_UNPAID' });
    expect(new Set(list.data.map((invoice: Json) => invoice.number)).size).toBe(12);
  });
});

const berlinDay = (at: string): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Berlin' }).format(new Date(at));
