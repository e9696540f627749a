import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@kontor/testing';
import { OpenIntents } from '../src/intents/open-intents.js';
import { BANK, bankAccount, line, lines } from './bank-world.js';
import { type Answer, type Json, type Tenant, World } from './world.js';

let world: World;
let tenant: Tenant;

beforeAll(async () => {
  world = await World.start();
  tenant = await world.tenant({ features: ['WalletTopUp'], settings: { creditOverpayments: true } });
});
afterAll(() => world.stop());

const back = (transactionId: string, amount: unknown, more: object = {}): Promise<Answer> =>
  tenant.call('POST', `/payment/transactions/${transactionId}/return`, { reason: 'disputed', amount, ...more });
const openOf = (invoices: readonly string[]): Promise<number[]> =>
  Promise.all(invoices.map(async (id) => (await tenant.intent(id)).openAmount.amount));
const paymentOf = async (customerId: string): Promise<Json> =>
  (await tenant.ok('GET', `/payment/transactions?customer=${customerId}&type=payment`)).data[0];

async function paid(gross: number, amount = gross / 100) {
  const customerId = await tenant.customer();
  const method = await tenant.method(customerId);
  const [invoiceId] = await tenant.finalize({ customerId, gross });
  const { transactionId } = (await tenant.record(invoiceId!, method.id, { amount: minor(amount) })).body;
  return { customerId, method, invoiceId: invoiceId!, transactionId: transactionId as string };
}
const minor = (amount: number) => ({ amount: Math.round(amount * 100), currencyCode: 'EUR' });

describe('a part of a payment that goes back', () => {
  it('opens its invoice by as much; the rest stands and can go back later', async () => {
    const { invoiceId, transactionId } = await paid(10000);
    const first = await back(transactionId, 30, { feeAmount: 15 });
    expect(first).toMatchObject({
      status: 201,
      body: { type: 'return', amount: { amount: 3000 }, feeAmount: { amount: 1500 } },
    });
    expect(await tenant.intent(invoiceId)).toMatchObject({ status: 'open', openAmount: { amount: 3000 } });
    expect((await tenant.ok('GET', `/payment/transactions/${transactionId}`)).status).toBe('succeeded');
    expect((await back(transactionId, { amount: 2000, currencyCode: 'EUR' })).status).toBe(201);
    expect(await openOf([invoiceId])).toEqual([5000]);
    expect((await back(transactionId, null)).body.amount.amount).toBe(5000);
    expect(await openOf([invoiceId])).toEqual([10000]);
    expect((await tenant.ok('GET', `/payment/transactions/${transactionId}`)).status).toBe('returned');
    expect((await back(transactionId, 1)).body.reason).toBe('invalid_status_transition');
    expect(await tenant.broken()).toEqual([]);
  });

  it('is no more than stands of it, also with several at once', async () => {
    const { invoiceId, transactionId } = await paid(10000);
    const answers = await Promise.all([60, 60, 60].map((amount) => back(transactionId, amount)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 422, 422]);
    expect(await openOf([invoiceId])).toEqual([6000]);
    expect((await back(transactionId, 40.01)).body).toMatchObject({
      reason: 'validation_failed',
      violations: [{ propertyPath: 'amount', code: 'amount_too_large' }],
    });
    expect(await tenant.broken()).toEqual([]);
  });

  it.each([
    [0, 422, 'validation_failed'],
    [-1, 422, 'validation_failed'],
    [1.005, 422, 'validation_failed'],
    ['all', 400, 'invalid_request'],
    [{ amount: 1, currencyCode: 'CHF' }, 422, 'currency_mismatch'],
    [{ amount: 1.5, currencyCode: 'EUR' }, 422, 'validation_failed'],
  ])('refuses %j', async (amount, status, reason) => {
    const { invoiceId, transactionId } = await paid(100);
    const answer = await back(transactionId, amount);
    expect([answer.status, answer.body.reason]).toEqual([status, reason]);
    expect(await openOf([invoiceId])).toEqual([0]);
  });

  it('takes the credit of what was paid too much first, and what that has paid last of all', async () => {
    await tenant.settings({ creditOverpayments: true, applyCreditAutomatically: true });
    const { customerId, invoiceId, transactionId } = await paid(10000, 150);
    const [soon] = await tenant.finalize({ customerId, gross: 1000, dueInDays: 1 });
    const [later] = await tenant.finalize({ customerId, gross: 2000, dueInDays: 9 });
    expect([await tenant.balance(customerId), await openOf([soon!, later!])]).toEqual([2000, [0, 0]]);
    await back(transactionId, 5);
    expect([await tenant.balance(customerId), await openOf([invoiceId, soon!, later!])]).toEqual([1500, [0, 0, 0]]);
    await back(transactionId, 25);
    expect([await tenant.balance(customerId), await openOf([invoiceId, soon!, later!])]).toEqual([0, [0, 0, 1000]]);
    await back(transactionId, 30);
    expect([await tenant.balance(customerId), await openOf([invoiceId, soon!, later!])]).toEqual([
      0,
      [1000, 1000, 2000],
    ]);
    expect(await tenant.broken()).toEqual([]);
    await tenant.settings({ creditOverpayments: true, applyCreditAutomatically: false });
  });

  it('of a top-up takes as much credit, and is not asked for again', async () => {
    const customerId = await tenant.customer();
    await tenant.method(customerId, 'testing');
    const { id } = await tenant.ok('POST', '/api/wallet/top-up', { customerId, amount: 50, currencyCode: 'EUR' });
    await eventually(
      async () => (await tenant.ok('GET', `/api/wallet/top-ups/${id}`)).status === 'completed',
      'the money',
    );
    const payment = await paymentOf(customerId);
    expect((await back(payment.id, 20)).status).toBe(201);
    expect(await tenant.balance(customerId)).toBe(3000);
    const intent = await tenant.ok('GET', `/payment/intents/${payment.intents[0].id}`);
    expect(intent).toMatchObject({ status: 'cancelled', openAmount: { amount: 2000 }, topUpId: id });
    expect(await tenant.broken()).toEqual([]);
    expect((await back(payment.id, null)).body.amount.amount).toBe(3000);
    expect(await tenant.balance(customerId)).toBe(0);
    expect(await tenant.broken()).toEqual([]);
  });

  it('leaves as much less to refund', async () => {
    const customerId = await tenant.customer();
    await tenant.method(customerId, 'testing');
    const [invoiceId] = await tenant.finalize({ customerId, gross: 5000 });
    await eventually(async () => (await tenant.intent(invoiceId!)).status === 'succeeded', 'the payment');
    expect((await back((await paymentOf(customerId)).id, 35)).status).toBe(201);
    const now = new Date();
    const event = tenant.event({ customerId, gross: -2000, type: 'TYPE_REFUND' }, now);
    const document = { ...event, payload: { ...event.payload, referencedInvoiceId: invoiceId } };
    await world.database.tenant(tenant.id, (tx) => world.service.get(OpenIntents).execute(tx, [document] as never), {
      now,
    });
    const refunds = async (): Promise<Json[]> =>
      (await tenant.ok('GET', `/payment/transactions?customer=${customerId}&type=refund`)).data;
    await eventually(async () => (await refunds())[0]?.status === 'succeeded', 'the refund');
    expect((await refunds()).map(({ amount }) => amount.amount)).toEqual([1500]);
    expect(await tenant.broken()).toEqual([]);
  });

  it('of a line over several invoices opens the last one first; none of them can be unassigned then', async () => {
    const customerId = await tenant.customer();
    const account = await bankAccount(tenant);
    const invoices = await tenant.finalize({ customerId, gross: 1000 }, { customerId, gross: 2000 });
    const [found] = await lines(tenant, account, [line({ amount: '30.00' })]);
    await tenant.ok('POST', `${BANK}/${found.id}/assign-with-disposition`, {
      invoiceIds: invoices,
      disposition: 'open',
    });
    const payment = await paymentOf(customerId);
    await back(payment.id, 22.5);
    expect(await openOf(invoices)).toEqual([250, 2000]);
    const { assignments } = await tenant.ok('GET', `${BANK}/${found.id}`);
    for (const { id } of assignments)
      expect((await tenant.call('DELETE', `${BANK}/${found.id}/assignments/${id}`)).body.reason).toBe(
        'invalid_status_transition',
      );
    expect(await tenant.broken()).toEqual([]);
  });

  it('of what was paid out is refused: that comes back as a whole', async () => {
    const { customerId, method, invoiceId } = await paid(5000);
    const noteId = await tenant.creditNote(customerId, invoiceId, 2000, { disposition: 'none' });
    const paidOut = (await tenant.record(noteId, method.id)).body.transactionId;
    expect((await back(paidOut, 10)).body).toMatchObject({
      reason: 'validation_failed',
      violations: [{ propertyPath: 'amount', code: 'amount_not_whole' }],
    });
    expect((await back(paidOut, 20)).status).toBe(201);
    expect(await tenant.broken()).toEqual([]);
  });
});
