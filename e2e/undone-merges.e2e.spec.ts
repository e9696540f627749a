import { beforeAll, describe, expect, it } from '@jest/globals';
import { type Api, eventually, type Json } from './support/api.js';
import { aCustomer, priced } from './support/catalogue.js';
import { invariants } from './support/invariants.js';
import { unpaidInvoice } from './support/invoices.js';
import { System } from './support/system.js';

const NOW = '2026-03-01T09:00:00.000Z';

const adjust = (api: Api, customerId: string, amount: number): Promise<Json> =>
  api.ok('POST', '/api/wallet/adjustments', { customerId, amount, currencyCode: 'EUR', description: 'Kulanz' });
const balances = async (api: Api, customerId: string): Promise<number[]> =>
  (await api.ok('GET', `/api/wallet/balances?customerId=${customerId}`)).items.map((item: Json) => item.balance.amount);
const undo = (api: Api, id: string) => api.post(`/customer-merges/${id}/undo`);
const codes = ({ body }: { body: Json }): string[] => body.violations.map(({ code }: Json) => code);
const idsOf = async (api: Api, path: string): Promise<string[]> =>
  (await api.ok('GET', path)).data.map(({ id }: Json) => id).sort();
const settledAs = (api: Api, id: string, status: string): Promise<Json> =>
  eventually(`the merge is ${status}`, async () => {
    const merge = await api.ok('GET', `/customer-merges/${id}`);
    return merge.status === status && merge;
  });

async function merged(api: Api, targetCustomerId: string, sourceCustomerId: string): Promise<string> {
  await api.ok('POST', '/customers/merge', { targetCustomerId, sourceCustomerIds: [sourceCustomerId] });
  const { data } = await api.ok('GET', `/customers/${sourceCustomerId}/merges`);
  await settledAs(api, data[0].id, 'completed');
  return data[0].id;
}

describe('a merge of two customers is undone', () => {
  let system: System;
  let api: Api;
  beforeAll(async () => {
    system = await System.shared();
    ({ api } = await system.sandbox({ now: NOW, features: ['WalletTopUp', 'customer.hierarchy'] }));
  });

  it('and each has again what was its own: what came since stays where it is', async () => {
    const kept = await aCustomer(api, { companyName: 'Bleibt GmbH', email: 'bleibt@example.com' });
    const gone = await aCustomer(api, { companyName: 'Kommt Wieder GmbH', email: 'wieder@example.com' });
    const parent = await aCustomer(api);
    const child = await aCustomer(api);
    await api.ok('PUT', `/customers/${gone.id}/set-parent`, { parentCustomerId: parent.id });
    await api.ok('PUT', `/customers/${child.id}/set-parent`, { parentCustomerId: gone.id });
    await api.ok('POST', `/customers/${gone.id}/emails`, { email: 'zweite@example.com' });
    await api.ok('POST', `/customers/${gone.id}/contact-persons`, { lastName: 'Ansprechpartner' });
    const { pricePlan } = await priced(api, { price: { amount: 3000 } });
    const subscribe = (customer: string): Promise<Json> =>
      api.ok('POST', '/subscriptions', { customer, items: [{ pricePlan: pricePlan.id }], activate: true });
    const theirs = await subscribe(gone.id);
    const methods: Json[] = [];
    for (const { id } of [kept, gone]) {
      await api.ok('POST', '/payment-methods', { gateway: 'bank_transfer', customerId: id });
      methods.push((await api.ok('GET', `/payment-methods?customer=${id}`)).data[0]);
    }
    const [open, paid] = [await unpaidInvoice(api, gone.id), await unpaidInvoice(api, gone.id)];
    await adjust(api, kept.id, 10);
    await adjust(api, gone.id, 25);
    await adjust(api, gone.id, -5);
    const before = await api.ok('GET', `/customers/${gone.id}`);

    const id = await merged(api, kept.id, gone.id);
    expect(await balances(api, kept.id)).toEqual([3000]);
    // What comes later: credit and an agreement of the target, a payment for a document of the source.
    await adjust(api, kept.id, 3);
    const later = await subscribe(kept.id);
    await api.ok('POST', `/invoices/${paid.id}/payments`, {
      paymentMethod: methods[1].id,
      description: 'Überweisung',
      amount: 119,
    });

    expect(await undo(api, id)).toMatchObject({ status: 201, body: { id, sourceCustomerId: gone.id } });
    expect(await settledAs(api, id, 'undone')).toMatchObject({ waitingFor: [], undoneAt: NOW });

    const { updatedAt: _, ...former } = before;
    expect(await api.ok('GET', `/customers/${gone.id}`)).toMatchObject(former);
    expect((await api.ok('GET', `/customers/${child.id}`)).parentCustomerId).toBe(gone.id);
    const emails = async (customer: string): Promise<string[]> =>
      (await api.ok('GET', `/customers/${customer}/emails`)).data.map(({ email }: Json) => email);
    expect(await emails(kept.id)).toEqual(['bleibt@example.com']);
    expect(await emails(gone.id)).toEqual(['wieder@example.com', 'zweite@example.com']);
    expect(await idsOf(api, `/customers/${kept.id}/contact-persons`)).toEqual([]);
    expect(await idsOf(api, `/customers/${gone.id}/contact-persons`)).toHaveLength(1);
    expect(await idsOf(api, `/subscriptions?customer=${gone.id}`)).toEqual([theirs.id]);
    expect(await idsOf(api, `/subscriptions?customer=${kept.id}`)).toEqual([later.id]);
    expect(await idsOf(api, `/invoices?customer=${gone.id}&sourceType=manual`)).toEqual([open.id, paid.id].sort());
    expect(await idsOf(api, `/invoices?customer=${kept.id}&sourceType=manual`)).toEqual([]);
    expect(await balances(api, gone.id)).toEqual([2000]);
    expect(await balances(api, kept.id)).toEqual([1300]);
    for (const [index, customer] of [kept, gone].entries())
      expect((await api.ok('GET', `/payment-methods?customer=${customer.id}`)).data).toMatchObject([
        { id: methods[index].id, default: true },
      ]);

    // Both live on: the one is billed for its own, pays its own, spends its own credit.
    await api.ok('POST', `/invoices/${open.id}/payments`, {
      paymentMethod: methods[1].id,
      description: 'Überweisung',
      amount: 119,
    });
    await adjust(api, gone.id, -20);
    await adjust(api, kept.id, -13);
    await api.ok('POST', '/sandbox/clock/advance', { to: '2026-04-02T09:00:00.000Z' });
    await eventually('the clock is there', async () => (await api.ok('GET', '/sandbox/clock')).status === 'ready');
    const payers = async (subscription: string): Promise<string[]> =>
      (await api.ok('GET', `/invoices?subscription=${subscription}`)).data.map((row: Json) => row.customer.id);
    expect(await payers(theirs.id)).toEqual([gone.id, gone.id]);
    expect(await payers(later.id)).toEqual([kept.id, kept.id]);

    expect(await undo(api, id)).toMatchObject({ status: 409, body: { reason: 'merge_undone' } });
    const types = (await api.ok('GET', `/customers/${kept.id}/activities?limit=100`)).data.map(
      ({ type }: Json) => type,
    );
    expect(types).toEqual(expect.arrayContaining(['customer.merged', 'customer.unmerged']));

    // They may be one again.
    const again = await merged(api, kept.id, gone.id);
    expect(again).not.toBe(id);
    expect(await idsOf(api, `/subscriptions?customer=${kept.id}`)).toEqual([theirs.id, later.id].sort());
    expect(await invariants(system.dataDir)).toEqual({ code: 0, output: expect.stringContaining(' 0 violations') });
  });

  it('but for a draft that was issued to the other one meanwhile, with what is owed for it', async () => {
    const kept = await aCustomer(api);
    const gone = await aCustomer(api);
    const positions = [{ name: 'Wartung', unitPrice: { amount: 10_000, currencyCode: 'EUR' } }];
    const draft = (): Promise<Json> => api.ok('POST', '/invoices', { customer: gone.id, positions });
    const [issued, waiting] = [await draft(), await draft()];
    const id = await merged(api, kept.id, gone.id);
    await api.ok('POST', `/invoices/${issued.id}/finalize`, {});
    const owed = await eventually<Json>('it is owed', async () => {
      const { data } = await api.ok('GET', `/payment/intents?invoice=${issued.id}`);
      return data[0];
    });
    expect(await undo(api, id)).toMatchObject({ status: 201 });
    await settledAs(api, id, 'undone');
    expect(await idsOf(api, `/invoices?customer=${gone.id}`)).toEqual([waiting.id]);
    expect(await idsOf(api, `/invoices?customer=${kept.id}`)).toEqual([issued.id]);
    expect(await idsOf(api, `/payment/intents?customer=${kept.id}`)).toEqual([owed.id]);
    expect(await idsOf(api, `/payment/intents?customer=${gone.id}`)).toEqual([]);
  });

  it('and money that the one paid for documents of the other goes back to where those are', async () => {
    const [kept, gone] = [await aCustomer(api), await aCustomer(api)];
    const methods: Json[] = [];
    for (const { id } of [kept, gone])
      methods.push(
        (await api.ok('POST', '/payment-methods', { gateway: 'bank_transfer', customerId: id })).paymentMethod,
      );
    const theirs = [await unpaidInvoice(api, gone.id)];
    const [returned, cancelled] = [await unpaidInvoice(api, gone.id), await unpaidInvoice(api, gone.id)];
    const ownInvoice = await unpaidInvoice(api, kept.id);
    const bank = await api.ok('POST', '/bank-accounts', {
      name: 'Giro', iban: 'DE89370400440532013000', currencyCode: 'EUR',
    }); // prettier-ignore
    const pay = (id: string): Promise<Json> =>
      api.ok('POST', `/invoices/${id}/payments`, { paymentMethod: methods[0].id, description: 'Überweisung' });
    const payments = async (): Promise<Json[]> =>
      (await api.ok('GET', '/payment/transactions?limit=100')).data.filter(
        ({ type, customerId }: Json) => type === 'payment' && customerId === kept.id,
      );
    const id = await merged(api, kept.id, gone.id);

    // Since then: a line of the bank for invoices of both, two payments, a credit of one of them.
    await api.ok('POST', '/payment/bank-account-transactions/import', {
      bankAccountId: bank.id,
      transactions: [{ reference: 'both', bookingDate: '2026-03-01', amount: '200.00', currencyCode: 'EUR' }],
    });
    const [line] = (await api.ok('GET', '/payment/bank-account-transactions')).data;
    const bankPath = `/payment/bank-account-transactions/${line.id}`;
    await api.ok('PUT', `${bankPath}/assign`, { invoiceIds: [theirs[0]!.id, ownInvoice.id] });
    const ofLine = (await payments()).map((payment) => payment.id);
    await pay(returned.id);
    const [payment] = (await payments()).filter((row) => !ofLine.includes(row.id));
    await api.ok('POST', `/invoices/${cancelled.id}/credit`, {
      reason: 'other',
      positions: [{ id: cancelled.positions[0].id, amount: { amount: 3000, currencyCode: 'EUR' } }],
    });
    await eventually('it is credited', async () => {
      const { unpaidAmount } = await api.ok('GET', `/invoices/${cancelled.id}`);
      return unpaidAmount.amount === 11_900 - 3570;
    });
    expect(await undo(api, id)).toMatchObject({ status: 201 });
    await settledAs(api, id, 'undone');

    for (const { id: assignment } of (await api.ok('GET', bankPath)).assignments)
      await api.ok('DELETE', `${bankPath}/assignments/${assignment}`);
    await api.ok('POST', `/payment/transactions/${payment!.id}/return`, { reason: 'Zurückgegeben' });
    await api.ok('POST', `/invoices/${cancelled.id}/cancel`, {});
    const owes = async (customer: string): Promise<number> => {
      const { data } = await api.ok('GET', '/ledger/accounts?limit=100');
      const receivable = data.find(({ code, customerId }: Json) => code === 'receivable' && customerId === customer);
      return receivable.balance.amount;
    };
    await eventually('each owes what its documents say', async () => {
      const owed = [await owes(kept.id), await owes(gone.id)];
      return owed[0] === 11_900 && owed[1] === 2 * 11_900;
    });
    expect(await invariants(system.dataDir)).toEqual({ code: 0, output: expect.stringContaining(' 0 violations') });
  });

  it('the last one first, and who had been merged before stays with the one that is undone', async () => {
    const [a, b, c] = [await aCustomer(api), await aCustomer(api), await aCustomer(api)];
    await adjust(api, a.id, 1);
    const first = await merged(api, b.id, a.id);
    const second = await merged(api, c.id, b.id);
    expect(await balances(api, c.id)).toEqual([100]);
    const refused = await undo(api, first);
    expect(refused).toMatchObject({ status: 422, body: { reason: 'merge_not_undoable' } });
    expect(codes(refused)).toContain('target_merged');

    expect(await undo(api, second)).toMatchObject({ status: 201 });
    await settledAs(api, second, 'undone');
    expect([await balances(api, b.id), await balances(api, c.id)]).toEqual([[100], []]);
    expect(await undo(api, first)).toMatchObject({ status: 201 });
    await settledAs(api, first, 'undone');
    expect([await balances(api, a.id), await balances(api, b.id)]).toEqual([[100], []]);
    expect(await invariants(system.dataDir)).toEqual({ code: 0, output: expect.stringContaining(' 0 violations') });
  });

  it('unless both cannot be told apart any more: then nothing is done', async () => {
    const [target, source] = [await aCustomer(api), await aCustomer(api)];
    await adjust(api, source.id, 25);
    const id = await merged(api, target.id, source.id);
    await adjust(api, target.id, -5);
    expect(codes(await undo(api, id))).toEqual(['credit_used']);
    await api.ok('PUT', `/customers/${target.id}/archive`, {});
    expect(codes(await undo(api, id))).toEqual(['target_archived', 'credit_used']);
    expect(await api.ok('GET', `/customers/${source.id}`)).toMatchObject({ mergedIntoCustomerId: target.id });
    expect(await api.ok('GET', `/customer-merges/${id}`)).toMatchObject({ status: 'completed', undoneAt: null });
    expect(await undo(api, source.id)).toMatchObject({ status: 404 });
    expect(await undo((await system.sandbox()).api, id)).toMatchObject({ status: 404 });

    const [counted, used] = [await aCustomer(api), await aCustomer(api)];
    await api.ok('POST', '/api/usage-metrics', {
      code: 'pages', name: 'Pages', eventName: 'page', aggregationType: 'count',
    }); // prettier-ignore
    await api.ok('POST', '/api/usage-events', {
      events: [{ customerId: used.id, transactionId: 'page-1', eventName: 'page', timestamp: NOW, properties: {} }],
    });
    expect(codes(await undo(api, await merged(api, counted.id, used.id)))).toEqual(['usage_moved']);
  });
});
