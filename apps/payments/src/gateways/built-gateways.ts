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

/** A provider without credentials is there, too: its methods say `gateway_unconfigured`. */
export function providerGateways(config: ServiceConfig, log: Log): PaymentGateway[] {
  const base = (name: string, live: string, sandbox: string, isLive: boolean): string =>
    (config.read.url(name, ['https', 'http']) ?? (isLive ? live : sandbox)).replace(/\/+$/, '');
  const isLive = (name: string): boolean => config.read.oneOf(name, ['live', 'sandbox'], 'sandbox') === 'live';
  return [
    new CardProviderGateway({
      secretKey: config.text('STRIPE_SECRET_KEY'),
      webhookSecret: config.text('STRIPE_WEBHOOK_SECRET'),
      // The key decides between test and live.
      apiBase: base('STRIPE_API_BASE', 'https://api.stripe.com', 'https://api.stripe.com', true),
    }),
    new OnlineWalletGateway({
      clientId: config.text('PAYPAL_CLIENT_ID'),
      clientSecret: config.text('PAYPAL_CLIENT_SECRET'),
      webhookId: config.text('PAYPAL_WEBHOOK_ID'),
      apiBase: base(
        'PAYPAL_API_BASE',
        'https://api-m.paypal.com',
        'https://api-m.sandbox.paypal.com',
        isLive('PAYPAL_ENVIRONMENT'),
      ),
    }),
    new DebitProviderGateway(
      {
        accessToken: config.text('GOCARDLESS_ACCESS_TOKEN'),
        webhookSecret: config.text('GOCARDLESS_WEBHOOK_SECRET'),
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
