import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { customerPrincipal, eventually } from '@kontor/testing';
import { newUuid } from '@kontor/kernel';
import { settingsChangedV1 } from '@kontor/contracts';
import { OnCreditRulesChanged } from '../src/wallet/on-credit-rules-changed.js';
import { type Tenant, World } from './world.js';

let world: World;
let tenant: Tenant;

beforeAll(async () => {
  world = await World.start();
  tenant = await world.tenant();
});
afterAll(() => world.stop());

const adjust = (t: Tenant, customerId: string, amount: number, more: object = {}) =>
  t.call('POST', '/api/wallet/adjustments', {
    customerId,
    amount,
    currencyCode: 'EUR',
    description: 'Kulanz',
    ...more,
  });

describe('a customer whose id is written in capitals', () => {
  it('has one wallet, and the methods that are made for it', async () => {
    const customer = await tenant.customer();
    const customerId = customer.toUpperCase();
    for (const amount of [5, -2])
      expect(await adjust(tenant, customerId, amount)).toMatchObject({ status: 201, body: { customerId: customer } });
    const body = { gateway: 'bank_transfer', customerId };
    const { paymentMethod } = await tenant.ok('POST', '/payment-methods', body);
    expect(paymentMethod.customerId).toBe(customer);
    expect((await tenant.ok('GET', `/api/wallet/balances?customerId=${customer}`)).items[0].balance.amount).toBe(300);
    await tenant.method(customer, 'testing', { isDefault: true });
    const topUp = { customerId, amount: 50, currencyCode: 'EUR' };
    expect((await tenant.ok('POST', '/api/wallet/top-up', topUp)).customerId).toBe(customer);
    expect(await tenant.broken()).toEqual([]);
  });
});

/** Whole euros: cents of such amounts are beyond what a JSON number carries. */
const MAX_EURO = 90_071_992_547_409;

describe('a balance beyond what JSON numbers carry', () => {
  const balance = async (t: Tenant, customer: string): Promise<number> =>
    (await t.ok('GET', `/api/wallet/balances?customerId=${customer}`)).items[0].balance.amount;

  it('is refused before anything is booked, alone and among requests that come at once', async () => {
    const t = await world.tenant();
    const customer = await t.customer();
    expect((await adjust(t, customer, MAX_EURO)).status).toBe(201);
    expect(await adjust(t, customer, 1)).toMatchObject({ status: 422, body: { reason: 'amount_out_of_range' } });
    // Read, it would be two cents.
    expect(await adjust(t, await t.customer(), MAX_EURO - 1 + 0.01)).toMatchObject({
      status: 422,
      body: { reason: 'validation_failed', violations: [{ code: 'out_of_range' }] },
    });
    const answers = await Promise.all([
      adjust(t, customer, MAX_EURO),
      adjust(t, customer, -1),
      adjust(t, customer, MAX_EURO),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([422, 201, 422]);
    expect(await balance(t, customer)).toBe(MAX_EURO * 100 - 100);
    expect(await t.broken()).toEqual([]);
  });

  it('is not topped up to', async () => {
    const t = await world.tenant();
    const customer = await t.customer();
    await t.method(customer, 'bank_transfer', { isDefault: true });
    await adjust(t, customer, MAX_EURO);
    const body = { customerId: customer, amount: 1, currencyCode: 'EUR' };
    expect(await t.call('POST', '/api/wallet/top-up', body)).toMatchObject({
      status: 422,
      body: { reason: 'amount_out_of_range' },
    });
    const rule = { customerId: customer, currencyCode: 'EUR', thresholdAmount: MAX_EURO, topUpAmount: 1 };
    expect(await t.call('POST', '/api/wallet/auto-top-up', rule)).toMatchObject({
      status: 422,
      body: { reason: 'amount_out_of_range' },
    });
    expect(await t.broken()).toEqual([]);
  });

  it('does not come of an overpayment, and turnover beyond it is shown to the last digit', async () => {
    const t = await world.tenant({ settings: { creditOverpayments: true, applyCreditAutomatically: false } });
    const customer = await t.customer();
    const method = await t.method(customer);
    for (let n = 0; n < 3; n++) {
      expect((await adjust(t, customer, MAX_EURO)).status).toBe(201);
      expect((await adjust(t, customer, -MAX_EURO)).status).toBe(201);
    }
    await adjust(t, customer, MAX_EURO);
    const [invoice] = await t.finalize({ customerId: customer, gross: 11900 });
    const paid = { amount: { amount: 90_000_000_000, currencyCode: 'EUR' } };
    expect(await t.record(invoice!, method.id, paid)).toMatchObject({
      status: 422,
      body: { reason: 'amount_out_of_range' },
    });
    const { data } = await t.ok('GET', '/ledger/accounts?code=adjustments');
    expect(data[0].debits.amount).toBe(4 * MAX_EURO * 100);
    expect(await t.broken()).toEqual([]);
  });
});

describe('overpayment', () => {
  it('with the setting on becomes credit that remembers where it came from', async () => {
    const customer = await tenant.customer();
    const method = await tenant.method(customer);
    const [invoice] = await tenant.finalize({ customerId: customer, gross: 11900 });
    const paid = await tenant.record(invoice!, method.id, { amount: { amount: 15000, currencyCode: 'EUR' } });
    expect(paid.body.intent).toMatchObject({ status: 'succeeded', openAmount: { amount: 0 } });
    const { items, count } = await tenant.ok('GET', `/api/wallet/transactions?customerId=${customer}`);
    expect(count).toBe(1);
    expect(items[0]).toMatchObject({
      type: 'overpayment', amount: { amount: 3100, currencyCode: 'EUR' }, balanceAfter: { amount: 3100 }, invoiceId: invoice, gateway: 'bank_transfer',
      originalPaymentMethod: { id: method.id }, transactionReference: paid.body.transactionId,
    }); // prettier-ignore
    expect(await tenant.ok('GET', `/api/wallet/balances?customerId=${customer}`)).toEqual({
      items: [{ customerId: customer, currencyCode: 'EUR', balance: { amount: 3100, currencyCode: 'EUR' } }],
      count: 1,
    });
    expect(await tenant.broken()).toEqual([]);
  });

  it('with the setting off stays on the invoice as a negative open amount', async () => {
    const off = await world.tenant({ settings: { creditOverpayments: false } });
    const customer = await off.customer();
    const method = await off.method(customer);
    const [invoice] = await off.finalize({ customerId: customer, gross: 11900 });
    const paid = await off.record(invoice!, method.id, { amount: { amount: 15000, currencyCode: 'EUR' } });
    expect(paid.body.intent).toMatchObject({ status: 'succeeded', openAmount: { amount: -3100 } });
    expect((await off.ok('GET', '/api/wallet/transactions')).count).toBe(0);
    expect(await off.broken()).toEqual([]);
  });

  it('a customer overrides the setting in either direction', async () => {
    const [never, inherits] = [
      await tenant.customer({ creditOverpayments: false }),
      await tenant.customer({ creditOverpayments: null }),
    ];
    for (const [customer, expected] of [
      [never, 0],
      [inherits, 50],
    ] as const) {
      const method = await tenant.method(customer);
      const [invoice] = await tenant.finalize({ customerId: customer, gross: 100 });
      await tenant.record(invoice!, method.id, { amount: { amount: 150, currencyCode: 'EUR' } });
      expect(await tenant.balance(customer)).toBe(expected);
    }
  });
});

describe('automatic application', () => {
  it('credit that arrives pays open invoices, oldest due first', async () => {
    const customer = await tenant.customer();
    const [young, old] = await tenant.finalize(
      { customerId: customer, gross: 10000, dueInDays: 20 },
      { customerId: customer, gross: 10000, dueInDays: 10 },
    );
    expect((await adjust(tenant, customer, 150)).status).toBe(201);
    expect(await tenant.intent(old!)).toMatchObject({ status: 'succeeded', creditAppliedAmount: { amount: 10000 } });
    expect(await tenant.intent(young!)).toMatchObject({ status: 'open', openAmount: { amount: 5000 } });
    expect(await tenant.balance(customer)).toBe(0);
    expect(await tenant.broken()).toEqual([]);
  });

  it('an invoice that becomes unpaid is published as unpaid first, then as paid', async () => {
    const customer = await tenant.customer();
    await adjust(tenant, customer, 100);
    const [invoice] = await tenant.finalize({ customerId: customer, gross: 8000 });
    const intent = await tenant.intent(invoice!);
    const published = (await tenant.events(intent.id)).map((e) => [
      Number(e.seq),
      e.payload.state.status,
      e.payload.state.openAmount.amount,
      e.payload.state.creditAppliedAmount.amount,
    ]);
    expect(published).toEqual([
      [1, 'open', 8000, 0],
      [2, 'succeeded', 0, 8000],
    ]);
  });

  it('happens when the setting is switched on', async () => {
    const later = await world.tenant({ settings: { creditOverpayments: true, applyCreditAutomatically: false } });
    const customer = await later.customer();
    const [invoice] = await later.finalize({ customerId: customer, gross: 500 });
    await adjust(later, customer, 3);
    expect((await later.intent(invoice!)).openAmount.amount).toBe(500);
    const event = { ...later.event({ customerId: customer, gross: 1 }, new Date()), type: settingsChangedV1.type };
    event.payload = {
      id: later.id,
      version: 900,
      deleted: false,
      state: { applyCreditAutomatically: true },
      notices: [],
    };
    await world.database.tenant(later.id, (tx) => world.service.get(OnCreditRulesChanged).handle([event], tx));
    await eventually(async () => (await later.intent(invoice!)).openAmount.amount === 200, 'the application');
    expect(await later.broken()).toEqual([]);
  });

  it('is used before the gateway is asked, promotional and expiring lots first', async () => {
    const customer = await tenant.customer();
    await tenant.method(customer, 'testing');
    await adjust(tenant, customer, 30);
    const [invoice] = await tenant.finalize({ customerId: customer, gross: 10000 });
    await eventually(async () => (await tenant.intent(invoice!)).status === 'succeeded', 'the collection');
    const { data } = await tenant.ok('GET', `/payment/transactions?customer=${customer}`);
    expect(data).toMatchObject([{ amount: { amount: 7000 } }]);
  });
});

describe('credit notes', () => {
  it('lower open invoices and credit the rest', async () => {
    const customer = await tenant.customer();
    const [invoice] = await tenant.finalize({ customerId: customer, gross: 10000 });
    const [note] = await tenant.finalize({ customerId: customer, gross: -15000 });
    expect((await tenant.intent(invoice!)).status).toBe('succeeded');
    expect(await tenant.intent(note!)).toMatchObject({
      amount: { amount: -15000 },
      openAmount: { amount: 0 },
      status: 'succeeded',
    });
    expect(await tenant.balance(customer)).toBe(5000);
    expect(await tenant.broken()).toEqual([]);
  });

  it('without the feature stay open until the pay-out is recorded', async () => {
    const plain = await world.tenant({ features: [] });
    const customer = await plain.customer();
    const method = await plain.method(customer);
    const [note] = await plain.finalize({ customerId: customer, gross: -5000 });
    expect(await plain.intent(note!)).toMatchObject({ openAmount: { amount: -5000 }, status: 'open' });
    const paid = await plain.record(note!, method.id);
    expect(paid.body.intent).toMatchObject({ openAmount: { amount: 0 }, status: 'succeeded' });
    expect(await plain.ok('GET', `/payment/transactions/${paid.body.transactionId}`)).toMatchObject({
      type: 'refund',
      amount: { amount: 5000 },
    });
    expect(await plain.broken()).toEqual([]);
  });
});

describe('adjustments', () => {
  it('are in the log of the customer, each with its amount, and in no webhook', async () => {
    const customer = await tenant.customer();
    const lines: string[] = [];
    for (const amount of [5, -1.5]) lines.push((await adjust(tenant, customer, amount)).body.id);
    const [wallet] = await world.test.peek<{ id: string }>('SELECT id FROM wallet WHERE customer_id = $1', [customer]);
    const events = await tenant.events(wallet!.id);
    const amounts = [500, -150].map((amount) => ({ amount, currencyCode: 'EUR' }));
    expect(events.map(({ payload }) => payload.notices.slice(1))).toEqual(
      lines.map((walletTransactionId, n) => [
        {
          type: 'wallet.adjusted',
          objectId: wallet!.id,
          data: null,
          customerId: customer,
          activity: { metadata: { walletTransactionId, amount: amounts[n] } },
        },
      ]),
    );
  });

  it.each([
    [{ amount: 0 }, 422, 'validation_failed'],
    [{ amount: 1.005 }, 422, 'validation_failed'],
    [{ amount: -0.01 }, 422, 'insufficient_credit'],
    [{ amount: 1e18 }, 422, 'validation_failed'],
    [{ amount: '5' }, 400, 'invalid_request'],
    [{ amount: undefined }, 400, 'invalid_request'],
    [{ currencyCode: 'EURO' }, 422, 'validation_failed'],
    [{ currencyCode: undefined }, 400, 'invalid_request'],
    [{ description: undefined }, 400, 'invalid_request'],
    [{ customerId: undefined }, 400, 'invalid_request'],
    [{ customerId: 'x' }, 422, 'validation_failed'],
    [{ nonsense: 1 }, 400, 'unknown_field'],
  ])('refuse %j', async (more, status, reason) => {
    const customer = await tenant.customer();
    const answer = await adjust(tenant, customer, 5, more);
    expect([answer.status, answer.body.reason]).toEqual([status, reason]);
    expect((await tenant.ok('GET', `/api/wallet/transactions?customerId=${customer}`)).count).toBe(0);
  });

  it('know currencies without and with three decimals', async () => {
    const customer = await tenant.customer();
    expect((await adjust(tenant, customer, 500, { currencyCode: 'JPY' })).body.amount).toEqual({
      amount: 500,
      currencyCode: 'JPY',
    });
    expect((await adjust(tenant, customer, 1.005, { currencyCode: 'KWD' })).body.amount).toEqual({
      amount: 1005,
      currencyCode: 'KWD',
    });
    expect((await adjust(tenant, customer, 0.5, { currencyCode: 'JPY' })).status).toBe(422);
  });

  it('concurrent debits: exactly as many as the balance allows', async () => {
    const customer = await tenant.customer();
    await adjust(tenant, customer, 10);
    const answers = await Promise.all(Array.from({ length: 25 }, () => adjust(tenant, customer, -1)));
    expect(answers.filter((a) => a.status === 201)).toHaveLength(10);
    expect(answers.filter((a) => a.body.reason === 'insufficient_credit')).toHaveLength(15);
    expect(await tenant.balance(customer)).toBe(0);
    expect(await tenant.broken()).toEqual([]);
  });

  it('the same Idempotency-Key fifty times has one effect', async () => {
    const customer = await tenant.customer();
    const body = { customerId: customer, amount: 5, currencyCode: 'EUR', description: 'd' };
    const answers = await Promise.all(
      Array.from({ length: 50 }, () =>
        tenant.call('POST', '/api/wallet/adjustments', body, { 'idempotency-key': 'one' }),
      ),
    );
    expect(new Set(answers.map((a) => a.status))).toEqual(
      new Set([201, 409].filter((s) => answers.some((a) => a.status === s))),
    );
    expect(await tenant.balance(customer)).toBe(500);
  });
});

describe('who may see a wallet', () => {
  it('nobody without the feature, whatever the body says', async () => {
    const plain = await world.tenant({ features: [] });
    for (const [method, path, body] of [
      ['GET', '/api/wallet/balances'],
      ['GET', '/api/wallet/transactions'],
      ['POST', '/api/wallet/adjustments', { nonsense: 1 }],
    ] as const) {
      const answer = await plain.call(method, path, body);
      expect([answer.status, answer.body.reason]).toEqual([403, 'feature_not_enabled']);
    }
  });

  it('a customer itself: its own id is ignored, another one is 403, adjustments are not for it', async () => {
    const [me, other] = [await tenant.customer(), await tenant.customer()];
    await adjust(tenant, me, 5);
    await adjust(tenant, other, 7);
    const token = customerPrincipal(tenant.id, me);
    for (const query of ['', `?customerId=${me}`]) {
      const { body } = await world.http(token, 'GET', `/api/wallet/balances${query}`);
      expect(body.items).toMatchObject([{ customerId: me, balance: { amount: 500 } }]);
      expect((await world.http(token, 'GET', `/api/wallet/transactions${query}`)).body.count).toBe(1);
    }
    for (const path of ['balances', 'transactions']) {
      const answer = await world.http(token, 'GET', `/api/wallet/${path}?customerId=${other}`);
      expect([answer.status, answer.body.reason]).toEqual([403, 'foreign_customer']);
    }
    const refused = await world.http(token, 'POST', '/api/wallet/adjustments', {
      customerId: me,
      amount: 5,
      currencyCode: 'EUR',
      description: 'd',
    });
    expect(refused.status).toBe(403);
  });

  it('not another tenant', async () => {
    const customer = await tenant.customer();
    await adjust(tenant, customer, 5);
    const stranger = await world.tenant();
    expect(await stranger.ok('GET', `/api/wallet/balances?customerId=${customer}`)).toEqual({ items: [], count: 0 });
    expect((await adjust(stranger, newUuid(), 5)).status).toBeGreaterThanOrEqual(400);
  });
});

describe('credit with a last day', () => {
  it('pays nothing afterwards and is booked out', async () => {
    const short = await world.tenant({ settings: { creditExpiryDays: 1, applyCreditAutomatically: true } });
    const customer = await short.customer();
    await adjust(short, customer, 5);
    await world.test.peek(`UPDATE wallet_lot SET expires_at = now() - interval '1 second'`);
    await world.test.peek(
      `UPDATE due_work SET due_at = now() - interval '1 second', poll_at = now() - interval '1 second' WHERE kind = 'payments.expire_credit'`,
    );
    const [invoice] = await short.finalize({ customerId: customer, gross: 500 });
    expect((await short.intent(invoice!)).openAmount.amount).toBe(500);
    await eventually(async () => (await short.balance(customer)) === 0, 'the expiry');
    expect((await short.ok('GET', '/api/wallet/transactions')).items[0]).toMatchObject({
      type: 'expiry',
      amount: { amount: -500 },
    });
    expect(await short.broken()).toEqual([]);
  });
});

describe('credit with terms', () => {
  it('is used first when it is promotional, and ends on its own day', async () => {
    const customer = await tenant.customer();
    const soon = new Date(Date.now() + 1_500).toISOString();
    await adjust(tenant, customer, 10);
    expect((await adjust(tenant, customer, 5, { promotional: true })).status).toBe(201);
    expect((await adjust(tenant, customer, 3, { expiresAt: soon })).status).toBe(201);
    await adjust(tenant, customer, -4);
    const lots = () =>
      tenant.rows<{ promotional: boolean; rest: bigint }>(
        'SELECT promotional, remaining_minor AS rest FROM wallet_lot WHERE wallet_id = (SELECT id FROM wallet WHERE customer_id = $1) ORDER BY ordinal',
        [customer],
      );
    expect(await lots()).toEqual([
      { promotional: false, rest: 1000n },
      { promotional: true, rest: 100n },
      { promotional: false, rest: 300n },
    ]);
    await eventually(async () => (await tenant.balance(customer)) === 1100);
    expect(await tenant.broken()).toEqual([]);
  });

  it.each([
    ['promotional', -1, { promotional: true }, 'not_applicable'],
    ['an expiry', -1, { expiresAt: '2099-01-01T00:00:00Z' }, 'not_applicable'],
    ['an expiry that has passed', 1, { expiresAt: '2020-01-01T00:00:00Z' }, 'date_in_past'],
  ])('refuses %s', async (_, amount, more, code) => {
    const customer = await tenant.customer();
    expect(await adjust(tenant, customer, amount, more)).toMatchObject({
      status: 422,
      body: { violations: [{ code }] },
    });
  });
});
