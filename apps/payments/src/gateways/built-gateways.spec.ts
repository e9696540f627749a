import { describe, expect, it } from '@jest/globals';
import { type Log, ServiceConfig } from '@kontor/service-kit';
import { providerGateways } from './built-gateways.js';

const gateways = (env: Record<string, string>): object =>
  providerGateways(new ServiceConfig('payments', { SECRETS_KEY: '11'.repeat(32), ...env }), {} as Log);

describe('credentials of payment providers', () => {
  it.each([
    ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET'],
    ['STRIPE_WEBHOOK_SECRET', 'STRIPE_SECRET_KEY'],
    ['PAYPAL_CLIENT_ID', 'PAYPAL_CLIENT_SECRET and PAYPAL_WEBHOOK_ID'],
    ['GOCARDLESS_ACCESS_TOKEN', 'GOCARDLESS_WEBHOOK_SECRET'],
  ])('%s alone is refused, with one line', (name, missing) =>
    expect(() => gateways({ [name]: 'x' })).toThrow(`${name} is set without ${missing}: what the provider reports`),
  );

  it('are all there, or none', () => {
    expect(gateways({})).toHaveLength(3);
    expect(gateways({ STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_WEBHOOK_SECRET: 'whsec_1' })).toHaveLength(3);
  });
});
