import { afterAll, beforeAll } from '@jest/globals';
import { CardProviderGateway } from '../src/gateways/stripe/card-provider.gateway.js';
import { DebitProviderGateway } from '../src/gateways/gocardless/debit-provider.gateway.js';
import { OnlineWalletGateway } from '../src/gateways/paypal/online-wallet.gateway.js';
import type { PaymentGateway } from '../src/gateways/port/payment-gateway.js';
import { fakeProviderGateway, testingGateway } from '../src/gateways/testing/testing.gateway.js';
import { gatewayContract } from './gateway-contract.js';
import { type Asked, Provider } from './provider.js';

let provider: Provider;
let card: PaymentGateway;
let debit: PaymentGateway;
let wallet: PaymentGateway;

beforeAll(async () => {
  provider = await Provider.start();
  const log = { warn: () => undefined };
  card = new CardProviderGateway({ secretKey: 'sk_test_1', webhookSecret: 'whsec_1', apiBase: provider.url }, log);
  debit = new DebitProviderGateway({ accessToken: 'token', webhookSecret: 'secret', apiBase: provider.url }, log);
  wallet = new OnlineWalletGateway({
    clientId: 'id',
    clientSecret: 'secret',
    webhookId: 'WH-1',
    apiBase: provider.url,
  });
});
afterAll(() => provider.stop());

const keysOf = (line: string, header: string) => () =>
  provider.asked
    .filter((asked) => `${asked.method} ${asked.path}` === line)
    .map((asked) => String(asked.headers[header]));

gatewayContract('testing', {
  gateway: () => testingGateway,
  methodReference: null,
  succeeds: () => 100n,
  refunds: () => ({ amountMinor: 100n, paymentReference: 'testing_1' }),
});

gatewayContract('fake_provider', {
  gateway: () => fakeProviderGateway,
  methodReference: null,
  succeeds: () => 100n,
  declines: () => 113n,
  waits: () => 117n,
  refunds: () => ({ amountMinor: 100n, paymentReference: 'fake_1' }),
});

const stripe = (charge: (asked: Asked) => { status?: number; body: unknown } | 'hangs up') => {
  provider.reset({
    'GET /v1/payment_methods/pm_1': () => ({ body: { id: 'pm_1', customer: 'cus_1' } }),
    'POST /v1/payment_intents': charge,
    'POST /v1/refunds': () => ({ body: { id: 're_1', status: 'succeeded' } }),
  });
  return 1999n;
};
gatewayContract('card_provider', {
  gateway: () => card,
  methodReference: 'pm_1',
  succeeds: () => stripe(() => ({ body: { id: 'pi_1', status: 'succeeded' } })),
  declines: () =>
    stripe(() => ({
      status: 402,
      body: {
        error: {
          type: 'card_error',
          code: 'card_declined',
          decline_code: 'insufficient_funds',
          payment_intent: { id: 'pi_1' },
        },
      },
    })),
  waits: () =>
    stripe(() => ({
      status: 402,
      body: { error: { type: 'card_error', code: 'authentication_required', payment_intent: { id: 'pi_1' } } },
    })),
  staysSilent: () => stripe(() => 'hangs up'),
  keys: keysOf('POST /v1/payment_intents', 'idempotency-key'),
  refunds: () => ({ amountMinor: stripe(() => 'hangs up'), paymentReference: 'pi_1' }),
});

const goCardless = (charge: () => { status?: number; body: unknown } | 'hangs up') => {
  provider.reset({
    'POST /payments': charge,
    'POST /refunds': () => ({ status: 201, body: { refunds: { id: 'RF1', status: 'created' } } }),
  });
  return 1999n;
};
gatewayContract('debit_provider', {
  gateway: () => debit,
  methodReference: 'MD1',
  declines: () =>
    goCardless(() => ({
      status: 422,
      body: { error: { type: 'invalid_state', code: 422, errors: [{ reason: 'mandate_is_inactive' }] } },
    })),
  waits: () => goCardless(() => ({ status: 201, body: { payments: { id: 'PM1', status: 'pending_submission' } } })),
  staysSilent: () => goCardless(() => ({ status: 503, body: {} })),
  keys: keysOf('POST /payments', 'idempotency-key'),
  refunds: () => ({ amountMinor: goCardless(() => 'hangs up'), paymentReference: 'PM1' }),
});

const payPal = (order: () => { status?: number; body: unknown } | 'hangs up') => {
  provider.reset({
    'POST /v1/oauth2/token': () => ({ body: { access_token: 'A21', expires_in: 32_400 } }),
    'POST /v2/checkout/orders': order,
    'POST /v2/payments/captures/CAP1/refund': () => ({ status: 201, body: { id: 'RF1', status: 'COMPLETED' } }),
  });
  return 1999n;
};
const capture = (status: string) => ({
  status: 201,
  body: { id: 'O1', status: 'COMPLETED', purchase_units: [{ payments: { captures: [{ id: 'CAP1', status }] } }] },
});
gatewayContract('online_wallet_provider', {
  gateway: () => wallet,
  methodReference: 'tok1',
  succeeds: () => payPal(() => capture('COMPLETED')),
  declines: () =>
    payPal(() => ({
      status: 422,
      body: { name: 'UNPROCESSABLE_ENTITY', details: [{ issue: 'INSTRUMENT_DECLINED' }] },
    })),
  waits: () => payPal(() => capture('PENDING')),
  staysSilent: () =>
    payPal(() => ({
      status: 422,
      body: { name: 'UNPROCESSABLE_ENTITY', details: [{ issue: 'DUPLICATE_INVOICE_ID' }] },
    })),
  keys: keysOf('POST /v2/checkout/orders', 'paypal-request-id'),
  refunds: () => ({ amountMinor: payPal(() => 'hangs up'), paymentReference: 'CAP1' }),
});
