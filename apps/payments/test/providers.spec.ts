import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newUuid } from '@kontor/kernel';
import { eventually } from '@kontor/testing';
import { execFile } from 'node:child_process';
import { createHmac, sign } from 'node:crypto';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { crc32 } from 'node:zlib';
import type { RegistrationRequest } from '../src/gateways/port/registering-gateway.js';
import { CardProviderGateway } from '../src/gateways/stripe/card-provider.gateway.js';
import { DebitProviderGateway } from '../src/gateways/gocardless/debit-provider.gateway.js';
import { OnlineWalletGateway } from '../src/gateways/paypal/online-wallet.gateway.js';
import type { PaymentGateway } from '../src/gateways/port/payment-gateway.js';
import { Provider } from './provider.js';

let provider: Provider;
let card: CardProviderGateway;
let debit: DebitProviderGateway;
const warned: object[] = [];
const log = { warn: (fields: object) => warned.push(fields) };
let wallet: OnlineWalletGateway;
const tenantId = newUuid();
const methodId = newUuid();
const now = new Date();

beforeAll(async () => {
  provider = await Provider.start();
  card = new CardProviderGateway({ secretKey: 'sk_test_1', webhookSecret: 'whsec_1', apiBase: provider.url }, log);
  debit = new DebitProviderGateway({ accessToken: 'gc_token', webhookSecret: 'gc_secret', apiBase: provider.url }, log);
  wallet = new OnlineWalletGateway({
    clientId: 'id',
    clientSecret: 'secret',
    webhookId: 'WH-1',
    apiBase: provider.url,
  });
});
afterAll(() => provider.stop());

const registration = (gateway: RegistrationRequest['gateway'], more: Partial<RegistrationRequest> = {}): RegistrationRequest => ({
  tenantId, methodId, customerId: newUuid(), customer: { email: 'a@example.com', name: 'Ada Lovelace', language: 'de', countryCode: 'DE' }, gateway,
  redirectUrl: 'https://pay.example/return', cardProvider: null, debitProvider: null, ...more,
}); // prettier-ignore
const charge = (amountMinor: bigint, currencyCode = 'EUR', methodReference: string | null = 'ref') => ({
  id: newUuid(),
  amountMinor,
  currencyCode,
  methodReference,
});
const collectOne = async (gateway: PaymentGateway, asked: ReturnType<typeof charge>) =>
  (await gateway.collect([asked], { tenantId, now })).get(asked.id);
const readCallback = (
  gateway: PaymentGateway,
  body: string,
  headers: Record<string, string>,
  receivedAt = new Date(),
) => gateway.readCallback!({ headers, body: Buffer.from(body), receivedAt });

describe('card_provider (Stripe)', () => {
  it('a payment that its owner has to confirm leads to a page, once it is confirmed with the owner there', async () => {
    const waiting = { ...charge(1917n, 'EUR', 'pm_1'), reference: 'pi_3', returnUrl: 'https://pay.example/return' };
    const nextAction = { redirect_to_url: { url: 'https://bank.example/3ds' } };
    provider.reset({
      'POST /v1/payment_intents/pi_3/confirm': () => ({
        body: { id: 'pi_3', status: 'requires_action', next_action: nextAction },
      }),
      'GET /v1/payment_intents/pi_3': () => ({
        body: {
          id: 'pi_3',
          status: 'requires_payment_method',
          last_payment_error: { decline_code: 'authentication_required' },
        },
      }),
    });
    expect(await card.payerStep(waiting)).toEqual({ actionUrl: 'https://bank.example/3ds' });
    expect(provider.last('POST /v1/payment_intents/pi_3/confirm').form).toEqual({
      payment_method: 'pm_1',
      return_url: 'https://pay.example/return',
    });
    provider.answers['GET /v1/payment_intents/pi_3'] = () => ({ body: { id: 'pi_3', status: 'succeeded' } });
    expect(await card.payerStep(waiting)).toEqual({ status: 'succeeded', reference: 'pi_3' });
    provider.answers['GET /v1/payment_intents/pi_3'] = () => ({
      body: { id: 'pi_3', status: 'requires_action', next_action: nextAction },
    });
    expect(await card.payerStep(waiting)).toEqual({ actionUrl: 'https://bank.example/3ds' });
  });

  it('a payer who clicks twice is led to the page that the first click asks for', async () => {
    const waiting = { ...charge(1917n, 'EUR', 'pm_1'), reference: 'pi_5', returnUrl: 'https://pay.example/return' };
    const intent = { id: 'pi_5', last_payment_error: { decline_code: 'authentication_required' } };
    let isConfirmed = false;
    provider.reset({
      'POST /v1/payment_intents/pi_5/confirm': () => {
        setTimeout(() => (isConfirmed = true), 200);
        return { status: 409, body: { error: { type: 'idempotency_error', code: 'idempotency_key_in_use' } } };
      },
      'GET /v1/payment_intents/pi_5': () => ({
        body: isConfirmed
          ? { ...intent, status: 'requires_action', next_action: { redirect_to_url: { url: 'https://bank.example' } } }
          : { ...intent, status: 'requires_payment_method' },
      }),
    });
    expect(await card.payerStep(waiting)).toEqual({ actionUrl: 'https://bank.example' });
  });

  const setup = {
    id: 'seti_1',
    status: 'succeeded',
    payment_method: {
      id: 'pm_1',
      card: { brand: 'visa', last4: '4242', exp_month: 4, exp_year: 2031 },
      billing_details: { name: 'Ada' },
    },
  };

  it('the payer enters the card on a page of Checkout; afterwards the method is known', async () => {
    provider.reset({
      'POST /v1/customers': () => ({ body: { id: 'cus_1' } }),
      'POST /v1/checkout/sessions': () => ({ body: { id: 'cs_1', url: 'https://checkout.stripe.com/c/cs_1' } }),
      'GET /v1/checkout/sessions/cs_1': () => ({ body: { id: 'cs_1', status: 'complete', setup_intent: setup } }),
    });
    expect(await card.register(registration('card_provider'))).toEqual({
      status: 'action_required',
      referenceId: 'cs_1',
      actionUrl: 'https://checkout.stripe.com/c/cs_1',
    });
    const session = provider.last('POST /v1/checkout/sessions');
    expect(session.headers).toMatchObject({
      authorization: 'Bearer sk_test_1',
      'idempotency-key': `${methodId}-session`,
      'content-type': 'application/x-www-form-urlencoded',
    });
    expect(session.form).toMatchObject({
      mode: 'setup',
      customer: 'cus_1',
      'payment_method_types[0]': 'card',
      success_url: 'https://pay.example/return',
      'setup_intent_data[metadata][kontor_method]': methodId,
    });
    expect(await card.registration({ tenantId, methodId, referenceId: 'cs_1' })).toMatchObject({
      status: 'active',
      referenceId: 'pm_1',
      card: { brand: 'visa', last4: '4242', expMonth: 4, expYear: 2031, cardHolder: 'Ada' },
    });
  });

  it('a token of its form is confirmed at once, or wants the payer', async () => {
    provider.reset({
      'POST /v1/customers': () => ({ body: { id: 'cus_1' } }),
      'POST /v1/setup_intents': () => ({
        body: {
          id: 'seti_1',
          status: 'requires_action',
          next_action: { redirect_to_url: { url: 'https://hooks.stripe.com/3ds' } },
        },
      }),
    });
    const token = { cardProvider: { paymentMethodId: 'pm_card_visa' } };
    expect(await card.register(registration('card_provider', token))).toMatchObject({
      status: 'action_required',
      actionUrl: 'https://hooks.stripe.com/3ds',
    });
    expect(provider.last('POST /v1/setup_intents').form).toMatchObject({
      payment_method: 'pm_card_visa',
      confirm: 'true',
      usage: 'off_session',
    });
    provider.reset({
      'POST /v1/customers': () => ({ body: { id: 'cus_1' } }),
      'POST /v1/setup_intents': () => ({
        status: 402,
        body: { error: { type: 'card_error', code: 'card_declined', decline_code: 'stolen_card' } },
      }),
    });
    expect(await card.register(registration('card_provider', token))).toMatchObject({
      status: 'failed',
      failReason: 'stolen_card',
    });
  });

  it('charges off-session with the method’s customer, and tells declines, wrong requests and silence apart', async () => {
    const answer = (status: number, error: object) => {
      provider.answers['POST /v1/payment_intents'] = () => ({ status, body: { error } });
      return collectOne(card, charge(1999n, 'EUR', 'pm_9'));
    };
    provider.reset({
      'GET /v1/payment_methods/pm_9': () => ({ body: { id: 'pm_9', customer: 'cus_9' } }),
      'POST /v1/payment_intents': () => ({ body: { id: 'pi_1', status: 'succeeded' } }),
    });
    const asked = charge(1999n, 'EUR', 'pm_9');
    expect(await collectOne(card, asked)).toEqual({ status: 'succeeded', reference: 'pi_1' });
    const request = provider.last('POST /v1/payment_intents');
    expect(request.headers['idempotency-key']).toBe(asked.id);
    expect(request.form).toEqual({
      amount: '1999', currency: 'eur', customer: 'cus_9', payment_method: 'pm_9', 'payment_method_types[0]': 'card', off_session: 'true', confirm: 'true',
      'metadata[kontor_tenant]': tenantId, 'metadata[kontor_transaction]': asked.id,
    }); // prettier-ignore
    expect(await answer(402, { type: 'card_error', code: 'card_declined', decline_code: 'stolen_card' })).toMatchObject(
      {
        status: 'declined',
        reason: 'stolen_card',
      },
    );
    expect(await answer(400, { type: 'invalid_request_error', code: 'amount_too_small' })).toMatchObject({
      status: 'declined',
      final: true,
    });
    for (const [status, type] of [
      [500, 'api_error'],
      [429, 'rate_limit_error'],
      [401, 'invalid_request_error'],
      [409, 'idempotency_error'],
      [400, 'idempotency_error'],
    ] as const)
      // prettier-ignore
      expect(await answer(status, { type })).toBeUndefined();
    expect(await collectOne(card, charge(1999n, 'EUR', 'pm_gone'))).toMatchObject({
      status: 'declined',
      reason: 'method_gone',
      final: true,
    });
  });

  it('amounts are written, and read, in the units in which it counts each currency', async () => {
    provider.reset({
      'GET /v1/payment_methods/pm_9': () => ({ body: { id: 'pm_9', customer: 'cus_9' } }),
      'POST /v1/payment_intents': () => ({ body: { id: 'pi_1', status: 'succeeded' } }),
      'POST /v1/refunds': () => ({ body: { id: 're_1', status: 'succeeded' } }),
    });
    const amount = async (minor: bigint, currency: string) => {
      const outcome = await collectOne(card, charge(minor, currency, 'pm_9'));
      return outcome?.status === 'succeeded' ? provider.last('POST /v1/payment_intents').form['amount'] : outcome;
    };
    for (const [minor, currency, expected] of [
      [11_900n, 'ISK', '1190000'],
      [500n, 'UGX', '50000'],
      [11_900n, 'MGA', '119'],
      [500n, 'JPY', '500'],
      [1990n, 'KWD', '1990'],
      [1999n, 'HUF', '1999'],
    ] as const)
      expect([currency, await amount(minor, currency)]).toEqual([currency, expected]);
    const refused = { status: 'declined', reason: 'currency_not_supported' };
    expect(await amount(11_950n, 'MGA')).toEqual({ ...refused, final: true });
    const refund = async (amountMinor: bigint, currencyCode: string) => {
      const id = newUuid();
      const asked = {
        id,
        amountMinor,
        currencyCode,
        paymentReference: 'pi_1',
        totalRefundedMinor: amountMinor,
        isTotalUnsure: false,
      };
      return (await card.refund([asked], { tenantId, now })).get(id);
    };
    expect(await refund(11_900n, 'ISK')).toEqual({ status: 'succeeded', reference: 're_1' });
    expect(provider.last('POST /v1/refunds').form['amount']).toBe('1190000');
    expect(await refund(11_950n, 'MGA')).toEqual(refused);
    const dispute = async (currency: string, balance: object[]) => {
      const object = { payment_intent: 'pi_1', amount: 1_190_000, currency, balance_transactions: balance };
      const body = event('charge.dispute.funds_withdrawn', object);
      return (await readCallback(card, body, signed(body)))[0];
    };
    expect(await dispute('isk', [{ fee: 150_000, currency: 'isk' }])).toMatchObject({
      amountMinor: '11900',
      feeMinor: '1500',
    });
    expect(await dispute('mga', [{ fee: 1500, currency: 'eur' }])).toMatchObject({
      amountMinor: '119000000',
      feeMinor: '0',
    });
  });

  it('says that a dispute was won, which books nothing', async () => {
    const body = event('charge.dispute.funds_reinstated', { payment_intent: 'pi_1', amount: 500, currency: 'eur' });
    expect(await readCallback(card, body, signed(body))).toEqual([]);
    expect(warned.splice(0)).toMatchObject([{ gateway: 'card_provider', payment: 'pi_1' }]);
  });

  it('what was asked for without an answer is looked up by our id', async () => {
    const asked = charge(1n);
    provider.reset({
      'GET /v1/payment_intents/search': () => ({
        body: {
          data: [{ id: 'pi_7', status: 'requires_payment_method', last_payment_error: { code: 'expired_card' } }],
        },
      }),
    });
    expect((await card.lookUp([asked])).get(asked.id)).toMatchObject({ status: 'declined', reason: 'expired_card' });
    expect(provider.last('GET').path).toContain(
      encodeURIComponent(`metadata['kontor_transaction']:'${asked.id}'`).replaceAll("'", '%27'),
    );
    provider.answers['GET /v1/payment_intents/search'] = () => ({ body: { data: [] } });
    expect((await card.lookUp([asked])).size).toBe(0);
    for (const status of [400, 503]) {
      provider.answers['GET /v1/payment_intents/search'] = () => ({ status, body: { error: {} } });
      expect((await card.lookUp([asked])).get(asked.id)).toEqual({ status: 'unknown' });
    }
  });

  it('a refund that was asked for without an answer is looked up by our id among those of its payment', async () => {
    const asked = {
      id: newUuid(), amountMinor: 500n, currencyCode: 'EUR', paymentReference: 'pi_1', totalRefundedMinor: 500n, isTotalUnsure: false,
    }; // prettier-ignore
    const lookUp = async (body: object, status = 200) => {
      provider.reset({ 'GET /v1/refunds': () => ({ status, body }) });
      return (await card.lookUpRefunds([asked])).get(asked.id);
    };
    const others = { id: 're_1', status: 'succeeded', metadata: { kontor_transaction: newUuid() } };
    const ours = { id: 're_2', status: 'succeeded', metadata: { kontor_transaction: asked.id } };
    expect(await lookUp({ data: [others, ours], has_more: true })).toEqual({ status: 'succeeded', reference: 're_2' });
    expect(provider.last('GET').path).toContain('payment_intent=pi_1');
    expect(await lookUp({ data: [others], has_more: false })).toBeUndefined();
    expect(await lookUp({ data: [others], has_more: true })).toEqual({ status: 'unknown' });
    for (const status of [401, 404, 503]) expect(await lookUp({ error: {} }, status)).toEqual({ status: 'unknown' });
  });

  it('a refund whose name is known is looked up by that', async () => {
    const asked = {
      id: newUuid(), amountMinor: 500n, currencyCode: 'EUR', paymentReference: 'x', totalRefundedMinor: 500n, isTotalUnsure: false,
    }; // prettier-ignore
    const token = { body: { access_token: 't', expires_in: 3600 } };
    for (const [gateway, path, done, lost, envelope] of [
      [card, '/v1/refunds/r1', 'succeeded', 'failed', null],
      [wallet, '/v2/payments/refunds/r1', 'COMPLETED', 'FAILED', null],
      [debit, '/refunds/r1', 'paid', 'bounced', 'refunds'],
    ] as const) {
      const lookUp = async (state: string, status = 200) => {
        const refund = { id: 'r1', status: state };
        provider.reset({
          'POST /v1/oauth2/token': () => token,
          [`GET ${path}`]: () => ({ status, body: envelope ? { [envelope]: refund } : refund }),
        });
        return (await gateway.lookUpRefunds([{ ...asked, reference: 'r1' }])).get(asked.id);
      };
      expect(await lookUp(done)).toEqual({ status: 'succeeded', reference: 'r1' });
      expect(await lookUp(lost)).toMatchObject({ status: 'declined', reference: 'r1' });
      for (const status of [401, 404, 503]) expect(await lookUp(done, status)).toBeUndefined();
    }
    // By our id neither finds one: GoCardless recognizes it when it is asked for again, PayPal only for a time.
    expect((await wallet.lookUpRefunds([asked])).get(asked.id)).toEqual({ status: 'unknown' });
    expect((await debit.lookUpRefunds([asked])).has(asked.id)).toBe(false);
  });

  const signed = (body: string, at = Date.now(), secret = 'whsec_1') => {
    const t = Math.floor(at / 1000);
    return {
      'stripe-signature': `t=${t},v1=${createHmac('sha256', secret).update(`${t}.${body}`).digest('hex')},v0=00`,
    };
  };
  const event = (type: string, object: object) => JSON.stringify({ id: 'evt_1', type, data: { object } });

  it('takes signed call-backs of the last minutes only', async () => {
    const body = event('payment_intent.succeeded', {
      id: 'pi_1',
      status: 'succeeded',
      metadata: { kontor_tenant: tenantId, kontor_transaction: methodId },
    });
    expect(await readCallback(card, body, signed(body))).toEqual([
      {
        eventId: 'evt_1',
        kind: 'collection',
        subject: { tenantId, transactionId: methodId },
        outcome: { status: 'succeeded', reference: 'pi_1' },
      },
    ]);
    const refused: Record<string, string>[] = [
      {},
      { 'stripe-signature': 'nonsense' },
      signed(body, Date.now(), 'other'),
      signed(`${body} `),
      signed(body, Date.now() - 600_000),
    ];
    for (const headers of refused) await expect(readCallback(card, body, headers)).rejects.toThrow();
    await expect(
      readCallback(
        new CardProviderGateway({ secretKey: 'k', webhookSecret: undefined, apiBase: '' }, log),
        body,
        signed(body),
      ),
    ).rejects.toThrow();
  });

  it('reads chargebacks, refunds, set-ups and detached cards, and ignores the rest', async () => {
    const read = async (type: string, object: object) => {
      const body = event(type, object);
      return (await readCallback(card, body, signed(body)))[0];
    };
    expect(
      await read('charge.dispute.funds_withdrawn', {
        payment_intent: 'pi_1',
        amount: 1999,
        reason: 'fraudulent',
        balance_transactions: [{ fee: 1500 }],
      }),
    ).toMatchObject({
      kind: 'returned',
      subject: { reference: 'pi_1' },
      reason: 'chargeback: fraudulent',
      feeMinor: '1500',
      amountMinor: '1999',
    });
    expect(
      await read('refund.failed', { id: 're_1', status: 'failed', failure_reason: 'lost_or_stolen_card' }),
    ).toMatchObject({
      kind: 'refund',
      subject: { reference: 're_1' },
      outcome: { status: 'declined', reason: 'lost_or_stolen_card' },
    });
    expect(
      await read('setup_intent.succeeded', {
        id: 'seti_1',
        metadata: { kontor_tenant: tenantId, kontor_method: methodId },
      }),
    ).toMatchObject({ kind: 'registration', subject: { tenantId, methodId } });
    expect(await read('payment_method.detached', { id: 'pm_1' })).toMatchObject({
      kind: 'method_ended',
      methodReference: 'pm_1',
    });
    expect(await read('customer.created', { id: 'cus_1' })).toBeUndefined();
  });
});

describe('online_wallet_provider (PayPal)', () => {
  const token = { 'POST /v1/oauth2/token': () => ({ body: { access_token: 'A21', expires_in: 32_400 } }) };

  it('a setup token is approved by the payer and exchanged for a payment token', async () => {
    provider.reset({
      ...token,
      'POST /v3/vault/setup-tokens': () => ({
        status: 201,
        body: {
          id: 'ST1',
          status: 'PAYER_ACTION_REQUIRED',
          links: [{ rel: 'approve', href: 'https://paypal.example/approve' }],
        },
      }),
      'GET /v3/vault/setup-tokens/ST1': () => ({ body: { id: 'ST1', status: 'APPROVED' } }),
      'POST /v3/vault/payment-tokens': () => ({
        status: 201,
        body: { id: 'PT1', payment_source: { paypal: { email_address: 'ada@example.com' } } },
      }),
    });
    expect(await wallet.register(registration('online_wallet_provider'))).toEqual({
      status: 'action_required',
      referenceId: 'ST1',
      actionUrl: 'https://paypal.example/approve',
    });
    const asked = JSON.parse(provider.last('POST /v3/vault/setup-tokens').body);
    expect(asked.payment_source.paypal).toMatchObject({
      usage_type: 'MERCHANT',
      experience_context: { return_url: 'https://pay.example/return', cancel_url: 'https://pay.example/return' },
    });
    expect(await wallet.registration({ tenantId, methodId, referenceId: 'ST1' })).toEqual({
      status: 'active',
      referenceId: 'PT1',
      onlineWalletProvider: { email: 'ada@example.com', billingAgreementId: 'PT1' },
    });
    expect(JSON.parse(provider.last('POST /v3/vault/payment-tokens').body)).toEqual({
      payment_source: { token: { id: 'ST1', type: 'SETUP_TOKEN' } },
    });
  });

  it('an order that the payer has to approve leads to its page, and is captured afterwards', async () => {
    const order = (status: string, more: object = {}) => ({ status: 200, body: { id: 'O2', status, ...more } });
    const links = [{ rel: 'payer-action', href: 'https://wallet.example/approve/O2' }];
    provider.reset({
      ...token,
      'POST /v2/checkout/orders/O2/capture': () =>
        order('COMPLETED', { purchase_units: [{ payments: { captures: [{ id: 'CAP2', status: 'COMPLETED' }] } }] }),
      'POST /v2/checkout/orders': () => order('PAYER_ACTION_REQUIRED', { links }),
      'GET /v2/checkout/orders/O2': () => order('PAYER_ACTION_REQUIRED', { links }),
    });
    const asked = { ...charge(1917n, 'EUR', 'PT1'), returnUrl: 'https://pay.example/return' };
    expect(await collectOne(wallet, asked)).toEqual({ status: 'action_required', reference: 'O2' });
    expect(JSON.parse(provider.last('POST /v2/checkout/orders').body).payment_source.paypal).toEqual({
      vault_id: 'PT1',
      experience_context: { return_url: 'https://pay.example/return', cancel_url: 'https://pay.example/return' },
    });
    const waiting = { ...asked, reference: 'O2' };
    expect(await wallet.payerStep(waiting)).toEqual({ actionUrl: 'https://wallet.example/approve/O2' });
    expect(await wallet.finishStep(waiting)).toEqual({ status: 'action_required', reference: 'O2' });
    provider.answers['GET /v2/checkout/orders/O2'] = () => order('APPROVED');
    expect(await wallet.finishStep(waiting)).toEqual({ status: 'succeeded', reference: 'CAP2' });
    expect(provider.last('POST /v2/checkout/orders/O2/capture').headers['paypal-request-id']).toBe(
      `${asked.id}-capture`,
    );
    // Approved, and never captured: the page goes on with it, and so does who asks for the charge again.
    expect(await wallet.payerStep(waiting)).toEqual({ status: 'succeeded', reference: 'CAP2' });
    provider.answers['POST /v2/checkout/orders'] = () => order('APPROVED');
    expect(await collectOne(wallet, asked)).toEqual({ status: 'succeeded', reference: 'CAP2' });
    // Not approved in time: there is no such order any more.
    for (const answer of [order('VOIDED'), { status: 404, body: { name: 'RESOURCE_NOT_FOUND' } }]) {
      provider.answers['GET /v2/checkout/orders/O2'] = () => answer;
      expect(await wallet.payerStep(waiting)).toEqual({
        status: 'declined',
        reason: 'action_expired',
        reference: 'O2',
      });
    }
    provider.answers['GET /v2/checkout/orders/O2'] = () => ({ status: 404, body: {} });
    expect(await wallet.finishStep(waiting)).toEqual({ status: 'unknown' });
  });

  it('credentials that end before their time are asked for anew', async () => {
    provider.reset({
      'POST /v1/oauth2/token': () => ({ body: { access_token: `A${provider.asked.length}`, expires_in: 32_400 } }),
      'POST /v2/checkout/orders': () => ({ status: 401, body: { error: 'invalid_token' } }),
    });
    const asked = charge(500n, 'EUR', 'PT1');
    const used = async () => {
      expect(await collectOne(wallet, asked)).toBeUndefined();
      return provider.last('POST /v2/checkout/orders').headers['authorization'];
    };
    const first = await used();
    expect(await used()).not.toBe(first);
    await used();
    expect(provider.asked.filter(({ path }) => path === '/v1/oauth2/token').length).toBeGreaterThanOrEqual(2);
  });

  it('a refund that it cannot write is declined, and not asked for', async () => {
    provider.reset(token);
    const refund = {
      id: newUuid(),
      amountMinor: 50_001n,
      currencyCode: 'HUF',
      paymentReference: 'CAP1',
      totalRefundedMinor: 50_001n,
      isTotalUnsure: false,
    };
    const outcomes = await wallet.refund([refund], { tenantId, now });
    expect(outcomes.get(refund.id)).toEqual({ status: 'declined', reason: 'currency_not_supported' });
    expect(provider.asked.filter(({ path }) => path.includes('/refund'))).toEqual([]);
  });

  it('an order is captured at once; amounts are written as PayPal wants them', async () => {
    provider.reset({
      ...token,
      'POST /v2/checkout/orders': () => ({
        status: 201,
        body: {
          id: 'O1',
          status: 'COMPLETED',
          purchase_units: [{ payments: { captures: [{ id: 'CAP1', status: 'COMPLETED' }] } }],
        },
      }),
    });
    const asked = charge(1905n, 'EUR', 'PT1');
    expect(await collectOne(wallet, asked)).toEqual({ status: 'succeeded', reference: 'CAP1' });
    const request = provider.last('POST /v2/checkout/orders');
    expect(request.headers).toMatchObject({ 'paypal-request-id': asked.id, authorization: 'Bearer A21' });
    expect(JSON.parse(request.body)).toEqual({
      intent: 'CAPTURE',
      purchase_units: [
        {
          reference_id: 'default',
          custom_id: `${tenantId}/${asked.id}`,
          invoice_id: asked.id,
          amount: { currency_code: 'EUR', value: '19.05' },
        },
      ],
      payment_source: { paypal: { vault_id: 'PT1' } },
    });
    const value = async (minor: bigint, currency: string) => {
      const outcome = await collectOne(wallet, charge(minor, currency, 'PT1'));
      return outcome?.status === 'succeeded'
        ? JSON.parse(provider.last('POST /v2/checkout/orders').body).purchase_units[0].amount.value
        : outcome;
    };
    expect([await value(500n, 'JPY'), await value(50_000n, 'HUF'), await value(7n, 'USD')]).toEqual([
      '500',
      '500',
      '0.07',
    ]);
    for (const [minor, currency] of [
      [50_001n, 'HUF'],
      [5000n, 'KWD'],
    ] as const)
      expect(await value(minor, currency)).toMatchObject({
        status: 'declined',
        reason: 'currency_not_supported',
        final: true,
      });
  });

  it('takes call-backs that PayPal signed: certificate, transmission and CRC of the body', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'paypal-'));
    // Meanwhile connections that the provider closes are seen to be closed.
    await promisify(execFile)('openssl', [
      'req',
      '-x509',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-keyout',
      join(folder, 'key.pem'),
      '-out',
      join(folder, 'cert.pem'),
      '-days',
      '2',
      '-subj',
      '/CN=messageverificationcerts.paypal.com',
    ]);
    const key = readFileSync(join(folder, 'key.pem'), 'utf8');
    provider.reset({
      'GET /v1/notifications/certs/CERT-1': () => ({ body: readFileSync(join(folder, 'cert.pem'), 'utf8') }),
    });
    const custom_id = `${tenantId}/${methodId}`;
    const body = JSON.stringify({
      id: 'WH-E1',
      event_type: 'PAYMENT.CAPTURE.COMPLETED',
      resource: { id: 'CAP1', status: 'COMPLETED', custom_id },
    });
    const signed = (text: string, at = new Date(), webhookId = 'WH-1') => {
      const time = at.toISOString();
      const signature = sign('RSA-SHA256', Buffer.from(`T1|${time}|${webhookId}|${crc32(text)}`), key).toString(
        'base64',
      );
      return {
        'paypal-transmission-id': 'T1',
        'paypal-transmission-time': time,
        'paypal-transmission-sig': signature,
        'paypal-auth-algo': 'SHA256withRSA',
        'paypal-cert-url': `${provider.url}/v1/notifications/certs/CERT-1`,
      };
    };
    expect(await readCallback(wallet, body, signed(body))).toEqual([
      {
        eventId: 'WH-E1',
        kind: 'collection',
        subject: { tenantId, transactionId: methodId },
        outcome: { status: 'succeeded', reference: 'CAP1' },
      },
    ]);
    const wrong: Record<string, string>[] = [
      {},
      signed(`${body} `),
      signed(body, new Date(Date.now() - 7_200_000)),
      signed(body, new Date(), 'WH-2'),
      { ...signed(body), 'paypal-auth-algo': 'none' },
      { ...signed(body), 'paypal-cert-url': 'https://api.paypal.com.evil.example/v1/notifications/certs/CERT-1' },
      { ...signed(body), 'paypal-cert-url': `${provider.url}/v1/elsewhere/CERT-1` },
    ];
    for (const headers of wrong) await expect(readCallback(wallet, body, headers)).rejects.toThrow();
    expect(provider.asked.map(({ path }) => path)).toEqual(['/v1/notifications/certs/CERT-1']);
    const read = async (event_type: string, resource: object) => {
      const text = JSON.stringify({ id: 'WH-E2', event_type, resource });
      return (await readCallback(wallet, text, signed(text)))[0];
    };
    expect(
      await read('PAYMENT.CAPTURE.REVERSED', {
        id: 'R1',
        amount: { value: '19.05', currency_code: 'EUR' },
        links: [{ rel: 'up', href: 'https://api.paypal.com/v2/payments/captures/CAP1' }],
      }),
    ).toMatchObject({ kind: 'returned', subject: { reference: 'CAP1' }, amountMinor: '1905' });
    expect(await read('VAULT.PAYMENT-TOKEN.DELETED', { id: 'PT1' })).toMatchObject({
      kind: 'method_ended',
      methodReference: 'PT1',
    });
    expect(await read('CHECKOUT.ORDER.APPROVED', { id: 'O1', purchase_units: [{ custom_id }] })).toEqual({
      eventId: 'WH-E2',
      kind: 'approved',
      subject: { tenantId, transactionId: methodId },
    });
    expect(await read('CHECKOUT.ORDER.COMPLETED', { id: 'O1' })).toBeUndefined();
    // Whoever names certificates while none is given keeps a few requests waiting.
    provider.reset({ 'GET /v1/notifications/certs/': () => 'waits' });
    const forged = (n: number) =>
      readCallback(wallet, body, {
        ...signed(body),
        'paypal-cert-url': `${provider.url}/v1/notifications/certs/X${n}`,
      });
    const waiting = Promise.allSettled([1, 2, 3, 4].map(forged));
    await expect(forged(5)).rejects.toThrow('too many certificates');
    expect(await readCallback(wallet, body, signed(body))).toHaveLength(1);
    await eventually(() => Promise.resolve(provider.asked.length === 4), 'the provider is asked');
    provider.hangUp();
    expect((await waiting).map(({ status }) => status)).toEqual(Array(4).fill('rejected'));
    provider.reset({});
    await expect(forged(6)).rejects.toThrow('cannot be read');
  });
});

describe('debit_provider (GoCardless)', () => {
  const mandate = {
    'GET /mandates/MD1': () => ({
      body: {
        mandates: {
          id: 'MD1',
          status: 'pending_submission',
          reference: 'REF-1',
          created_at: '2026-11-20T10:00:00.000Z',
          links: { customer_bank_account: 'BA1' },
        },
      },
    }),
    'GET /customer_bank_accounts/BA1': () => ({
      body: { customer_bank_accounts: { country_code: 'DE', account_number_ending: '11' } },
    }),
  };

  it('a billing request flow leads the payer to the mandate', async () => {
    provider.reset({
      ...mandate,
      'POST /billing_requests': () => ({ status: 201, body: { billing_requests: { id: 'BRQ1', status: 'pending' } } }),
      'POST /billing_request_flows': () => ({
        status: 201,
        body: { billing_request_flows: { id: 'BRF1', authorisation_url: 'https://pay.gocardless.com/BRF1' } },
      }),
      'GET /billing_requests/BRQ1': () => ({
        body: { billing_requests: { id: 'BRQ1', status: 'fulfilled', mandate_request: { links: { mandate: 'MD1' } } } },
      }),
    });
    expect(await debit.register(registration('debit_provider'))).toEqual({
      status: 'action_required',
      referenceId: 'BRQ1',
      actionUrl: 'https://pay.gocardless.com/BRF1',
    });
    const flow = provider.last('POST /billing_request_flows');
    expect(flow.headers).toMatchObject({
      'gocardless-version': '2015-07-06',
      authorization: 'Bearer gc_token',
      'idempotency-key': `${methodId}-flow`,
    });
    expect(JSON.parse(flow.body).billing_request_flows).toMatchObject({
      redirect_uri: 'https://pay.example/return',
      prefilled_customer: { given_name: 'Ada', family_name: 'Lovelace' },
      links: { billing_request: 'BRQ1' },
    });
    expect(JSON.parse(provider.last('POST /billing_requests').body).billing_requests.mandate_request).toEqual({
      currency: 'EUR',
      scheme: 'sepa_core',
    });
    expect(await debit.registration({ tenantId, methodId, referenceId: 'BRQ1' })).toEqual({
      status: 'active', referenceId: 'MD1', sepaDebit: { iban: 'DE••••11', bic: null, mandateReference: 'REF-1', signingDate: '2026-11-20' },
    }); // prettier-ignore
  });

  it.each(['failed', 'cancelled', 'expired', 'consumed', 'blocked', 'suspended_by_payer'])(
    'a mandate that is %s collects nothing',
    async (status) => {
      provider.reset({ 'GET /mandates/MD1': () => ({ body: { mandates: { id: 'MD1', status } } }) });
      expect(await debit.registration({ tenantId, methodId, referenceId: 'MD1' })).toEqual({
        status: 'failed',
        referenceId: 'MD1',
        failReason: `mandate_${status}`,
      });
    },
  );

  it('a payment waits for the bank; asked again, the earlier one is found', async () => {
    const asked = charge(1999n, 'EUR', 'MD1');
    provider.reset({
      'POST /payments': () => ({ status: 201, body: { payments: { id: 'PM1', status: 'pending_submission' } } }),
    });
    expect(await collectOne(debit, asked)).toEqual({ status: 'pending', reference: 'PM1' });
    expect(JSON.parse(provider.last('POST /payments').body).payments).toEqual({
      amount: 1999, currency: 'EUR', links: { mandate: 'MD1' }, metadata: { kontor_tenant: tenantId, kontor_transaction: asked.id }, retry_if_possible: false,
    }); // prettier-ignore
    provider.reset({
      'POST /payments': () => ({
        status: 409,
        body: {
          error: {
            type: 'invalid_state',
            errors: [{ reason: 'idempotent_creation_conflict', links: { conflicting_resource_id: 'PM1' } }],
          },
        },
      }),
      'GET /payments/PM1': () => ({ body: { payments: { id: 'PM1', status: 'confirmed' } } }),
    });
    expect(await collectOne(debit, asked)).toEqual({ status: 'succeeded', reference: 'PM1' });
  });

  it('a mandate that was replaced pays by its replacement; what the token may not do is no decline', async () => {
    provider.reset({
      'POST /payments': ({ body }) =>
        body.includes('MD9')
          ? { status: 201, body: { payments: { id: 'PM9', status: 'pending_submission' } } }
          : {
              status: 422,
              body: { error: { errors: [{ reason: 'mandate_replaced', links: { new_mandate: 'MD9' } }] } },
            },
    });
    const asked = charge(1999n, 'EUR', 'MD1');
    expect(await collectOne(debit, asked)).toEqual({ status: 'pending', reference: 'PM9' });
    expect(provider.asked.map(({ headers }) => headers['idempotency-key'])).toEqual([asked.id, asked.id]);
    provider.reset({
      'POST /payments': () => ({ status: 403, body: { error: { errors: [{ reason: 'forbidden' }] } } }),
    });
    expect(await collectOne(debit, asked)).toBeUndefined();
  });

  it('a refund waits for the answer to an earlier one of the payment: its total says whether that counts', async () => {
    provider.reset({ 'POST /refunds': () => ({ status: 201, body: { refunds: { id: 'RF1', status: 'created' } } }) });
    const refund = (isTotalUnsure: boolean) => ({
      id: newUuid(),
      amountMinor: 500n,
      currencyCode: 'EUR',
      paymentReference: 'PM1',
      totalRefundedMinor: 1500n,
      isTotalUnsure,
    });
    const [waits, goes] = [refund(true), refund(false)];
    const outcomes = await debit.refund([waits, goes], { tenantId, now });
    expect(outcomes).toEqual(new Map([[goes.id, { status: 'pending', reference: 'RF1' }]]));
    expect(provider.asked).toHaveLength(1);
    expect(JSON.parse(provider.asked[0]!.body).refunds).toMatchObject({ amount: 500, total_amount_confirmation: 1500 });
  });

  it('reads signed batches of events; a forged one is refused', async () => {
    const events = [
      { id: 'EV1', resource_type: 'payments', action: 'confirmed', links: { payment: 'PM1' } },
      {
        id: 'EV2',
        resource_type: 'payments',
        action: 'charged_back',
        links: { payment: 'PM1' },
        details: { reason_code: 'MD06' },
      },
      { id: 'EV3', resource_type: 'mandates', action: 'cancelled', links: { mandate: 'MD1' } },
      {
        id: 'EV4',
        resource_type: 'billing_requests',
        action: 'fulfilled',
        links: {},
        resource_metadata: { kontor_tenant: tenantId, kontor_method: methodId },
      },
      { id: 'EV5', resource_type: 'payouts', action: 'paid', links: {} },
      { id: 'EV6', resource_type: 'mandates', action: 'consumed', links: { mandate: 'MD2' } },
      { id: 'EV7', resource_type: 'payments', action: 'chargeback_cancelled', links: { payment: 'PM1' } },
      { id: 'EV9', resource_type: 'mandates', action: 'reinstated', links: { mandate: 'MD1' } },
      { id: 'EV8', resource_type: 'mandates', action: 'replaced', links: { mandate: 'MD1', new_mandate: 'MD9' } },
    ];
    const body = JSON.stringify({ events });
    const signature = createHmac('sha256', 'gc_secret').update(body).digest('hex');
    expect(await readCallback(debit, body, { 'webhook-signature': signature })).toMatchObject([
      { eventId: 'EV1', kind: 'collection', subject: { reference: 'PM1' }, outcome: null },
      { eventId: 'EV2', kind: 'returned', reason: 'MD06' },
      { eventId: 'EV3', kind: 'method_ended', methodReference: 'MD1' },
      { eventId: 'EV4', kind: 'registration', subject: { tenantId, methodId } },
      { eventId: 'EV6', kind: 'method_ended', methodReference: 'MD2', reason: 'mandate_consumed' },
      { eventId: 'EV7', kind: 'collection', subject: { reference: 'PM1' }, outcome: null },
      { eventId: 'EV9', kind: 'method_reinstated', methodReference: 'MD1' },
      { eventId: 'EV8', kind: 'method_replaced', methodReference: 'MD1', replacement: 'MD9' },
    ]);
    expect(warned.splice(0)).toEqual([{ gateway: 'debit_provider', eventId: 'EV7', payment: 'PM1' }]);
    for (const headers of [
      {},
      { 'webhook-signature': 'ab' },
      { 'webhook-signature': createHmac('sha256', 'x').update(body).digest('hex') },
    ])
      await expect(readCallback(debit, body, headers as Record<string, string>)).rejects.toThrow();
  });
});

describe('a provider without credentials', () => {
  it('registers nothing and charges nothing', async () => {
    const without: PaymentGateway[] = [
      new CardProviderGateway({ secretKey: undefined, webhookSecret: undefined, apiBase: provider.url }, log),
      new OnlineWalletGateway({
        clientId: undefined,
        clientSecret: undefined,
        webhookId: undefined,
        apiBase: provider.url,
      }),
      new DebitProviderGateway(
        { accessToken: undefined, webhookSecret: undefined, apiBase: provider.url },
        { warn: () => undefined },
      ),
    ];
    provider.reset({});
    for (const gateway of without) {
      expect(gateway.configured).toBe(false);
      expect(await gateway.register!(registration('card_provider'))).toMatchObject({ status: 'gateway_unconfigured' });
      expect(await collectOne(gateway, charge(100n))).toMatchObject({
        status: 'declined',
        reason: 'gateway_unconfigured',
      });
    }
    expect(provider.asked).toEqual([]);
  });
});
