import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newUuid } from '@kontor/kernel';
import { eventually } from '@kontor/testing';
import { type Tenant, World } from './world.js';

let world: World;
let tenant: Tenant;
let customer: string;

beforeAll(async () => {
  world = await World.start();
  tenant = await world.tenant();
  customer = await tenant.customer();
});
afterAll(() => world.stop());

describe('a finalized invoice', () => {
  it('has an intent, a receivable and an event, also without a payment method', async () => {
    const [invoice] = await tenant.finalize({ customerId: await tenant.customer(), gross: 11900, tax: 1900 });
    const intent = await tenant.intent(invoice!);
    expect(intent).toMatchObject({
      invoiceId: invoice,
      topUpId: null,
      amount: { amount: 11900, currencyCode: 'EUR' },
      openAmount: { amount: 11900 },
      status: 'open',
    });
    const [event, ...more] = await tenant.events(intent.id);
    expect(more).toEqual([]);
    expect(event?.payload).toMatchObject({
      id: intent.id,
      version: 1,
      deleted: false,
      state: { invoiceId: invoice, status: 'open', paidAt: null },
    });
    expect(await tenant.broken()).toEqual([]);
  });

  it('is collected after the commit by the default method, and published in order', async () => {
    const payer = await tenant.customer();
    const method = await tenant.method(payer, 'testing');
    const [invoice] = await tenant.finalize({ customerId: payer, gross: 5000 });
    const intent = await eventually(async () => {
      const found = await tenant.intent(invoice!);
      return found.status === 'succeeded' && found;
    }, 'the collection');
    expect(intent).toMatchObject({ openAmount: { amount: 0 }, paymentMethodId: method.id });
    const events = await tenant.events(intent.id);
    expect(events.map((e) => [Number(e.seq), e.payload.state.status, e.payload.state.openAmount.amount])).toEqual([
      [1, 'processing', 5000],
      [2, 'succeeded', 0],
    ]);
    expect(events[0]?.payload.notices).toMatchObject([
      { type: 'invoice.payment.initiated', data: null, customerId: payer },
    ]);
    const { data } = await tenant.ok('GET', `/payment/transactions?customer=${payer}`);
    expect((await tenant.ok('GET', `/payment/transactions?invoice=${invoice}`)).data).toEqual(data);
    expect((await tenant.ok('GET', `/payment/transactions?invoice=${newUuid()}`)).data).toEqual([]);
    expect(data).toMatchObject([
      {
        type: 'payment',
        status: 'succeeded',
        amount: { amount: 5000 },
        paymentMethod: { id: method.id },
        intents: [{ id: intent.id, amount: { amount: 5000 } }],
      },
    ]);
    expect(await tenant.broken()).toEqual([]);
  });

  it('fails at the fake provider with minor units ending in 13, and waits for an action at 17', async () => {
    const payer = await tenant.customer();
    await tenant.method(payer, 'fake_provider');
    const [declined, action, fine] = await tenant.finalize(
      { customerId: payer, gross: 4213 },
      { customerId: payer, gross: 4217 },
      { customerId: payer, gross: 4200 },
    );
    const failed = await eventually(async () => {
      const intent = await tenant.intent(declined!);
      return intent.status === 'failed' && intent;
    }, 'the refusal');
    expect(failed).toMatchObject({ openAmount: { amount: 4213 }, failReason: 'card_declined' });
    expect((await tenant.events(failed.id)).at(-1)?.payload.notices).toMatchObject([
      { type: 'payment.failed', data: { payment: { status: 'failed', amount: { amount: 4213 } } } },
    ]);
    const waiting = await tenant.intent(action!);
    expect(waiting.status).toBe('processing');
    expect((await tenant.events(waiting.id)).at(-1)?.payload.state).toMatchObject({
      status: 'processing',
      waitsForPayer: true,
    });
    expect((await tenant.intent(fine!)).status).toBe('succeeded');
    const { data } = await tenant.ok('GET', `/payment/transactions?customer=${payer}&status=action_required`);
    expect(data).toHaveLength(1);
    expect(await tenant.broken()).toEqual([]);
  });

  it('a named method that is gone is not replaced: the invoice waits', async () => {
    const payer = await tenant.customer();
    await tenant.method(payer, 'testing');
    const [invoice] = await tenant.finalize({ customerId: payer, gross: 100, method: newUuid() });
    expect(await tenant.intent(invoice!)).toMatchObject({ status: 'open', paymentMethodId: null });
  });
});

describe('recording a payment', () => {
  it('pays the open amount, once per operation', async () => {
    const method = await tenant.method(customer);
    const [invoice] = await tenant.finalize({ customerId: customer, gross: 11900 });
    const operationId = newUuid();
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => tenant.record(invoice!, method.id, { operationId })),
    );
    expect(new Set(answers.map((a) => a.status))).toEqual(new Set([200]));
    expect(new Set(answers.map((a) => a.body.transactionId)).size).toBe(1);
    expect(answers[0]?.body).toMatchObject({ version: 2, intent: { status: 'succeeded', openAmount: { amount: 0 } } });
    expect((await tenant.call('GET', `/internal/payments/record/${operationId}`)).body).toEqual(answers[0]?.body);
    expect((await tenant.call('GET', `/internal/payments/record/${newUuid()}`)).status).toBe(404);
    expect(await tenant.broken()).toEqual([]);
  });

  it('keeps a part-paid invoice open and knows the payment date', async () => {
    const method = await tenant.method(customer);
    const [invoice] = await tenant.finalize({ customerId: customer, gross: 10000 });
    const first = await tenant.record(invoice!, method.id, {
      amount: { amount: 4000, currencyCode: 'EUR' },
      feeAmount: { amount: 35, currencyCode: 'EUR' },
    });
    expect(first.body.intent).toMatchObject({ status: 'open', openAmount: { amount: 6000 }, paidAt: null });
    const rest = await tenant.record(invoice!, method.id, { paymentDate: '2026-02-27T08:00:00.000Z' });
    expect(rest.body.intent).toMatchObject({
      status: 'succeeded',
      openAmount: { amount: 0 },
      paidAt: '2026-02-27T08:00:00.000Z',
    });
    expect((await tenant.ok('GET', `/payment/transactions/${first.body.transactionId}`)).feeAmount).toEqual({
      amount: 35,
      currencyCode: 'EUR',
    });
  });

  const eur = (amount: number) => ({ amount, currencyCode: 'EUR' });
  it.each([
    ['another currency', { amount: { amount: 10, currencyCode: 'CHF' }, currencyCode: 'CHF' }, 'currency_mismatch'],
    ['another currency without an amount', { currencyCode: 'CHF' }, 'currency_mismatch'],
    ['an unknown method', { paymentMethodId: newUuid() }, 'unknown_reference'],
    ['a method that is no id', { paymentMethodId: 'bar' }, 'unknown_reference'],
    ['a date in the future', { paymentDate: '2999-01-01T00:00:00.000Z' }, 'validation_failed'],
    ['nothing', { amount: eur(0) }, 'validation_failed'],
    ['a negative amount', { amount: eur(-5) }, 'validation_failed'],
    ['an invoice that has no intent', { invoiceId: newUuid() }, 'invoice_not_unpaid'],
  ])('refuses %s and changes nothing', async (_name, more, reason) => {
    const method = await tenant.method(customer);
    const [invoice] = await tenant.finalize({ customerId: customer, gross: 10000 });
    const before = await tenant.rows('SELECT count(*) FROM ledger_transfer');
    const answer = await tenant.record(invoice!, method.id, more);
    expect([answer.status, answer.body.reason]).toEqual([422, reason]);
    expect(await tenant.rows('SELECT count(*) FROM ledger_transfer')).toEqual(before);
    expect((await tenant.intent(invoice!)).openAmount.amount).toBe(10000);
  });

  it('refuses credit, which is no money that was received, for invoices and credit notes', async () => {
    const wallet = await tenant.method(customer, 'wallet', { isDefault: false });
    const [invoice, credit] = await tenant.finalize(
      { customerId: customer, gross: 10000 },
      { customerId: customer, gross: -500, method: wallet.id },
    );
    for (const id of [invoice!, credit!]) {
      const { openAmount } = await tenant.intent(id);
      const answer = await tenant.record(id, wallet.id);
      expect(answer).toMatchObject({ status: 422, body: { reason: expect.stringMatching(/validation|unpaid/) } });
      expect((await tenant.intent(id)).openAmount).toEqual(openAmount);
    }
  });

  it('refuses the method of another customer, and a paid invoice', async () => {
    const foreign = await tenant.method(await tenant.customer());
    const method = await tenant.method(customer);
    const [invoice] = await tenant.finalize({ customerId: customer, gross: 100 });
    expect((await tenant.record(invoice!, foreign.id)).body.reason).toBe('unknown_reference');
    await tenant.record(invoice!, method.id);
    expect((await tenant.record(invoice!, method.id)).body.reason).toBe('invoice_not_unpaid');
  });
});

describe('a payment that goes back', () => {
  it('opens the invoice again; once', async () => {
    const payer = await tenant.customer();
    const method = await tenant.method(payer);
    const [invoice] = await tenant.finalize({ customerId: payer, gross: 10000 });
    const { body } = await tenant.record(invoice!, method.id);
    const back = await tenant.call('POST', `/payment/transactions/${body.transactionId}/return`, {
      reason: 'AC04',
      feeAmount: 3.5,
    });
    expect(back).toMatchObject({
      status: 201,
      body: {
        type: 'return',
        status: 'succeeded',
        amount: { amount: 10000 },
        feeAmount: { amount: 350 },
        returnedTransactionId: body.transactionId,
      },
    });
    expect(await tenant.intent(invoice!)).toMatchObject({
      status: 'open',
      openAmount: { amount: 10000 },
      paidAt: null,
    });
    expect((await tenant.ok('GET', `/payment/transactions/${body.transactionId}`)).status).toBe('returned');
    const again = await tenant.call('POST', `/payment/transactions/${body.transactionId}/return`, { reason: 'AC04' });
    expect([again.status, again.body.reason]).toEqual([422, 'invalid_status_transition']);
    expect(await tenant.broken()).toEqual([]);
  });

  it.each([
    [{}, 400, 'invalid_request'],
    [{ reason: 7 }, 400, 'invalid_request'],
    [{ reason: 'x', why: 1 }, 400, 'unknown_field'],
    [{ reason: '' }, 422, 'validation_failed'],
    [{ reason: 'x', feeAmount: 1.005 }, 422, 'validation_failed'],
    [{ reason: 'x', feeAmount: -1 }, 422, 'validation_failed'],
    [{ reason: 'x', feeAmount: 'free' }, 400, 'invalid_request'],
    [{ reason: 'x', feeAmount: { amount: 1, currencyCode: 'CHF' } }, 422, 'currency_mismatch'],
  ])('refuses %j', async (body, status, reason) => {
    const method = await tenant.method(customer);
    const [invoice] = await tenant.finalize({ customerId: customer, gross: 100 });
    const paid = await tenant.record(invoice!, method.id);
    const answer = await tenant.call('POST', `/payment/transactions/${paid.body.transactionId}/return`, body);
    expect([answer.status, answer.body.reason]).toEqual([status, reason]);
    expect((await tenant.intent(invoice!)).status).toBe('succeeded');
  });

  it('is 404 for an unknown one, a malformed id and another tenant', async () => {
    const stranger = await world.tenant();
    const method = await tenant.method(customer);
    const [invoice] = await tenant.finalize({ customerId: customer, gross: 100 });
    const { body } = await tenant.record(invoice!, method.id);
    for (const id of [newUuid(), 'nonsense'])
      expect((await tenant.call('POST', `/payment/transactions/${id}/return`, { reason: 'x' })).status).toBe(404);
    expect(
      (await stranger.call('POST', `/payment/transactions/${body.transactionId}/return`, { reason: 'x' })).status,
    ).toBe(404);
    expect((await stranger.call('GET', `/payment/transactions/${body.transactionId}`)).status).toBe(404);
    expect((await stranger.call('GET', `/payment/intents/${body.intent.id}`)).status).toBe(404);
  });
});

describe('gateway answers', () => {
  it('ten call-backs at once and the synchronous answer are one credit', async () => {
    const payer = await tenant.customer();
    await tenant.method(payer, 'fake_provider');
    const [invoice] = await tenant.finalize({ customerId: payer, gross: 4217 });
    const [transaction] = await eventually(async () => {
      const { data } = await tenant.ok('GET', `/payment/transactions?customer=${payer}&status=action_required`);
      return data.length > 0 && data;
    }, 'the action');
    const outcome = { status: 'succeeded', reference: 'late' };
    const answers = await Promise.all(
      Array.from({ length: 10 }, () =>
        tenant.call('POST', `/internal/payments/collections/${transaction.id}/outcome`, { outcome }),
      ),
    );
    expect(answers.filter((a) => a.body.changed)).toHaveLength(1);
    expect(await tenant.intent(invoice!)).toMatchObject({ status: 'succeeded', openAmount: { amount: 0 } });
    const late = await tenant.call('POST', `/internal/payments/collections/${transaction.id}/outcome`, {
      outcome: { status: 'declined', reason: 'x' },
    });
    expect(late.body.changed).toBe(false);
    expect(await tenant.balance(payer)).toBe(0);
    expect(await tenant.broken()).toEqual([]);
  });
});

describe('five hundred documents at once', () => {
  it('are opened by a handful of statements and collected in one go', async () => {
    const bulk = await world.tenant();
    const customers = await Promise.all(Array.from({ length: 500 }, () => bulk.customer()));
    await bulk.rows('SELECT 1');
    for (let i = 0; i < customers.length; i += 50)
      await Promise.all(customers.slice(i, i + 50).map((c) => bulk.method(c, 'testing')));
    await bulk.finalize(...customers.map((customerId, i) => ({ customerId, gross: 1000 + i, tax: 160 })));
    await eventually(async () => {
      const [row] = await bulk.rows<{ n: bigint }>(
        `SELECT count(*) AS n FROM payment_intent WHERE status = 'succeeded'`,
      );
      return row?.n === 500n;
    }, 'all collections');
    expect(await bulk.broken()).toEqual([]);
  });
});
