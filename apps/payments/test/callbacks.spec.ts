import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newUuid } from '@kontor/kernel';
import { Log } from '@kontor/service-kit';
import { createHmac } from 'node:crypto';
import type { GatewayOutcome } from '../src/domain/gateways/gateway-outcome.js';
import { Gateways } from '../src/gateways/port/payment-gateway.js';
import { OpenIntents } from '../src/intents/open-intents.js';
import { Provider } from './provider.js';
import { eventually } from '@kontor/testing';
import { type Json, type Tenant, World } from './world.js';

let provider: Provider;
let world: World;
let tenant: Tenant;
let events = 0;

beforeAll(async () => {
  provider = await Provider.start();
  world = await World.start({
    STRIPE_SECRET_KEY: 'sk_test_1',
    STRIPE_WEBHOOK_SECRET: 'whsec_1',
    STRIPE_API_BASE: provider.url,
    GOCARDLESS_ACCESS_TOKEN: 'gc',
    GOCARDLESS_WEBHOOK_SECRET: 'gc_secret',
    GOCARDLESS_API_BASE: provider.url,
  });
  tenant = await world.tenant();
});
afterAll(async () => {
  await world.stop();
  await provider.stop();
});

async function post(
  gateway: string,
  body: string,
  headers: Record<string, string>,
): Promise<{ status: number; body: Json }> {
  const response = await fetch(`${world.service.url}/public/payment/callbacks/${gateway}`, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', ...headers },
  });
  return { status: response.status, body: await response.json() };
}
function stripe(type: string, object: object, id = `evt_${++events}`) {
  const body = JSON.stringify({ id, type, data: { object } });
  const t = Math.floor(Date.now() / 1000);
  return post('card_provider', body, {
    'stripe-signature': `t=${t},v1=${createHmac('sha256', 'whsec_1').update(`${t}.${body}`).digest('hex')}`,
  });
}
function goCardless(...list: object[]) {
  const body = JSON.stringify({ events: list });
  return post('debit_provider', body, {
    'webhook-signature': createHmac('sha256', 'gc_secret').update(body).digest('hex'),
  });
}
const acted = () =>
  eventually(
    async () => (await world.test.peek(`SELECT 1 FROM gateway_notice WHERE processed_at IS NULL`)).length === 0,
    'all notices',
  );
const statusIs = (invoiceId: string, status: string) =>
  eventually(async () => (await tenant.intent(invoiceId)).status === status, status);
const transactionOf = async (customerId: string): Promise<Json> =>
  (await tenant.ok('GET', `/payment/transactions?customer=${customerId}`)).data.at(-1);

async function cardInvoice(answer: () => { status?: number; body: unknown } | 'hangs up', gross = 5000) {
  const customerId = await tenant.customer();
  provider.reset({
    'POST /v1/customers': () => ({ body: { id: 'cus_1' } }),
    'POST /v1/setup_intents': () => ({
      body: {
        id: 'seti_1',
        status: 'succeeded',
        payment_method: {
          id: `pm_${customerId}`,
          card: { brand: 'visa', last4: '4242', exp_month: 1, exp_year: 2040 },
        },
      },
    }),
    'GET /v1/payment_methods/': () => ({ body: { customer: 'cus_1' } }),
    'POST /v1/payment_intents': answer,
    'GET /v1/payment_intents/search': () => ({ body: { data: [] } }),
  });
  const method = await tenant.method(customerId, 'card_provider', {
    cardProvider: { paymentMethodId: 'pm_card_visa' },
  });
  const [invoiceId] = await tenant.finalize({ customerId, gross });
  return { customerId, method, invoiceId: invoiceId! };
}
const balances = async (): Promise<number[]> => {
  const { data } = await tenant.ok('GET', '/ledger/accounts?limit=100');
  return ['fees', 'gateway_clearing'].map((code) => data.find((it: Json) => it.code === code)?.balance.amount ?? 0);
};
const about = (id: string) => ({ metadata: { kontor_tenant: tenant.id, kontor_transaction: id } });

const needsOwner = (id: string) => ({
  status: 402,
  body: { error: { type: 'card_error', code: 'authentication_required', payment_intent: { id } } },
});

describe('call-backs of a card provider', () => {
  it('ten times, with the answer of the call and the sweeper: one credit', async () => {
    const { customerId, method, invoiceId } = await cardInvoice(() => ({
      body: { id: 'pi_one', status: 'succeeded' },
    }));
    expect(method).toMatchObject({ status: 'active', name: 'Visa •••• 4242' });
    await statusIs(invoiceId, 'succeeded');
    const { id } = await transactionOf(customerId);
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, i) =>
        stripe(
          'payment_intent.succeeded',
          { id: 'pi_one', status: 'succeeded', ...about(id) },
          i < 5 ? 'evt_same' : undefined,
        ),
      ),
    );
    expect(answers.map((answer) => answer.status)).toEqual(Array.from({ length: 10 }, () => 200));
    await acted();
    expect(await world.test.peek(`SELECT 1 FROM gateway_notice WHERE event_id = 'evt_same'`)).toHaveLength(1);
    expect(await tenant.intent(invoiceId)).toMatchObject({ openAmount: { amount: 0 } });
    expect(await tenant.balance(customerId)).toBe(0);
    expect(await tenant.broken()).toEqual([]);
  });

  it('no answer, then a call-back: booked once, and the repeat under the same key changes nothing', async () => {
    const { customerId, invoiceId } = await cardInvoice(() => 'hangs up');
    await eventually(
      async () => (await world.test.peek(`SELECT 1 FROM due_work WHERE kind = 'payments.sweep_collection'`)).length > 0,
    );
    expect((await tenant.intent(invoiceId)).status).toBe('processing');
    const { id } = await transactionOf(customerId);
    await stripe('payment_intent.succeeded', { id: 'pi_late', status: 'succeeded', ...about(id) });
    await statusIs(invoiceId, 'succeeded');
    provider.answers['POST /v1/payment_intents'] = () => ({ body: { id: 'pi_late', status: 'succeeded' } });
    await world.test.peek(
      `UPDATE due_work SET due_at = now(), poll_at = now() WHERE kind = 'payments.sweep_collection'`,
    );
    await eventually(
      async () =>
        (await world.test.peek(`SELECT 1 FROM due_work WHERE kind = 'payments.sweep_collection'`)).length === 0,
    );
    expect(await tenant.balance(customerId)).toBe(0);
    expect(await tenant.broken()).toEqual([]);
  });

  it('the payer confirms: what needed an action succeeds', async () => {
    const { customerId, invoiceId } = await cardInvoice(() => needsOwner('pi_3ds'));
    await eventually(async () => (await transactionOf(customerId))?.status === 'action_required', 'the action');
    await stripe('payment_intent.succeeded', { id: 'pi_3ds', status: 'succeeded' });
    await statusIs(invoiceId, 'succeeded');
  });

  it('a chargeback opens the invoice again, once, and its fee is booked', async () => {
    const { customerId, invoiceId } = await cardInvoice(() => ({ body: { id: 'pi_back', status: 'succeeded' } }));
    await statusIs(invoiceId, 'succeeded');
    const dispute = {
      payment_intent: 'pi_back',
      amount: 5000,
      reason: 'fraudulent',
      balance_transactions: [{ fee: 1500 }],
    };
    await stripe('charge.dispute.funds_withdrawn', dispute);
    await stripe('charge.dispute.funds_withdrawn', dispute);
    await acted();
    expect(await tenant.intent(invoiceId)).toMatchObject({ status: 'open', openAmount: { amount: 5000 } });
    const { data } = await tenant.ok('GET', `/payment/transactions?customer=${customerId}&type=return`);
    expect(data).toMatchObject([{ type: 'return', amount: { amount: 5000 }, feeAmount: { amount: 1500 } }]);
    expect(await tenant.broken()).toEqual([]);
  });

  it('the fee of a dispute is booked, once, where its return was reported before by hand and without it', async () => {
    const { customerId, invoiceId } = await cardInvoice(() => ({ body: { id: 'pi_by_hand', status: 'succeeded' } }));
    await statusIs(invoiceId, 'succeeded');
    const { id } = (await transactionOf(customerId))!;
    await tenant.ok('POST', `/payment/transactions/${id}/return`, { reason: 'disputed' });
    const [fees, clearing] = await balances();
    const dispute = {
      payment_intent: 'pi_by_hand',
      amount: 5000,
      reason: 'fraudulent',
      balance_transactions: [{ fee: 1500 }],
    };
    await stripe('charge.dispute.funds_withdrawn', dispute);
    await stripe('charge.dispute.funds_withdrawn', dispute);
    await acted();
    expect(await balances()).toEqual([fees! + 1500, clearing! - 1500]);
    expect(await tenant.intent(invoiceId)).toMatchObject({ status: 'open', openAmount: { amount: 5000 } });
    expect(await tenant.broken()).toEqual([]);
  });

  it('a dispute over a part of a payment opens the invoice by as much, once, after the payment too', async () => {
    const { customerId, invoiceId } = await cardInvoice(() => needsOwner('pi_part'));
    await eventually(async () => (await transactionOf(customerId))?.status === 'action_required', 'the action');
    const { id } = await transactionOf(customerId);
    const dispute = { id: 'dp_1', payment_intent: 'pi_part', amount: 1500, reason: 'product_unacceptable' };
    await stripe('charge.dispute.funds_withdrawn', dispute);
    await acted();
    await stripe('charge.dispute.funds_withdrawn', dispute);
    await stripe('payment_intent.succeeded', { id: 'pi_part', status: 'succeeded', ...about(id) });
    await acted();
    expect(await tenant.intent(invoiceId)).toMatchObject({ status: 'open', openAmount: { amount: 1500 } });
    await stripe('charge.dispute.funds_withdrawn', { ...dispute, id: 'dp_2', amount: 5000 });
    await acted();
    expect(await tenant.intent(invoiceId)).toMatchObject({ status: 'open', openAmount: { amount: 5000 } });
    const { data } = await tenant.ok('GET', `/payment/transactions?customer=${customerId}&type=return`);
    expect(data.map(({ amount }: Json) => amount.amount)).toEqual([3500, 1500]);
    expect(await tenant.broken()).toEqual([]);
  });

  it('a chargeback that is reported before the payment is one of it: what was paid went back', async () => {
    const { customerId, invoiceId } = await cardInvoice(() => needsOwner('pi_soon'));
    await eventually(async () => (await transactionOf(customerId))?.status === 'action_required', 'the action');
    const { id } = await transactionOf(customerId);
    const fees = { balance_transactions: [{ fee: 1500 }] };
    await stripe('charge.dispute.funds_withdrawn', {
      payment_intent: 'pi_soon',
      amount: 5000,
      reason: 'fraud',
      ...fees,
    });
    await acted();
    await stripe('payment_intent.succeeded', { id: 'pi_soon', status: 'succeeded', ...about(id) });
    await acted();
    expect(await tenant.intent(invoiceId)).toMatchObject({ status: 'open', openAmount: { amount: 5000 } });
    const { data } = await tenant.ok('GET', `/payment/transactions?customer=${customerId}&type=return`);
    expect(data).toMatchObject([{ amount: { amount: 5000 }, feeAmount: { amount: 1500 } }]);
    expect(await tenant.broken()).toEqual([]);
  });

  it.each([
    ['payment_intent.payment_failed', 'requires_payment_method'],
    ['payment_intent.canceled', 'canceled'],
  ])('%s that comes after the success is over: nothing goes back', async (type, status) => {
    const reference = `pi_after_${status}`;
    const paid = { id: reference, status: 'succeeded' };
    const { customerId, invoiceId } = await cardInvoice(() => ({ body: paid }));
    await statusIs(invoiceId, 'succeeded');
    provider.answers[`GET /v1/payment_intents/${reference}`] = () => ({ body: paid });
    const { id } = await transactionOf(customerId);
    await stripe(type, { id: reference, status, last_payment_error: { code: 'card_declined' }, ...about(id) });
    await acted();
    expect(await tenant.intent(invoiceId)).toMatchObject({ status: 'succeeded', openAmount: { amount: 0 } });
    expect(await transactionOf(customerId)).toMatchObject({ id, status: 'succeeded' });
  });

  it('a refusal is taken from the payment itself', async () => {
    const { customerId, invoiceId } = await cardInvoice(() => needsOwner('pi_no'));
    await eventually(async () => (await transactionOf(customerId))?.status === 'action_required', 'the action');
    const error = { last_payment_error: { code: 'card_declined', decline_code: 'insufficient_funds' } };
    const refused = { id: 'pi_no', status: 'requires_payment_method', ...error };
    provider.answers['GET /v1/payment_intents/pi_no'] = () => ({ body: refused });
    await stripe('payment_intent.payment_failed', { ...refused, last_payment_error: null });
    await statusIs(invoiceId, 'failed');
    expect(await transactionOf(customerId)).toMatchObject({ failReason: 'insufficient_funds' });
    expect(await tenant.broken()).toEqual([]);
  });

  it('a refund that was made at the provider is no word about the payment whose ids it repeats', async () => {
    const { customerId, invoiceId } = await cardInvoice(() => ({ body: { id: 'pi_taken', status: 'succeeded' } }));
    await statusIs(invoiceId, 'succeeded');
    const { id } = await transactionOf(customerId);
    await stripe('refund.failed', { id: 're_theirs', status: 'failed', failure_reason: 'lost', ...about(id) });
    await acted();
    expect(await tenant.intent(invoiceId)).toMatchObject({ status: 'succeeded', openAmount: { amount: 0 } });
    expect(await transactionOf(customerId)).toMatchObject({ id, status: 'succeeded' });
  });

  it.each(['nothing of ours', 'the ids of its payment'])(
    'a refund that was made at the provider, and says %s, is reported to a person',
    async (says) => {
      const payment_intent = `pi_${says}`;
      const { customerId, invoiceId } = await cardInvoice(() => ({
        body: { id: payment_intent, status: 'succeeded' },
      }));
      await statusIs(invoiceId, 'succeeded');
      const { id } = await transactionOf(customerId);
      const log = world.service.get(Log);
      const warn = log.warn.bind(log);
      const said: unknown[] = [];
      log.warn = (about: unknown) => void said.push(about);
      const refund = { id: `re_${says}`, payment_intent, ...(says !== 'nothing of ours' && about(id)) };
      await stripe('refund.failed', { ...refund, status: 'failed' });
      await stripe('refund.created', { ...refund, payment_intent: 'pi_of_another_system', status: 'succeeded' });
      expect(said).toEqual([]);
      expect(await stripe('refund.created', { ...refund, status: 'succeeded' })).toEqual({
        status: 200,
        body: { received: 0 },
      });
      expect(said).toMatchObject([{ tenantId: tenant.id, payment: payment_intent, kind: 'refund' }]);
      log.warn = warn;
    },
  );

  it('a bad signature is 400 and stores nothing; what means nothing here is 200', async () => {
    const before = (await world.test.peek(`SELECT 1 FROM gateway_notice`)).length;
    expect(await post('card_provider', '{}', { 'stripe-signature': 't=1,v1=00' })).toMatchObject({
      status: 400,
      body: { reason: 'invalid_signature' },
    });
    expect(await post('card_provider', '{}', {})).toMatchObject({ status: 400 });
    expect(await stripe('customer.created', { id: 'cus_1' })).toEqual({ status: 200, body: { received: 0 } });
    expect(await stripe('payment_intent.succeeded', { id: 'pi_of_another_system', status: 'succeeded' })).toEqual({
      status: 200,
      body: { received: 0 },
    });
    const ofAnother = {
      id: 'pi_x',
      status: 'succeeded',
      metadata: { kontor_tenant: newUuid(), kontor_transaction: newUuid() },
    };
    for (const object of [ofAnother, { ...ofAnother, ...about(newUuid()) }])
      expect(await stripe('payment_intent.succeeded', object)).toEqual({ status: 200, body: { received: 0 } });
    expect((await post('testing', '{}', {})).status).toBe(404);
    expect((await post('nobody', '{}', {})).status).toBe(404);
    expect((await world.test.peek(`SELECT 1 FROM gateway_notice`)).length).toBe(before);
  });
});

describe('debits of a provider', () => {
  it('wait for the bank, succeed days later, and can come back after that', async () => {
    const customerId = await tenant.customer();
    provider.reset({
      'GET /mandates/MD1': () => ({
        body: {
          mandates: {
            id: 'MD1',
            status: 'active',
            reference: 'REF',
            created_at: '2026-01-01T00:00:00Z',
            links: { customer_bank_account: 'BA1' },
          },
        },
      }),
      'GET /customer_bank_accounts/BA1': () => ({
        body: { customer_bank_accounts: { country_code: 'DE', account_number_ending: '11' } },
      }),
      'POST /payments': () => ({ status: 201, body: { payments: { id: 'PM1', status: 'pending_submission' } } }),
      'GET /payments/PM1': () => ({ body: { payments: { id: 'PM1', status: 'confirmed' } } }),
    });
    const method = await tenant.method(customerId, 'debit_provider', { debitProvider: { mandateId: 'MD1' } });
    const [invoiceId] = await tenant.finalize({ customerId, gross: 5000 });
    await eventually(async () => (await transactionOf(customerId))?.reference === 'PM1', 'the order');
    expect(await tenant.intent(invoiceId!)).toMatchObject({ status: 'processing' });
    // It is looked up after hours, should the call-back get lost.
    const sweep = `kind = 'payments.sweep_collection' AND due_at > now() + interval '5 hours'`;
    await eventually(async () => (await world.test.peek(`SELECT 1 FROM due_work WHERE ${sweep}`)).length === 1);
    await goCardless({ id: 'EV1', resource_type: 'payments', action: 'confirmed', links: { payment: 'PM1' } });
    await statusIs(invoiceId!, 'succeeded');
    await goCardless(
      {
        id: 'EV2',
        resource_type: 'payments',
        action: 'charged_back',
        links: { payment: 'PM1' },
        details: { reason_code: 'MD06' },
      },
      { id: 'EV3', resource_type: 'mandates', action: 'cancelled', links: { mandate: 'MD1' } },
    );
    await statusIs(invoiceId!, 'open');
    await acted();
    expect((await tenant.ok('GET', `/payment-methods/${method.id}`)).status).toBe('revoked');
    // What was returned stays so when the chargeback is cancelled: a person records the money.
    await goCardless({
      id: 'EV4',
      resource_type: 'payments',
      action: 'chargeback_cancelled',
      links: { payment: 'PM1' },
    });
    await acted();
    expect(await world.test.peek(`SELECT result FROM gateway_notice WHERE event_id = 'EV4'`)).toEqual([
      { result: 'known' },
    ]);
    expect(await tenant.intent(invoiceId!)).toMatchObject({ status: 'open' });
    expect(await tenant.broken()).toEqual([]);
  });

  it('are paid when a chargeback that came before the word of the bank is cancelled; a consumed mandate has ended', async () => {
    const customerId = await tenant.customer();
    provider.reset({
      'GET /mandates/MD2': () => ({
        body: {
          mandates: {
            id: 'MD2',
            status: 'active',
            reference: 'REF',
            created_at: '2026-01-01T00:00:00Z',
            links: { customer_bank_account: 'BA1' },
          },
        },
      }),
      'GET /customer_bank_accounts/BA1': () => ({
        body: { customer_bank_accounts: { country_code: 'DE', account_number_ending: '11' } },
      }),
      'POST /payments': () => ({ status: 201, body: { payments: { id: 'PM2', status: 'pending_submission' } } }),
      'GET /payments/PM2': () => ({ body: { payments: { id: 'PM2', status: 'paid_out' } } }),
    });
    const method = await tenant.method(customerId, 'debit_provider', { debitProvider: { mandateId: 'MD2' } });
    const [invoiceId] = await tenant.finalize({ customerId, gross: 5000 });
    await eventually(async () => (await transactionOf(customerId))?.reference === 'PM2', 'the order');
    await goCardless({
      id: 'EV5',
      resource_type: 'payments',
      action: 'charged_back',
      links: { payment: 'PM2' },
      details: { reason_code: 'MD06' },
    });
    await statusIs(invoiceId!, 'failed');
    await goCardless(
      { id: 'EV6', resource_type: 'payments', action: 'chargeback_cancelled', links: { payment: 'PM2' } },
      { id: 'EV7', resource_type: 'mandates', action: 'consumed', links: { mandate: 'MD2' } },
    );
    await statusIs(invoiceId!, 'succeeded');
    await acted();
    expect((await tenant.ok('GET', `/payment-methods/${method.id}`)).status).toBe('revoked');
    expect(await tenant.broken()).toEqual([]);
  });

  it('that fail late are asked for until the provider answers; by a mandate that replaced another they go on', async () => {
    const customerId = await tenant.customer();
    const mandate = { status: 'active', reference: 'REF', links: { customer_bank_account: 'BA1' } };
    const payment = (status: string) => () => ({ body: { payments: { id: 'PM3', status } } });
    provider.reset({
      'GET /mandates/MD3': () => ({ body: { mandates: { id: 'MD3', ...mandate } } }),
      'POST /payments': () => ({ status: 201, body: { payments: { id: 'PM3', status: 'pending_submission' } } }),
      'GET /payments/PM3': payment('confirmed'),
    });
    const method = await tenant.method(customerId, 'debit_provider', { debitProvider: { mandateId: 'MD3' } });
    const [invoiceId] = await tenant.finalize({ customerId, gross: 5000 });
    await eventually(async () => (await transactionOf(customerId))?.reference === 'PM3', 'the order');
    const event = (id: string, action: string) =>
      goCardless({ id, resource_type: 'payments', action, links: { payment: 'PM3' } });
    await event('EV8', 'confirmed');
    await statusIs(invoiceId!, 'succeeded');
    provider.answers['GET /payments/PM3'] = () => ({ status: 503, body: {} });
    await event('EV9', 'failed');
    const waits = `kind = 'payments.gateway_notice' AND due_at > now() + interval '30 seconds'`;
    await eventually(async () => (await world.test.peek(`SELECT 1 FROM due_work WHERE ${waits}`)).length === 1);
    provider.answers['GET /payments/PM3'] = payment('failed');
    await world.test.peek(`UPDATE due_work SET due_at = now(), poll_at = now() WHERE ${waits}`);
    await statusIs(invoiceId!, 'open');
    await acted();

    const links = { mandate: 'MD3', new_mandate: 'MD4' };
    for (const id of ['EV10', 'EV11']) await goCardless({ id, resource_type: 'mandates', action: 'replaced', links });
    await acted();
    expect(await tenant.ok('GET', `/payment-methods/${method.id}`)).toMatchObject({
      status: 'active',
      referenceId: 'MD4',
    });
    await tenant.finalize({ customerId, gross: 700 });
    await eventually(async () => provider.asked.filter(({ path }) => path === '/payments').length === 2, 'the order');
    expect(JSON.parse(provider.last('POST /payments').body).payments.links).toEqual({ mandate: 'MD4' });

    const mandateEvent = async (id: string, action: string) => {
      await goCardless({ id, resource_type: 'mandates', action, links: { mandate: 'MD4' } });
      await acted();
      return (await tenant.ok('GET', `/payment-methods/${method.id}`)).status;
    };
    expect(await mandateEvent('EV12', 'cancelled')).toBe('revoked');
    expect(await mandateEvent('EV13', 'reinstated')).toBe('active');
    expect(await tenant.broken()).toEqual([]);
  });

  it('go back one after the other, as the provider compares their sum', async () => {
    const customerId = await tenant.customer();
    const mandate = { status: 'active', reference: 'REF', links: { customer_bank_account: 'BA1' } };
    provider.reset({
      'GET /mandates/MD5': () => ({ body: { mandates: { id: 'MD5', ...mandate } } }),
      'POST /payments': () => ({ status: 201, body: { payments: { id: 'PM5', status: 'confirmed' } } }),
      'POST /refunds': () => ({ status: 429, body: {} }),
    });
    await tenant.method(customerId, 'debit_provider', { debitProvider: { mandateId: 'MD5' } });
    const [invoiceId] = await tenant.finalize({ customerId, gross: 5000 });
    await statusIs(invoiceId!, 'succeeded');
    const refund = async (gross: number): Promise<void> => {
      const now = new Date();
      const event = tenant.event({ customerId, gross: -gross, type: 'TYPE_REFUND' }, now);
      const events = [{ ...event, payload: { ...event.payload, referencedInvoiceId: invoiceId } }];
      await world.database.tenant(tenant.id, (tx) => world.service.get(OpenIntents).execute(tx, events as never), {
        now,
      });
    };
    const waiting = `kind = 'payments.sweep_refund'`;
    const waits = (count: number) =>
      eventually(async () => (await world.test.peek(`SELECT 1 FROM due_work WHERE ${waiting}`)).length === count);
    for (const [gross, count] of [
      [1000, 1],
      [500, 2],
    ] as const) {
      await refund(gross);
      await waits(count);
    }
    const totals = () =>
      provider.asked
        .filter(({ path }) => path === '/refunds')
        .map(({ body }) => JSON.parse(body).refunds.total_amount_confirmation);
    expect(totals()).toEqual([1000]);
    provider.answers['POST /refunds'] = () => ({
      status: 201,
      body: { refunds: { id: `RF${totals().length}`, status: 'paid' } },
    });
    for (const left of [1, 0]) {
      const first = `${waiting} AND ref = (SELECT min(ref) FROM due_work WHERE ${waiting})`;
      await world.test.peek(`UPDATE due_work SET due_at = now(), poll_at = now() WHERE ${first}`);
      await waits(left);
    }
    expect(totals()).toEqual([1000, 1000, 1500]);
    const { data } = await tenant.ok('GET', `/payment/transactions?customer=${customerId}&type=refund`);
    expect(data.map(({ status }: Json) => status)).toEqual(['succeeded', 'succeeded']);
    expect(await tenant.broken()).toEqual([]);
  });
});

it('what a payer agreed to is fetched at the word of the provider, and asked for until it answers', async () => {
  const gateways = world.service.get(Gateways);
  const find = gateways.find.bind(gateways);
  let answer: GatewayOutcome = { status: 'unknown' };
  const wallet = {
    name: 'online_wallet_provider',
    register: () => Promise.resolve({ status: 'active', referenceId: 'PT1' }),
    collect: (charges: { id: string }[]) =>
      Promise.resolve(new Map(charges.map(({ id }) => [id, { status: 'action_required', reference: 'O1' }]))),
    readCallback: ({ body }: { body: Buffer }) => Promise.resolve([JSON.parse(body.toString())]),
    finishStep: () => Promise.resolve(answer),
  };
  gateways.find = (name) => (name === wallet.name ? (wallet as never) : find(name));
  const customerId = await tenant.customer();
  await tenant.method(customerId, wallet.name);
  const [invoiceId] = await tenant.finalize({ customerId, gross: 5000 });
  await eventually(async () => (await transactionOf(customerId))?.status === 'action_required', 'the action');
  const approved = { eventId: 'WH1', kind: 'approved', subject: { reference: 'O1' } };
  expect(await post(wallet.name, JSON.stringify(approved), {})).toMatchObject({ body: { received: 1 } });
  const waits = `kind = 'payments.gateway_notice' AND due_at > now() + interval '30 seconds'`;
  await eventually(async () => (await world.test.peek(`SELECT 1 FROM due_work WHERE ${waits}`)).length === 1);
  answer = { status: 'succeeded', reference: 'CAP1' };
  await world.test.peek(`UPDATE due_work SET due_at = now(), poll_at = now() WHERE ${waits}`);
  await statusIs(invoiceId!, 'succeeded');
  await post(wallet.name, JSON.stringify({ ...approved, eventId: 'WH2', subject: { reference: 'CAP1' } }), {});
  await acted();
  expect(
    await world.test.peek(`SELECT result FROM gateway_notice WHERE event_id IN ('WH1', 'WH2') ORDER BY 1`),
  ).toEqual([{ result: 'nothing_of_ours' }, { result: 'succeeded' }]);
  gateways.find = find;
});
