import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Api, eventually, type Json } from './support/api.js';
import { aCustomer, priced } from './support/catalogue.js';
import { Databases } from './support/databases.js';
import { invariants } from './support/invariants.js';
import { mailedLink } from './support/mails.js';
import { advance, type Sandbox, System } from './support/system.js';

const NOW = '2026-03-02T09:00:00.000Z';

/** Words that occur nowhere else. */
const NAME = 'Quittenbrot';
const EMAIL = 'zwetschge@quittenbrot.example';
const SECRETS = [NAME, 'zwetschge', 'Holunderweg', 'Mirabelle', '0179-5550123', 'schlehe-17'];

/** Where a name may still be read: documents as they were issued, and what was booked. */
const KEPT = [
  'kontor_invoicing.document_snapshot',
  'kontor_invoicing.invoice',
  'kontor_invoicing.invoice_position',
  'kontor_offers.offer',
  'kontor_offers.offer_audit',
  'kontor_offers.offer_recipient',
  'kontor_payments.bank_entry',
  'kontor_payments.bank_transaction',
  'kontor_payments.payment_transaction',
  'kontor_payments.sepa_order',
];

describe('a customer who asks to be forgotten', () => {
  let system: System;
  let sandbox: Sandbox;
  let customer: Json;
  let databases: Databases;

  beforeAll(async () => {
    system = await System.sharedToBeKilled();
    sandbox = await system.sandbox({ now: NOW });
    customer = await anActiveCustomer(sandbox.api);
    databases = await Databases.of(system.dataDir);
  });
  afterAll(() => databases.end());

  /** Has used everything there is: a subscription with usage, a contact, a way to pay, an offer, mails, a session. */
  async function anActiveCustomer(api: Api): Promise<Json> {
    const made = await aCustomer(api, {
      email: EMAIL,
      companyName: `${NAME} GmbH`,
      street: 'Holunderweg',
      phone: '0179-5550123',
    });
    await api.ok('POST', `/customers/${made.id}/contact-persons`, { lastName: 'Mirabelle' });
    await api.ok('POST', '/payment-methods', {
      gateway: 'sepa_debit',
      customerId: made.id,
      sepaMandate: { iban: 'DE89370400440532013000', accountHolder: NAME },
    });
    const transfer = await api.ok('POST', '/payment-methods', { gateway: 'bank_transfer', customerId: made.id });
    await api.ok('POST', `/customers/${made.id}/comment`, { comment: `Frau Mirabelle von ${NAME} rief an` });
    const metric = await api.ok('POST', '/api/usage-metrics', {
      code: 'traffic', name: 'Traffic', eventName: 'download', aggregationType: 'sum', property: 'gb',
    }); // prettier-ignore
    const { pricePlan } = await priced(api, { price: { amount: 4900 } });
    const metered = await priced(api, { type: 'per_unit', usageMetric: metric.id, price: { amount: 12 } });
    const subscription = await api.ok('POST', '/subscriptions', {
      customer: made.id,
      name: `Anschluss ${NAME}`,
      items: [{ pricePlan: pricePlan.id }, { pricePlan: metered.pricePlan.id }],
      paymentMethod: transfer.paymentMethod.id,
      activate: true,
    });
    const special = await priced(api, {
      price: { amount: 700 },
      customer: made.id,
      internalName: `Sonderpreis ${NAME}`,
    });
    const agreed = await api.ok('POST', '/subscriptions', {
      customer: made.id,
      items: [{ pricePlan: special.pricePlan.id }],
      billingGroup: (
        await api.ok('POST', '/billing-groups', {
          name: `Monatlich ${NAME}`,
          type: 'start_of_month',
          customer: made.id,
        })
      ).id,
    });
    await api.ok('POST', `/subscription-items/${agreed.items[0].id}/discounts`, {
      name: `Rabatt ${NAME}`,
      type: 'percentage',
      percentage: '5',
      frequency: 'lifetime',
    });
    await api.ok('POST', '/api/usage-events', {
      events: [
        {
          transactionId: 'd-1',
          eventName: 'download',
          timestamp: NOW,
          customerId: made.id,
          properties: { gb: 7, host: 'schlehe-17' },
        },
      ],
    });
    await api.ok('POST', '/offers', { customer: made.id, name: `Angebot für ${NAME}`, subscription: subscription.id });
    const offered = await priced(api, { price: { amount: 9900 } });
    const { id: offer } = await api.ok('POST', '/offers', {
      customer: made.id,
      sections: [{ type: 'items', items: [{ pricePlan: offered.pricePlan.id }] }],
    });
    await api.ok('POST', `/offers/${offer}/publish`);
    await new Api(system.connection.baseUrl, undefined).ok('POST', '/public/customer/request-login-link', {
      email: EMAIL,
    });
    await mailedLink(system.dataDir, EMAIL);
    return { ...made, subscription, offeredPrice: offered.pricePlan.id };
  }

  /** Its invoice, about which there is a note, is paid with words of its own. */
  async function isPaidByBank(api: Api, { id, number, unpaidAmount }: Json): Promise<void> {
    await api.ok('PUT', `/invoices/${id}/note`, { note: `Frau Mirabelle zahlt heute` });
    const account = await api.ok('POST', '/bank-accounts', {
      name: 'Giro',
      iban: 'DE89370400440532013000',
      currencyCode: 'EUR',
    });
    const line = {
      reference: '1',
      bookingDate: '2026-04-05',
      amount: (unpaidAmount.amount / 100).toFixed(2),
      currencyCode: 'EUR',
      counterpartyName: NAME,
      remittanceInformation: `${number} ${NAME}`,
    };
    await api.ok('POST', '/payment/bank-account-transactions/import', {
      bankAccountId: account.id,
      transactions: [line],
    });
    await eventually('its payment', async () => (await api.ok('GET', `/invoices/${id}`)).status === 'STATUS_PAID');
  }

  it('is refused while anything is open, with every reason at once', async () => {
    const { api } = sandbox;
    const { status, body } = await api.post(`/customers/${customer.id}/anonymize`);
    expect([status, body.reason]).toEqual([422, 'customer_in_use']);
    expect(body.violations.map(({ code }: Json) => code)).toContain('running_subscriptions');
    expect((await api.get(`/customers/${customer.id}/anonymization`)).status).toBe(404);
    expect(await api.ok('GET', `/customers/${customer.id}`)).toMatchObject({ companyName: `${NAME} GmbH` });
  });

  it('is gone everywhere, also when the system is killed on the way; documents stay', async () => {
    const { api } = sandbox;
    await advance(api, '2026-03-20T00:00:00.000Z');
    await api.ok('PUT', `/subscriptions/${customer.subscription.id}/cancel`, { cancellationDateType: 'immediate' });
    await advance(api, '2026-04-05T00:00:00.000Z');
    const { data: invoices } = await api.ok('GET', `/invoices?customer=${customer.id}`);
    expect(invoices.length).toBeGreaterThan(0);
    await isPaidByBank(
      api,
      invoices.find(({ status }: Json) => status === 'STATUS_UNPAID'),
    );
    for (const { id, status } of (await api.ok('GET', `/invoices?customer=${customer.id}`)).data)
      if (status === 'STATUS_UNPAID') await api.ok('PUT', `/invoices/${id}/close`, {});
    const begun = await api.post(`/customers/${customer.id}/anonymize`);
    expect([begun.status, begun.body.violations]).toEqual([202, undefined]);
    system.kill();
    await system.start();
    await databases.end();
    databases = await Databases.of(system.dataDir);

    const report = await eventually<Json>('the anonymization is complete', async () => {
      const now = await api.ok('GET', `/customers/${customer.id}/anonymization`);
      return now.status === 'completed' ? now : undefined;
    });
    expect(await api.ok('POST', `/customers/${customer.id}/anonymize`)).toEqual(report);

    const places = await databases.mentioning(SECRETS);
    const notes = 'SELECT id FROM invoice WHERE internal_note IS NOT NULL';
    expect(await databases.query('kontor_invoicing', notes)).toEqual([]);
    expect(places.filter((place) => !KEPT.includes(place))).toEqual([]);
    expect(places).toContain('kontor_invoicing.document_snapshot');
    const mails = readdirSync(join(system.dataDir, 'mails')).map((file) =>
      readFileSync(join(system.dataDir, 'mails', file), 'utf8'),
    );
    expect(mails.filter((mail) => SECRETS.some((word) => mail.includes(word)))).toEqual([]);
  });

  it('what an offer that nobody accepted had promised is free again', async () => {
    const { api } = sandbox;
    const path = `/price-plans/${customer.offeredPrice}`;
    await eventually('the price', async () => (await api.delete(path)).status === 204);
    const { data } = await api.ok('GET', `/subscriptions?customer=${customer.id}`);
    expect(data.map(({ status }: Json) => status)).not.toContain('offer');
  });

  it('the report says what is gone and what stays until when', async () => {
    const { services } = await sandbox.api.ok('GET', `/customers/${customer.id}/anonymization`);
    const of = (name: string): Json => services.find(({ service }: Json) => service === name);
    expect(services).toHaveLength(8);
    expect(of('usage').removed).toContainEqual({ what: 'usage_event', count: 1 });
    expect(of('notifications').removed).toContainEqual({ what: 'mail', count: expect.any(Number) });
    expect(of('billing').removed).toEqual(
      expect.arrayContaining([
        { what: 'contact_person', count: 1 },
        { what: 'events', count: expect.any(Number) },
      ]),
    );
    expect(of('invoicing').kept).toContainEqual({
      what: 'invoice',
      count: expect.any(Number),
      until: '2034-12-31',
      reason: expect.stringContaining('AO'),
    });
    expect(services.flatMap(({ waiting }: Json) => waiting)).toEqual([]);
  });

  it('nothing of it can be changed, and it can do nothing, but its documents can be read', async () => {
    const { api } = sandbox;
    const path = `/customers/${customer.id}`;
    const shown = await api.ok('GET', path);
    expect(shown).toMatchObject({ status: 'STATUS_ARCHIVED', companyName: 'Anonymisiert', phone: null, addresses: [] });
    for (const [method, target, body] of [
      ['PUT', path, { email: EMAIL, companyName: NAME, language: 'de' }],
      ['PUT', `${path}/unarchive`, {}],
      ['POST', `${path}/addresses`, { street: 'Holunderweg', zip: '1', city: 'Hamburg', type: 'TYPE_DEFAULT' }],
      ['POST', `${path}/contact-persons`, { lastName: 'Mirabelle' }],
    ] as const) {
      const { status, body: answer } = await api.send(method, target, body);
      expect([target, status, answer.reason, answer.violations]).toEqual([
        target,
        422,
        'customer_anonymized',
        undefined,
      ]);
    }
    const [invoice] = (await api.ok('GET', `/invoices?customer=${customer.id}`)).data;
    expect((await api.get(`/invoices/${invoice.id}/pdf`)).status).toBe(200);
    expect((await invariants(system.dataDir)).output).not.toContain(sandbox.tenantId);
  });

  it('what was kept goes when its term is over, and the numbers of its documents stay accounted for', async () => {
    const { api } = sandbox;
    await advance(api, '2034-12-31T12:00:00.000Z');
    expect(await databases.mentioning(SECRETS)).toContain('kontor_invoicing.invoice');
    await advance(api, '2035-01-02T00:00:00.000Z');
    const report = await api.ok('GET', `/customers/${customer.id}/anonymization`);
    const invoicing = report.services.find(({ service }: Json) => service === 'invoicing');
    expect(invoicing.kept.filter(({ what }: Json) => what !== 'idempotency')).toEqual([]);
    expect(invoicing.removed).toContainEqual({ what: 'document_snapshot', count: expect.any(Number) });
    expect(await databases.mentioning(SECRETS)).toEqual([]);
    expect((await api.ok('GET', `/invoices?customer=${customer.id}`)).data).toEqual([]);
    expect((await invariants(system.dataDir)).output).not.toContain(sandbox.tenantId);
  });

  it('another tenant and a made-up customer are not found alike', async () => {
    const other = await system.sandbox();
    for (const id of [customer.id, '0199f000-0000-7000-8000-0000000000aa']) {
      expect((await other.api.post(`/customers/${id}/anonymize`)).status).toBe(404);
      expect((await other.api.get(`/customers/${id}/anonymization`)).status).toBe(404);
    }
  });
});
