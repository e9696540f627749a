import { beforeAll, describe, expect, it } from '@jest/globals';
import { type Api, eventually, type Json } from './support/api.js';
import { aCustomer, priced } from './support/catalogue.js';
import { Receiver } from './support/receiver.js';
import { ServiceDatabase } from './support/service-database.js';
import { System } from './support/system.js';

const positions = [{ name: 'Wartung', unitPrice: { amount: 10_000, currencyCode: 'EUR' } }];
const GROSS = 11_900;
/** Where its clock stands: at 03:00 what is due is billed without being asked. */
const NOW = '2026-01-10T09:00:00.000Z';

type Order = readonly ('billing' | 'payments')[];

describe('the whole system, in one process', () => {
  let system: System;
  beforeAll(async () => void (system = await System.sharedToBeKilled()));

  it('events of two services in any order: the same in the end, everywhere', async () => {
    const held = {
      billing: await ServiceDatabase.of('billing', system),
      payments: await ServiceDatabase.of('payments', system),
    };
    const orders: Order[] = [
      ['billing', 'payments'],
      ['payments', 'billing'],
    ];
    const ends: Json[] = [];
    const lives: Life[] = [];
    for (const [late, early] of orders) {
      const life = await Life.begin((await system.sandbox({ now: NOW })).api);
      const release = await held[late!].holdEvents();
      await life.change[late!]();
      await life.change[early!]();
      // Everybody has heard of the later one before the earlier one is published.
      await life.heard[early!]();
      await release();
      await life.heard[late!]();
      ends.push(await life.end());
      lives.push(life);
    }
    await Promise.all(Object.values(held).map((database) => database.end()));
    expect(ends[0]).toEqual(ends[1]);
    const received = (): string[] => lives.map((life) => String(life.types().sort()));
    await eventually('the receivers have heard the same', async () => received()[0] === received()[1]);
    for (const { receiver } of lives) receiver.close();
    expect(ends[0]).toMatchObject({ balance: 700, invoices: [{ unpaid: 0 }, { unpaid: GROSS }] });
  });
});

/** A customer with an open invoice, whom billing and payments do something for at the same time. */
class Life {
  private constructor(
    private readonly api: Api,
    readonly receiver: Receiver,
    private readonly customer: string,
    private readonly invoice: Json,
    private readonly pricePlan: string,
  ) {}

  static async begin(api: Api): Promise<Life> {
    const receiver = await Receiver.listen();
    await api.ok('POST', '/webhooks', { url: receiver.url, events: ['*'] });
    const { id: customer } = await aCustomer(api);
    const { pricePlan } = await priced(api, { price: { amount: 10_000 } });
    const { id } = await api.ok('POST', '/invoices', { customer, positions });
    await api.ok('POST', `/invoices/${id}/finalize`, {});
    return new Life(api, receiver, customer, await api.ok('GET', `/invoices/${id}`), pricePlan.id);
  }

  readonly change = {
    billing: async (): Promise<void> => {
      await this.api.ok('PUT', `/customers/${this.customer}`, {
        email: 'buchhaltung@backhaus-elbe.example',
        companyName: 'Backhaus Elbe AG',
        street: 'Elbchaussee',
        houseNumber: '12',
        zip: '22765',
        city: 'Hamburg',
        countryCode: 'DE',
        language: 'de',
      });
      const items = [{ pricePlan: this.pricePlan }];
      await this.api.ok('POST', '/subscriptions', { customer: this.customer, items, activate: true });
      await this.api.ok('POST', '/billing-runs', {});
    },
    payments: async (): Promise<void> => {
      const { id: bankAccountId } = await this.api.ok('POST', '/bank-accounts', { iban: 'DE89370400440532013000' });
      const line = {
        reference: 'A-1',
        bookingDate: NOW.slice(0, 10),
        amount: '119.00',
        currencyCode: 'EUR',
        remittanceInformation: `Rechnung ${this.invoice.number}`,
      };
      await this.api.ok('POST', '/payment/bank-account-transactions/import', { bankAccountId, transactions: [line] });
      const credit = { customerId: this.customer, amount: 7, currencyCode: 'EUR', description: 'Kulanz' };
      await this.api.ok('POST', '/api/wallet/adjustments', credit);
    },
  };

  readonly heard = {
    billing: async (): Promise<void> =>
      void (await eventually(
        'the second invoice is unpaid',
        async () =>
          (await this.api.ok('GET', '/invoices?status=STATUS_UNPAID&limit=0')).meta.pagination.totalItems > 0 &&
          this.types().includes('subscription.created') &&
          (await this.invoices()).length === 2,
      )),
    payments: async (): Promise<void> =>
      void (await eventually(
        'the first invoice is paid',
        async () =>
          (await this.api.ok('GET', `/invoices/${this.invoice.id}`)).status === 'STATUS_PAID' &&
          this.types().includes('invoice.paid'),
      )),
  };

  /** What everybody says when all has been heard: the tenants' ids and times are their own. */
  async end(): Promise<Json> {
    const invoices = await eventually('nothing is under way', async () => {
      const found = await this.invoices();
      return found.every(({ status }) => /UNPAID|PAID/.test(status)) && found;
    });
    const balances = await this.api.ok('GET', `/api/wallet/balances?customerId=${this.customer}`);
    return {
      balance: balances.items[0].balance.amount,
      invoices: invoices.map(({ number, status, grossAmount, unpaidAmount, invoiceAddress }) => ({
        number,
        status,
        gross: grossAmount.amount,
        unpaid: unpaidAmount.amount,
        recipient: invoiceAddress?.companyName,
      })),
    };
  }

  types(): string[] {
    const byId = new Map(this.receiver.deliveries.map(({ headers, type }) => [String(headers['x-webhook-id']), type]));
    return [...byId.values()];
  }

  private async invoices(): Promise<Json[]> {
    const { data } = await this.api.ok('GET', '/invoices?limit=100');
    return data.sort((a: Json, b: Json) => String(a.number).localeCompare(String(b.number)));
  }
}
