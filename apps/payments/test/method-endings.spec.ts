import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MethodsAtProvider } from '../src/payment-methods/methods-at-provider.js';
import type { RegistrationAnswer } from '../src/gateways/port/registering-gateway.js';
import { Gateways } from '../src/gateways/port/payment-gateway.js';
import { eventually } from '@kontor/testing';
import { type Json, type Tenant, World } from './world.js';

let world: World;
let tenant: Tenant;
const revoked: string[] = [];
const card = { brand: 'visa', last4: '4242', expMonth: 2, expYear: 2028, cardHolder: null };
let references = 0;

beforeAll(async () => {
  world = await World.start();
  tenant = await world.tenant({ settings: { seller: { creditorIdentifier: 'DE98ZZZ09999999999' } } });
  const gateways = world.service.get(Gateways);
  const find = gateways.find.bind(gateways);
  const provider = {
    name: 'card_provider',
    register: (): Promise<RegistrationAnswer> =>
      Promise.resolve({ status: 'active', referenceId: `pm_${++references}`, card }),
    revoke: ({ referenceId }: { referenceId: string | null }) => Promise.resolve(void revoked.push(referenceId ?? '')),
    collect: () => Promise.resolve(new Map()),
  };
  gateways.find = (name) => (name === 'card_provider' ? (provider as never) : find(name));
});
afterAll(() => world.stop());

const newCard = async (): Promise<Json> => tenant.method(await tenant.customer(), 'card_provider');
const newMandate = async (): Promise<Json> =>
  tenant.method(await tenant.customer(), 'sepa_debit', { sepaMandate: { iban: 'DE89370400440532013000' } });
/** What is due until then happens as if the time had come. */
const until = (at: string) => world.service.kit.dueRunner.runDue(tenant.id, new Date(at));
const get = (id: string): Promise<Json> => tenant.ok('GET', `/payment-methods/${id}`);

describe('a card', () => {
  it('expires with its last month in the time zone of the customer, and is published', async () => {
    const method = await newCard();
    expect(method).toMatchObject({
      status: 'active',
      expirationDate: '2028-02-29T22:59:59.999Z',
      data: ['Visa •••• 4242', '02/2028'],
    });
    await until('2028-02-29T22:59:59.000Z');
    expect(await get(method.id)).toMatchObject({ status: 'active' });
    await until('2028-02-29T23:00:00.000Z');
    expect(await get(method.id)).toMatchObject({ status: 'expired', default: true });
    const published = (await tenant.events(method.id)).at(-1)!.payload;
    expect(published).toMatchObject({
      state: { status: 'expired' },
      notices: [{ type: 'payment_method.updated' }, { type: 'payment.payment_method.updated' }],
    });
    const [invoiceId] = await tenant.finalize({ customerId: method.customerId, gross: 1000 });
    expect(await tenant.intent(invoiceId!)).toMatchObject({ status: 'open' });
    expect((await tenant.ok('GET', '/payment-methods?status=expired')).data.map((method: Json) => method.id)).toContain(
      method.id,
    );
  });

  it('that its provider gives up is revoked, once', async () => {
    const method = await newCard();
    const atProvider = world.service.get(MethodsAtProvider);
    expect(await atProvider.end('card_provider', method.referenceId, 'card_detached')).toBe(1);
    expect(await atProvider.end('card_provider', method.referenceId, 'card_detached')).toBe(0);
    expect(await atProvider.end('debit_provider', method.referenceId, 'card_detached')).toBe(0);
    expect(await get(method.id)).toMatchObject({ status: 'revoked' });
  });

  it('that is removed is given up at its provider', async () => {
    const method = await newCard();
    expect((await tenant.call('DELETE', `/payment-methods/${method.id}`)).status).toBe(204);
    await eventually(() => Promise.resolve(revoked.includes(method.referenceId)), 'the revocation');
  });
});

describe('a method that is over', () => {
  it('does not become the default, neither chosen nor in place of a removed one', async () => {
    const over = await newCard();
    const { customerId } = over;
    const standard = await tenant.method(customerId, 'testing');
    await world.service.get(MethodsAtProvider).end('card_provider', over.referenceId, 'card_detached');
    const chosen = await tenant.call('POST', `/internal/payment-methods/${over.id}/default`, { customerId });
    expect([chosen.status, chosen.body.reason]).toEqual([422, 'unknown_reference']);
    const removed = await tenant.call('DELETE', `/payment-methods/${standard.id}?newDefaultPaymentMethodId=${over.id}`);
    expect([removed.status, removed.body.reason]).toEqual([422, 'unknown_reference']);
  });
});

describe('a mandate', () => {
  it('that was not used for 36 months has ended; use starts them anew', async () => {
    const [unused, used] = [await newMandate(), await newMandate()];
    // The middle of a month, which every month has.
    const inMonths = (months: number) =>
      new Date(new Date().setUTCMonth(new Date().getUTCMonth() + months, 15)).toISOString();
    await world.test.peek(`UPDATE payment_method SET mandate_used_at = $2 WHERE id = $1`, [used.id, inMonths(12)]);
    await until(inMonths(35));
    expect((await get(unused.id)).status).toBe('active');
    await until(inMonths(37));
    expect([(await get(unused.id)).status, (await get(used.id)).status]).toEqual(['revoked', 'active']);
    await until(inMonths(49));
    expect((await get(used.id)).status).toBe('revoked');
  });
});
