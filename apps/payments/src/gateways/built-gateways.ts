import type { Log, ServiceConfig } from '@kontor/service-kit';
import { CardProviderGateway } from './stripe/card-provider.gateway.js';
import { DebitProviderGateway } from './gocardless/debit-provider.gateway.js';
import { OnlineWalletGateway } from './paypal/online-wallet.gateway.js';
import { Gateways, type PaymentGateway } from './port/payment-gateway.js';
import { fakeProviderGateway, testingGateway } from './testing/testing.gateway.js';

/** The gateways of this installation, by name; those of providers have their credentials from the environment. */
export class BuiltGateways extends Gateways {
  private readonly byName: ReadonlyMap<string, PaymentGateway>;

  constructor(gateways: readonly PaymentGateway[]) {
    super();
    this.byName = new Map(gateways.map((gateway) => [gateway.name, gateway]));
  }

  find(name: string): PaymentGateway | undefined {
    return this.byName.get(name);
  }
}

/** Gateways that move no money: for tests and sandboxes. */
export const TEST_GATEWAYS: readonly PaymentGateway[] = [testingGateway, fakeProviderGateway];

/** Of a payment that is decided later, a refund and a dispute only the provider knows. */
const UNHEARD =
  'what the provider reports would be refused, and payments that end later, refunds and disputes be missed';

/**
 * A provider without credentials is there, too: its methods say `gateway_unconfigured`.
 * @throws ConfigurationError for a part of a provider's credentials
 */
export function providerGateways(config: ServiceConfig, log: Log): PaymentGateway[] {
  const base = (name: string, live: string, sandbox: string, isLive: boolean): string =>
    (config.read.url(name, ['https', 'http']) ?? (isLive ? live : sandbox)).replace(/\/+$/, '');
  const isLive = (name: string): boolean => config.read.oneOf(name, ['live', 'sandbox'], 'sandbox') === 'live';
  const { read } = config;
  const stripe = read.together(['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET'], UNHEARD);
  const paypal = read.together(['PAYPAL_CLIENT_ID', 'PAYPAL_CLIENT_SECRET', 'PAYPAL_WEBHOOK_ID'], UNHEARD);
  const gocardless = read.together(['GOCARDLESS_ACCESS_TOKEN', 'GOCARDLESS_WEBHOOK_SECRET'], UNHEARD);
  return [
    new CardProviderGateway(
      {
        secretKey: stripe.STRIPE_SECRET_KEY,
        webhookSecret: stripe.STRIPE_WEBHOOK_SECRET,
        // The key decides between test and live.
        apiBase: base('STRIPE_API_BASE', 'https://api.stripe.com', 'https://api.stripe.com', true),
      },
      log,
    ),
    new OnlineWalletGateway({
      clientId: paypal.PAYPAL_CLIENT_ID,
      clientSecret: paypal.PAYPAL_CLIENT_SECRET,
      webhookId: paypal.PAYPAL_WEBHOOK_ID,
      apiBase: base(
        'PAYPAL_API_BASE',
        'https://api-m.paypal.com',
        'https://api-m.sandbox.paypal.com',
        isLive('PAYPAL_ENVIRONMENT'),
      ),
    }),
    new DebitProviderGateway(
      {
        accessToken: gocardless.GOCARDLESS_ACCESS_TOKEN,
        webhookSecret: gocardless.GOCARDLESS_WEBHOOK_SECRET,
        apiBase: base(
          'GOCARDLESS_API_BASE',
          'https://api.gocardless.com',
          'https://api-sandbox.gocardless.com',
          isLive('GOCARDLESS_ENVIRONMENT'),
        ),
      },
      log,
    ),
  ];
}
