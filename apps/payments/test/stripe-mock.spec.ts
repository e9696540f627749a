import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newUuid } from '@kontor/kernel';
import { freePort } from '@kontor/testing';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { CardProviderGateway } from '../src/gateways/stripe/card-provider.gateway.js';

/**
 * Stripe's own mock server, which checks every request against Stripe's OpenAPI document: `go install
 * github.com/stripe/stripe-mock@latest`.
 */
const binary = [
  process.env['STRIPE_MOCK'],
  join(homedir(), 'go', 'bin', 'stripe-mock'),
  '/usr/local/bin/stripe-mock',
].find((path) => path !== undefined && existsSync(path));
const onPath =
  binary ?? (spawnSync('stripe-mock', ['-version'], { stdio: 'ignore' }).status === 0 ? 'stripe-mock' : undefined);

(onPath === undefined ? describe.skip : describe)('card_provider against stripe-mock', () => {
  let mock: ChildProcess;
  let apiBase: string;
  let gateway: CardProviderGateway;
  const context = { tenantId: newUuid(), now: new Date() };
  const method = { tenantId: context.tenantId, methodId: newUuid() };

  beforeAll(async () => {
    const port = await freePort();
    mock = spawn(onPath as string, ['-http-addr', `127.0.0.1:${port}`, '-strict-version-check=false'], {
      stdio: 'ignore',
    });
    apiBase = `http://127.0.0.1:${port}`;
    for (const end = Date.now() + 20_000; ; await new Promise((resolve) => setTimeout(resolve, 50))) {
      const up = await fetch(`${apiBase}/v1/customers`, { headers: { authorization: 'Bearer sk_test_123' } }).catch(
        () => null,
      );
      if (up) break;
      if (Date.now() > end) throw new Error('stripe-mock did not start');
    }
    gateway = new CardProviderGateway(
      { secretKey: 'sk_test_123', webhookSecret: 'whsec_1', apiBase },
      { warn: () => undefined },
    );
  }, 30_000);
  afterAll(() => void mock.kill());

  const registration = (cardProvider: Record<string, unknown> | null) => ({
    ...method, customerId: newUuid(), customer: { email: 'a@example.com', name: 'Ada', language: 'de', countryCode: 'DE' }, gateway: 'card_provider' as const,
    redirectUrl: 'https://pay.example/return', cardProvider, debitProvider: null,
  }); // prettier-ignore

  it('knows every field that is sent: customers, sessions, set-ups, charges, searches, cancellations, refunds', async () => {
    const page = await gateway.register(registration(null));
    expect(page.status).toBe('action_required');
    expect(page.referenceId).toMatch(/^cs_/);
    const token = await gateway.register(registration({ paymentMethodId: 'pm_card_visa' }));
    expect(token.failReason).not.toMatch(/invalid_request|parameter/);
    await gateway.registration({ ...method, referenceId: 'seti_1' });
    await gateway.registration({ ...method, referenceId: 'cs_1' });
    // The mock's methods belong to nobody.
    (gateway as unknown as { customers: Map<string, string> }).customers.set('pm_1', 'cus_1');
    const charge = {
      id: newUuid(),
      amountMinor: 1999n,
      currencyCode: 'EUR',
      methodReference: 'pm_1',
      reference: 'pi_1',
    };
    const outcome = (await gateway.collect([charge], context)).get(charge.id);
    expect(outcome).toMatchObject({ reference: expect.stringMatching(/^pi_/) });
    expect((await gateway.lookUp([charge])).size).toBe(1);
    expect((await gateway.lookUp([{ ...charge, reference: null }])).size).toBe(1);
    expect(await gateway.cancel(charge)).toBe(true);
    const refund = {
      id: newUuid(),
      amountMinor: 1999n,
      currencyCode: 'EUR',
      paymentReference: 'pi_1',
      totalRefundedMinor: 1999n,
      isTotalUnsure: false,
    };
    expect((await gateway.refund([refund], context)).get(refund.id)).toMatchObject({ status: 'succeeded' });
    // The mock's refunds are of other payments.
    expect((await gateway.lookUpRefunds([refund])).get(refund.id)?.status).not.toBe('succeeded');
    await gateway.revoke({ ...method, referenceId: 'pm_1' });
  });
});
