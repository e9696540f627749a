import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { newUuid } from '@kontor/kernel';
import { customerPrincipal, eventually } from '@kontor/testing';
import { type Json, type Tenant, World } from './world.js';

let world: World;
let tenant: Tenant;

beforeAll(async () => {
  world = await World.start();
  tenant = await world.tenant();
});
afterAll(() => world.stop());
afterEach(async () => expect(await tenant.broken()).toEqual([]));

const topUp = (customerId: string | undefined, more: object = {}) =>
  tenant.call('POST', '/api/wallet/top-up', { customerId, amount: 25.5, currencyCode: 'EUR', ...more });
const ended = (id: string, status: string): Promise<Json> =>
  eventually(async () => {
    const found = await tenant.ok('GET', `/api/wallet/top-ups/${id}`);
    return found.status === status && found;
  }, status);
const rule = (customerId: string, more: object = {}) =>
  tenant.call('POST', '/api/wallet/auto-top-up', {
    customerId,
    currencyCode: 'EUR',
    thresholdAmount: 20,
    topUpAmount: 50,
    ...more,
  });
const adjust = (customerId: string, amount: number) =>
  tenant.ok('POST', '/api/wallet/adjustments', { customerId, amount, currencyCode: 'EUR', description: 'Kulanz' });
const topUpsOf = async (customerId: string): Promise<Json[]> =>
  (await tenant.ok('GET', `/api/wallet/top-ups?customerId=${customerId}`)).items;

async function payer(gateway = 'testing'): Promise<{ customer: string; method: Json }> {
  const customer = await tenant.customer();
  return { customer, method: await tenant.method(customer, gateway) };
}

describe('a top-up', () => {
  it('is pending, then completed, and its credit remembers where it came from', async () => {
    const { customer, method } = await payer();
    const started = await topUp(customer);
    expect(started).toMatchObject({
      status: 201,
      body: {
        customerId: customer, requestedAmount: { amount: 2550, currencyCode: 'EUR' }, creditedAmount: null, status: 'pending', paymentMethodId: method.id,
        failureReason: null, automatic: false, completedAt: null,
      },
    }); // prettier-ignore
    const done = await ended(started.body.id, 'completed');
    expect(done).toMatchObject({
      creditedAmount: { amount: 2550, currencyCode: 'EUR' },
      completedAt: expect.any(String),
    });
    expect(await tenant.balance(customer)).toBe(2550);
    const { items } = await tenant.ok('GET', `/api/wallet/transactions?customerId=${customer}`);
    expect(items[0]).toMatchObject({
      type: 'top_up',
      gateway: 'testing',
      originalPaymentMethod: { id: method.id },
      invoiceId: null,
    });
    expect(items[0].transactionReference).toMatch(/^testing_/);
    const notices = (await tenant.events(done.id)).flatMap(({ payload }) => payload.notices);
    expect(notices).toMatchObject([
      { type: 'wallet.topped_up', data: { topUp: { id: done.id, status: 'completed' } }, customerId: customer },
    ]);
  });

  it('fails with the reason when the payment is declined, and is not tried again', async () => {
    const { customer } = await payer('fake_provider');
    const { body } = await topUp(customer, { amount: 10.13 });
    expect(await ended(body.id, 'failed')).toMatchObject({ failureReason: 'card_declined', creditedAmount: null });
    expect(await tenant.balance(customer)).toBe(0);
    expect((await tenant.events(body.id)).at(-1)?.payload.notices).toMatchObject([{ type: 'wallet.top_up_failed' }]);
    const [intent] = await tenant.rows<Json>('SELECT status, next_retry_at FROM payment_intent WHERE top_up_id = $1', [
      body.id,
    ]);
    expect(intent).toEqual({ status: 'failed', next_retry_at: null });
  });

  it('that needs the payer waits for the gateway, which is heard once', async () => {
    const { customer } = await payer('fake_provider');
    const { body } = await topUp(customer, { amount: 10.17 });
    const transaction = await eventually(async () => {
      const [row] = await tenant.rows<{ id: string }>(
        `SELECT t.id FROM payment_transaction t
          JOIN payment_intent i ON i.tenant_id = t.tenant_id AND i.id = t.intent_id
          WHERE i.top_up_id = $1 AND t.status = 'action_required'`,
        [body.id],
      );
      return row;
    });
    const outcome = { outcome: { status: 'succeeded', reference: 'fake_late' } };
    const path = `/internal/payments/collections/${transaction.id}/outcome`;
    const answers = await Promise.all(Array.from({ length: 10 }, () => tenant.ok('POST', path, outcome)));
    expect(answers.filter(({ changed }) => changed)).toHaveLength(1);
    expect((await ended(body.id, 'completed')).creditedAmount.amount).toBe(1017);
    expect(await tenant.balance(customer)).toBe(1017);
  });

  it('by bank transfer waits until somebody confirms the money, once', async () => {
    const { customer } = await payer('bank_transfer');
    const { body } = await topUp(customer);
    expect(body).toMatchObject({ status: 'pending', reference: expect.stringMatching(/^TU-[0-9A-F]{10}$/) });
    const confirm = () => tenant.call('POST', `/api/wallet/top-ups/${body.id}/confirm`, {});
    const answers = await Promise.all([confirm(), confirm()]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 422]);
    expect(answers.find(({ status }) => status === 422)?.body.reason).toBe('invalid_status_transition');
    expect(await tenant.balance(customer)).toBe(2550);
  });

  it('pays open invoices where the setting says so', async () => {
    const { customer } = await payer();
    const waiting = await tenant.method(customer, 'bank_transfer', { isDefault: false });
    const [invoice] = await tenant.finalize({ customerId: customer, gross: 2000, method: waiting.id });
    await ended((await topUp(customer)).body.id, 'completed');
    expect(await tenant.intent(invoice!)).toMatchObject({ status: 'succeeded', openAmount: { amount: 0 } });
    expect(await tenant.balance(customer)).toBe(550);
  });

  it('whose money goes back takes its credit along and reopens what that has paid', async () => {
    const { customer } = await payer();
    const waiting = await tenant.method(customer, 'bank_transfer', { isDefault: false });
    const [invoice] = await tenant.finalize({ customerId: customer, gross: 2000, method: waiting.id });
    const { body } = await topUp(customer);
    await ended(body.id, 'completed');
    await adjust(customer, -1);
    const [paid] = await tenant.rows<{ id: string }>(
      'SELECT t.id FROM payment_transaction t JOIN payment_intent i ON i.tenant_id = t.tenant_id AND i.id = t.intent_id WHERE i.top_up_id = $1',
      [body.id],
    );
    await tenant.ok('POST', `/payment/transactions/${paid!.id}/return`, { reason: 'chargeback' });
    expect(await tenant.balance(customer)).toBe(0);
    expect(await tenant.intent(invoice!)).toMatchObject({ status: 'open', openAmount: { amount: 2000 } });
    expect(await tenant.ok('GET', `/api/wallet/top-ups/${body.id}`)).toMatchObject({ status: 'completed' });
    const { items } = await tenant.ok('GET', `/api/wallet/transactions?customerId=${customer}`);
    expect(items[0]).toMatchObject({ type: 'top_up', amount: { amount: -2450 } });
  });

  it('with one Idempotency-Key fifty times in parallel has one effect and one body', async () => {
    const { customer } = await payer();
    const key = { 'idempotency-key': newUuid() };
    const send = () =>
      eventually(async () => {
        const answer = await tenant.call(
          'POST',
          '/api/wallet/top-up',
          { customerId: customer, amount: 5, currencyCode: 'EUR' },
          key,
        );
        return answer.status !== 409 && answer;
      });
    const answers = await Promise.all(Array.from({ length: 50 }, send));
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.id}`)).size).toBe(1);
    await ended(answers[0]!.body.id, 'completed');
    expect(await tenant.balance(customer)).toBe(500);
  });
});

describe('a top-up is refused', () => {
  it.each([
    ['zero', { amount: 0 }, 422, 'validation_failed'],
    ['a negative amount', { amount: -1 }, 422, 'validation_failed'],
    ['too many decimals', { amount: 1.001 }, 422, 'validation_failed'],
    ['decimals of yen', { amount: 1.5, currencyCode: 'JPY' }, 422, 'validation_failed'],
    ['an amount beyond the safe range', { amount: 1e18 }, 422, 'validation_failed'],
    ['minor units beyond the safe range', { amount: 9e15 }, 422, 'validation_failed'],
    ['an unknown currency', { currencyCode: 'XXQ' }, 422, 'validation_failed'],
    ['text as amount', { amount: '5' }, 400, 'invalid_request'],
    ['no amount', { amount: undefined }, 400, 'invalid_request'],
    ['no currency', { currencyCode: undefined }, 400, 'invalid_request'],
    ['no customer', { customerId: undefined }, 400, 'invalid_request'],
    ['an unknown method', { paymentMethodId: newUuid() }, 422, 'unknown_reference'],
    ['an unknown field', { amounts: 1 }, 400, 'unknown_field'],
  ])('%s', async (_, more, status, reason) => {
    const { customer } = await payer();
    expect(await topUp(customer, more)).toMatchObject({ status, body: { reason } });
    expect(await topUpsOf(customer)).toEqual([]);
  });

  it('without a usable method, or with another customer’s', async () => {
    const customer = await tenant.customer();
    expect(await topUp(customer)).toMatchObject({ status: 422, body: { reason: 'payment_method_required' } });
    const other = await payer();
    expect(await topUp(customer, { paymentMethodId: other.method.id })).toMatchObject({
      status: 422,
      body: { reason: 'unknown_reference' },
    });
  });

  it('without the feature', async () => {
    const plain = await world.tenant({ features: [] });
    for (const [verb, path] of [
      ['POST', 'top-up'],
      ['GET', 'top-ups'],
      ['GET', `top-ups/${newUuid()}`],
      ['POST', 'auto-top-up'],
      ['GET', 'auto-top-up'],
      ['PUT', `auto-top-up/${newUuid()}`],
      ['DELETE', `auto-top-up/${newUuid()}`],
    ] as const)
      expect(
        await plain.call(verb, `/api/wallet/${path}`, verb === 'GET' || verb === 'DELETE' ? undefined : {}),
      ).toMatchObject({
        status: 403,
        body: { reason: 'feature_not_enabled' },
      });
  });
});

describe('an automatic top-up', () => {
  it('starts when a balance falls below the threshold, and only then', async () => {
    const { customer } = await payer();
    const created = await rule(customer);
    expect(created).toMatchObject({
      status: 201,
      body: {
        customerId: customer,
        currencyCode: 'EUR',
        thresholdAmount: 20,
        topUpAmount: 50,
        paymentMethodId: null,
        enabled: true,
        consecutiveFailures: 0,
      },
    });
    await adjust(customer, 30);
    await adjust(customer, -10);
    expect(await topUpsOf(customer)).toEqual([]);
    await adjust(customer, -0.01);
    await eventually(async () => (await tenant.balance(customer)) === 6999);
    expect(await topUpsOf(customer)).toMatchObject([
      { automatic: true, status: 'completed', requestedAmount: { amount: 5000 } },
    ]);
  });

  it('starts after credit has paid an invoice; its own top-up starts no other', async () => {
    const { customer } = await payer();
    const waiting = await tenant.method(customer, 'bank_transfer', { isDefault: false });
    await rule(customer, { thresholdAmount: 500, topUpAmount: 5 });
    await adjust(customer, 40);
    await tenant.finalize({ customerId: customer, gross: 3000, method: waiting.id });
    await eventually(async () => (await tenant.balance(customer)) === 1500);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(await topUpsOf(customer)).toHaveLength(1);
  });

  it('is never under way twice for one wallet', async () => {
    const { customer } = await payer('fake_provider');
    await rule(customer, { thresholdAmount: 1000, topUpAmount: 1.17 });
    await adjust(customer, 100);
    await Promise.all(Array.from({ length: 20 }, () => adjust(customer, -1)));
    await eventually(async () => (await topUpsOf(customer)).length > 0);
    await adjust(customer, -1);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(await topUpsOf(customer)).toHaveLength(1);
    expect(await tenant.balance(customer)).toBe(7900);
  });

  it('switches its rule off after five failures in a row, and publishes that; switched on again it forgets them', async () => {
    const { customer } = await payer('fake_provider');
    const { body } = await rule(customer, { topUpAmount: 1.13 });
    await adjust(customer, 10);
    for (let failures = 1; failures <= 5; failures++) {
      await adjust(customer, -1);
      await eventually(
        async () => (await topUpsOf(customer)).filter(({ status }) => status === 'failed').length === failures,
      );
    }
    const { items } = await tenant.ok('GET', `/api/wallet/auto-top-up?customerId=${customer}`);
    expect(items).toMatchObject([{ id: body.id, enabled: false, consecutiveFailures: 5 }]);
    expect((await tenant.events(body.id)).map(({ type, payload }) => [type, payload.failureReason])).toEqual([
      ['payments.wallet.auto-top-up-disabled.v1', 'card_declined'],
    ]);
    await adjust(customer, -1);
    expect(
      await tenant.ok('PUT', `/api/wallet/auto-top-up/${body.id}`, { enabled: true, topUpAmount: 30 }),
    ).toMatchObject({
      enabled: true,
      consecutiveFailures: 0,
      thresholdAmount: 20,
    });
    expect(await topUpsOf(customer)).toHaveLength(5);
    await adjust(customer, -1);
    await eventually(async () => (await tenant.balance(customer)) === 3300);
  });

  it('without a method that can be charged fails, and counts', async () => {
    const { customer } = await payer('bank_transfer');
    await rule(customer);
    await adjust(customer, 10);
    await adjust(customer, -1);
    const [failed] = await eventually(async () => {
      const found = await topUpsOf(customer);
      return found.length > 0 && found;
    });
    expect(failed).toMatchObject({ status: 'failed', failureReason: 'payment_method_required', automatic: true });
  });
});

describe('rules', () => {
  it('are one per customer and currency, also when two are made at once', async () => {
    const { customer } = await payer();
    const answers = await Promise.all(Array.from({ length: 8 }, () => rule(customer)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    for (const answer of answers.filter(({ status }) => status !== 201))
      expect(answer).toMatchObject({ status: 400, body: { reason: 'already_exists' } });
    expect((await rule(customer, { currencyCode: 'USD' })).status).toBe(201);
  });

  it('can be sent back as they were answered: what the service sets is accepted and ignored', async () => {
    const { customer } = await payer();
    const made = (await rule(customer)).body;
    const sent = { ...made, thresholdAmount: 30, consecutiveFailures: 3, id: newUuid() };
    expect(await tenant.ok('PUT', `/api/wallet/auto-top-up/${made.id}`, sent)).toMatchObject({
      id: made.id,
      thresholdAmount: 30,
      consecutiveFailures: 0,
    });
    expect(await topUp(customer, { id: newUuid(), status: 'completed', creditedAmount: null })).toMatchObject({
      status: 201,
      body: { status: 'pending' },
    });
    const account = { iban: 'DE89370400440532013000', id: newUuid(), createdAt: '2020-01-01T00:00:00.000Z' };
    expect((await tenant.ok('POST', '/bank-accounts', account)).id).not.toBe(account.id);
    const method = { gateway: 'testing', customerId: customer, id: newUuid(), status: 'revoked', creationDate: null };
    expect((await tenant.ok('POST', '/payment-methods', method)).paymentMethod.status).toBe('active');
  });

  it('change what is given, are checked, and can be deleted', async () => {
    const { customer, method } = await payer();
    const { body } = await rule(customer);
    const change = (more: object) => tenant.call('PUT', `/api/wallet/auto-top-up/${body.id}`, more);
    expect((await change({ thresholdAmount: 22.5 })).body).toMatchObject({
      thresholdAmount: 22.5,
      topUpAmount: 50,
      enabled: true,
    });
    expect((await change({ paymentMethodId: method.id })).body.paymentMethodId).toBe(method.id);
    expect((await change({ paymentMethodId: null, enabled: false })).body).toMatchObject({
      paymentMethodId: null,
      enabled: false,
    });
    expect(await change({ topUpAmount: 0 })).toMatchObject({ status: 422, body: { reason: 'validation_failed' } });
    expect(await change({ paymentMethodId: newUuid() })).toMatchObject({
      status: 422,
      body: { reason: 'unknown_reference' },
    });
    expect((await tenant.call('DELETE', `/api/wallet/auto-top-up/${body.id}`)).status).toBe(204);
    expect((await tenant.call('DELETE', `/api/wallet/auto-top-up/${body.id}`)).status).toBe(404);
    expect((await change({ enabled: true })).status).toBe(404);
  });
});

describe('a token that is bound to a customer', () => {
  it('acts for that customer alone, also in reading', async () => {
    const [payerA, other] = [await payer(), await payer()];
    const foreign = await rule(other.customer);
    const theirs = await topUp(other.customer);
    await ended(theirs.body.id, 'completed');
    const caller = customerPrincipal(tenant.id, payerA.customer);
    const call = (verb: string, path: string, body?: unknown) => world.http(caller, verb, `/api/wallet/${path}`, body);
    const started = await call('POST', 'top-up', { amount: 5, currencyCode: 'EUR' });
    expect(started).toMatchObject({ status: 201, body: { customerId: payerA.customer } });
    await ended(started.body.id, 'completed');
    expect((await call('POST', 'top-up', { customerId: payerA.customer, amount: 5, currencyCode: 'EUR' })).status).toBe(
      201,
    );
    expect((await call('GET', 'top-ups')).body.count).toBe(2);
    const every = 'status[]=pending&status[]=completed&status[]=failed';
    expect((await call('GET', `top-ups?${every}`)).body.count).toBe(2);
    expect((await call('GET', 'top-ups?status=failed')).body.count).toBe(0);
    expect((await call('GET', 'top-ups?status=lost')).status).toBe(400);
    for (const answer of [
      await call('POST', 'top-up', { customerId: other.customer, amount: 5, currencyCode: 'EUR' }),
      await call('GET', `top-ups?customerId=${other.customer}`),
      await call('GET', `top-ups/${theirs.body.id}`),
      await call('POST', 'auto-top-up', {
        customerId: other.customer,
        currencyCode: 'EUR',
        thresholdAmount: 1,
        topUpAmount: 1,
      }),
      await call('GET', `auto-top-up?customerId=${other.customer}`),
      await call('PUT', `auto-top-up/${foreign.body.id}`, { enabled: false }),
      await call('DELETE', `auto-top-up/${foreign.body.id}`),
    ])
      expect(answer).toMatchObject({ status: 403, body: { reason: 'foreign_customer' } });
    expect((await call('POST', `top-ups/${theirs.body.id}/confirm`, {})).status).toBe(403);
    const created = await call('POST', 'auto-top-up', { currencyCode: 'EUR', thresholdAmount: 1, topUpAmount: 1 });
    expect(created).toMatchObject({ status: 201, body: { customerId: payerA.customer } });
    expect((await call('GET', 'auto-top-up')).body).toMatchObject({ count: 1, items: [{ id: created.body.id }] });
    const change = (customerId: string | null) =>
      call('PUT', `auto-top-up/${created.body.id}`, { customerId, topUpAmount: 2 });
    expect(await change(other.customer)).toMatchObject({ status: 403, body: { reason: 'foreign_customer' } });
    expect((await tenant.ok('GET', `/api/wallet/auto-top-up?customerId=${payerA.customer}`)).items).toMatchObject([
      { topUpAmount: 1 },
    ]);
    for (const named of [payerA.customer, null])
      expect(await change(named)).toMatchObject({ status: 200, body: { topUpAmount: 2 } });
    // For everybody else the field is read-only.
    expect(
      await tenant.ok('PUT', `/api/wallet/auto-top-up/${created.body.id}`, { customerId: other.customer }),
    ).toMatchObject({ customerId: payerA.customer });
    expect((await call('DELETE', `auto-top-up/${created.body.id}`)).status).toBe(204);
    await eventually(async () => (await tenant.balance(payerA.customer)) === 1000);
  });
});
