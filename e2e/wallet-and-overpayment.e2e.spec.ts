import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { type Answer, type Api, eventually, type Json } from './support/api.js';
import { aCustomer } from './support/catalogue.js';
import { System } from './support/system.js';

const DAY_MS = 86_400_000;
const GROSS = 11_900;

let system: System;
beforeAll(async () => {
  system = await System.shared();
});

/** A sandbox tenant with these billing settings. */
async function tenantWith(settings: Json): Promise<Api> {
  const { api } = await system.sandbox();
  await api.ok('PUT', '/settings/billing', settings);
  return api;
}

/** A customer who pays by bank transfer, with settings of its own. */
async function payer(api: Api, settings?: Json): Promise<{ id: string; method: string }> {
  const { id } = await aCustomer(api);
  if (settings) await api.ok('PUT', `/customers/${id}/settings`, settings);
  const { paymentMethod } = await api.ok('POST', '/payment-methods', { gateway: 'bank_transfer', customerId: id });
  return { id, method: paymentMethod.id };
}

/** An unpaid invoice over 119.00 that falls due in so many days. */
async function invoice(api: Api, customer: string, dueInDays = 14): Promise<string> {
  const positions = [{ name: 'Wartung', unitPrice: { amount: 10_000, currencyCode: 'EUR' } }];
  const dueDate = new Date(Date.now() + dueInDays * DAY_MS).toISOString();
  const draft = await api.ok('POST', '/invoices', { customer, positions, dueDate });
  await api.ok('POST', `/invoices/${draft.id}/finalize`, {});
  return draft.id;
}

const pay = (api: Api, invoiceId: string, paymentMethod: string, amount: number): Promise<Json> =>
  api.ok('POST', `/invoices/${invoiceId}/payments`, { paymentMethod, description: 'Überweisung', amount });
const adjust = (api: Api, customerId: string, amount: number): Promise<Answer<Json>> =>
  api.post('/api/wallet/adjustments', { customerId, amount, currencyCode: 'EUR', description: 'Kulanz' });
const balance = async (api: Api, customerId: string): Promise<number> =>
  (await api.ok('GET', `/api/wallet/balances?customerId=${customerId}`)).items[0]?.balance.amount ?? 0;
const movements = async (api: Api, customerId: string): Promise<Json[]> =>
  (await api.ok('GET', `/api/wallet/transactions?customerId=${customerId}&limit=100`)).items;
const unpaid = async (api: Api, ids: readonly string[]): Promise<number[]> =>
  Promise.all(ids.map(async (id) => (await api.ok('GET', `/invoices/${id}`)).unpaidAmount.amount as number));
const unpaidIs = (api: Api, ids: readonly string[], amounts: readonly number[]): Promise<boolean> =>
  eventually(
    `${amounts.join(', ')} are unpaid`,
    async () => JSON.stringify(await unpaid(api, ids)) === JSON.stringify(amounts),
  );

/** A line of a bank statement. */
async function bankLine(api: Api, amount: string): Promise<string> {
  const accounts = await api.ok('GET', '/bank-accounts');
  const account = accounts.data[0] ?? (await api.ok('POST', '/bank-accounts', { iban: 'DE89370400440532013000' }));
  const reference = randomUUID();
  const transactions = [{ reference, bookingDate: new Date().toISOString().slice(0, 10), amount, currencyCode: 'EUR' }];
  await api.ok('POST', '/payment/bank-account-transactions/import', { bankAccountId: account.id, transactions });
  const { data } = await api.ok('GET', '/payment/bank-account-transactions?limit=100');
  return data.find((line: Json) => line.reference === reference).id;
}

describe('what is paid too much', () => {
  it('becomes credit, and a later payment credits only its own excess', async () => {
    const api = await tenantWith({ creditOverpayments: true });
    const { id, method } = await payer(api);
    const paid = await invoice(api, id);
    expect(await pay(api, paid, method, 150)).toMatchObject({ status: 'STATUS_PAID', unpaidAmount: { amount: 0 } });
    expect(await balance(api, id)).toBe(3100);
    const answer = await api.ok(
      'POST',
      `/api/payment/bank-account-transactions/${await bankLine(api, '20.00')}/assign-with-disposition`,
      {
        invoiceIds: [paid],
        disposition: 'credit_wallet',
      },
    );
    expect(answer).toMatchObject({ status: 'STATUS_BOOKED', unassignedAmount: 0, disposedAmount: 2000 });
    expect(await balance(api, id)).toBe(5100);
    expect((await movements(api, id)).map(({ type, amount }) => [type, amount.amount])).toEqual([
      ['overpayment', 2000],
      ['overpayment', 3100],
    ]);
    expect(await unpaid(api, [paid])).toEqual([0]);
  });

  it('with the setting off the invoice is paid and open by the negative excess', async () => {
    const api = await tenantWith({ creditOverpayments: false });
    const { id, method } = await payer(api);
    const paid = await invoice(api, id);
    expect(await pay(api, paid, method, 150)).toMatchObject({ status: 'STATUS_PAID', unpaidAmount: { amount: -3100 } });
    expect(await movements(api, id)).toEqual([]);
  });
});

describe('credit pays what is open', () => {
  it('oldest due first, each completely before the next', async () => {
    const api = await tenantWith({ applyCreditAutomatically: true });
    const { id } = await payer(api);
    const [late, early, middle] = [await invoice(api, id, 30), await invoice(api, id, 5), await invoice(api, id, 12)];
    expect((await adjust(api, id, 200)).status).toBe(201);
    await unpaidIs(api, [early, middle, late], [0, 2 * GROSS - 20_000, GROSS]);
    expect(await balance(api, id)).toBe(0);
    expect((await api.ok('GET', `/invoices/${early}`)).status).toBe('STATUS_PAID');
    expect((await api.ok('GET', `/invoices/${middle}`)).status).toBe('STATUS_UNPAID');
  });

  it('at once when the setting is switched on, and before a new invoice asks for anything else', async () => {
    const api = await tenantWith({ applyCreditAutomatically: false });
    const { id } = await payer(api);
    const open = await invoice(api, id);
    await adjust(api, id, 130);
    expect(await unpaid(api, [open])).toEqual([GROSS]);
    await api.ok('PUT', '/settings/billing', { applyCreditAutomatically: true });
    await unpaidIs(api, [open], [0]);
    await unpaidIs(api, [await invoice(api, id)], [GROSS - 1100]);
    expect(await balance(api, id)).toBe(0);
  });

  it('a payment that goes back takes its credit along, and what that had paid is open again', async () => {
    const api = await tenantWith({ creditOverpayments: true, applyCreditAutomatically: true });
    const { id, method } = await payer(api);
    const first = await invoice(api, id, 5);
    await pay(api, first, method, 150);
    const second = await invoice(api, id, 9);
    await unpaidIs(api, [second], [GROSS - 3100]);
    const [payment] = (await api.ok('GET', `/payment/transactions?customer=${id}&type=payment`)).data;
    await api.ok('POST', `/payment/transactions/${payment.id}/return`, { reason: 'Lastschrift zurück', feeAmount: 3 });
    await unpaidIs(api, [first, second], [GROSS, GROSS]);
    expect(await balance(api, id)).toBe(0);
  });
});

it('a customer’s setting wins over the tenant’s, null inherits it', async () => {
  const api = await tenantWith({ creditOverpayments: true, applyCreditAutomatically: false });
  const cases: [Json, credit: number][] = [
    [{ creditOverpayments: false }, 0],
    [{ creditOverpayments: null }, 3100],
    [{ creditOverpayments: true, applyCreditAutomatically: true }, 0],
  ];
  for (const [settings, credit] of cases) {
    const { id, method } = await payer(api, settings);
    const [first, second] = [await invoice(api, id, 5), await invoice(api, id, 9)];
    await pay(api, first, method, 150);
    const applied = settings.applyCreditAutomatically === true ? 3100 : 0;
    await unpaidIs(api, [first, second], [settings.creditOverpayments === false ? -3100 : 0, GROSS - applied]);
    expect(await balance(api, id)).toBe(credit);
  }
});

it('each movement of credit names the method, the gateway and the reference of the money behind it', async () => {
  const api = await tenantWith({ creditOverpayments: true, applyCreditAutomatically: true });
  const { id, method } = await payer(api);
  await pay(api, await invoice(api, id, 5), method, 150);
  const [payment] = (await api.ok('GET', `/payment/transactions?customer=${id}`)).data;
  await unpaidIs(api, [await invoice(api, id, 9)], [GROSS - 3100]);
  const source = {
    gateway: 'bank_transfer',
    originalPaymentMethod: { id: method },
    transactionReference: payment.reference ?? payment.id,
  };
  expect(await movements(api, id)).toMatchObject([
    { type: 'invoice_payment', amount: { amount: -3100 }, ...source },
    { type: 'overpayment', amount: { amount: 3100 }, ...source },
  ]);
});

it('debits at once: exactly as many as the balance allows, and the balance is the sum of its entries', async () => {
  const api = await tenantWith({ applyCreditAutomatically: false });
  const { id } = await payer(api);
  await adjust(api, id, 10);
  const answers = await Promise.all(Array.from({ length: 40 }, () => adjust(api, id, -0.7)));
  const refused = answers.filter(({ status }) => status !== 201);
  expect(answers).toHaveLength(40);
  expect(answers.length - refused.length).toBe(14);
  expect(refused.every(({ status, body }) => status === 422 && body.reason === 'insufficient_credit')).toBe(true);
  const sum = (rows: Json[], of: (row: Json) => number): number => rows.reduce((total, row) => total + of(row), 0);
  expect(await balance(api, id)).toBe(20);
  expect(sum(await movements(api, id), ({ amount }) => amount.amount)).toBe(20);
  const [account] = (await api.ok('GET', `/ledger/accounts?customer=${id}&code=wallet`)).data;
  const transfers = (await api.ok('GET', `/ledger/transfers?account=${account.id}&limit=100`)).data;
  expect(account.balance.amount).toBe(20);
  expect(sum(transfers, ({ credit, amount }) => (credit.id === account.id ? amount.amount : -amount.amount))).toBe(20);
});

it('one Idempotency-Key fifty times at once: one top-up, one answer', async () => {
  const api = await tenantWith({});
  const { id } = await payer(api);
  const { paymentMethod } = await api.ok('POST', '/payment-methods', {
    gateway: 'testing',
    customerId: id,
    isDefault: false,
  });
  const body = { customerId: id, amount: 25.5, currencyCode: 'EUR', paymentMethodId: paymentMethod.id };
  const send = (): Promise<Answer<Json>> => api.post('/api/wallet/top-up', body, { 'idempotency-key': 'fifty' });
  const answers = await Promise.all(Array.from({ length: 50 }, send));
  const done = answers.filter(({ status }) => status === 201);
  expect(done.length).toBeGreaterThan(0);
  expect(
    answers.every(
      ({ status, body: { reason } }) => status === 201 || (status === 409 && reason === 'request_in_progress'),
    ),
  ).toBe(true);
  const after = await Promise.all(Array.from({ length: 50 }, send));
  expect(new Set([...done, ...after].map((answer) => JSON.stringify(answer.body))).size).toBe(1);
  await eventually('the credit', async () => (await balance(api, id)) === 2550);
  expect((await api.ok('GET', `/api/wallet/top-ups?customerId=${id}`)).count).toBe(1);
  expect((await movements(api, id)).map(({ type, amount }) => [type, amount.amount])).toEqual([['top_up', 2550]]);
  expect(
    (await api.post('/api/wallet/top-up', { ...body, amount: 1 }, { 'idempotency-key': 'fifty' })).body.reason,
  ).toBe('idempotency_key_reused');
});
