import { Log, ServiceConfig } from '@kontor/service-kit';
import { Injectable } from '@nestjs/common';
import { SepaDebitGateway } from '../../sepa/sepa-debit.gateway.js';
import { CardProviderGateway } from './card-provider.gateway.js';
import { DebitProviderGateway } from './debit-provider.gateway.js';
import { OnlineWalletGateway } from './online-wallet.gateway.js';
import { Gateways, type PaymentGateway } from './payment-gateway.js';
import { fakeProviderGateway, testingGateway } from './testing.gateway.js';

/** The gateways of this installation; those of providers have their credentials from the environment. */
@Injectable()
export class BuiltGateways extends Gateways {
  private readonly byName: ReadonlyMap<string, PaymentGateway>;

  constructor(sepaDebit: SepaDebitGateway, config: ServiceConfig, log: Log) {
    super();
    const built: PaymentGateway[] = [testingGateway, fakeProviderGateway, sepaDebit, ...providersOf(config, log)];
    this.byName = new Map(built.map((gateway) => [gateway.name, gateway]));
  }

  find(name: string): PaymentGateway | undefined {
    return this.byName.get(name);
  }
}

/** A provider without credentials is there, too: its methods say `gateway_unconfigured`. */
function providersOf(config: ServiceConfig, log: Log): PaymentGateway[] {
  const base = (name: string, live: string, sandbox: string, isLive: boolean): string =>
    (config.read.url(name, ['https', 'http']) ?? (isLive ? live : sandbox)).replace(/\/+$/, '');
  const isLive = (name: string): boolean => config.read.oneOf(name, ['live', 'sandbox'], 'sandbox') === 'live';
  return [
    new CardProviderGateway({
      secretKey: config.text('STRIPE_SECRET_KEY'),
      webhookSecret: config.text('STRIPE_WEBHOOK_SECRET'),
      // Test and live are told apart by the key.
      apiBase: base('STRIPE_API_BASE', 'https://api.stripe.com', 'https://api.stripe.com', true),
    }),
    new OnlineWalletGateway({
      clientId: config.text('PAYPAL_CLIENT_ID'),
      clientSecret: config.text('PAYPAL_CLIENT_SECRET'),
      webhookId: config.text('PAYPAL_WEBHOOK_ID'),
      apiBase: base('PAYPAL_API_BASE', 'https://api-m.paypal.com', 'https://api-m.sandbox.paypal.com', isLive('PAYPAL_ENVIRONMENT')),
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
