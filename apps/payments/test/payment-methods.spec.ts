import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newUuid } from '@kontor/kernel';
import { apiKeyPrincipal } from '@kontor/testing';
import { OnPaymentMethodChosen } from '../src/payment-methods/on-payment-method-chosen.js';
import { type Tenant, World } from './world.js';

let world: World;
let tenant: Tenant;

beforeAll(async () => {
  world = await World.start();
  tenant = await world.tenant();
});
afterAll(() => world.stop());

const fields = [
  'id',
  'gatewayName',
  'type',
  'referenceId',
  'default',
  'status',
  'source',
  'enabled',
  'name',
  'data',
  'creationDate',
  'expirationDate',
  'sepaMandate',
  'card',
  'sepaDebit',
  'onlineWalletProvider',
];

describe('payment methods', () => {
  it.each([
    ['bank_transfer', 'bank_transfer'],
    ['testing', null],
    ['fake_provider', 'fake_provider'],
    ['wallet', 'wallet'],
  ])('%s: created with every field, published with a notice', async (gateway, type) => {
    const customerId = await tenant.customer();
    const answer = await tenant.call('POST', '/payment-methods', { gateway, type, customerId });
    expect(answer).toMatchObject({ status: 201, body: { status: 'active', actionRequired: false, failReason: null } });
    const { paymentMethod } = answer.body;
    expect(Object.keys(paymentMethod)).toEqual(expect.arrayContaining(fields));
    expect(paymentMethod).toMatchObject({
      gatewayName: gateway,
      type,
      default: true,
      status: 'active',
      source: 'api',
      enabled: true,
    });
    expect(await tenant.ok('GET', `/payment-methods/${paymentMethod.id}`)).toEqual(paymentMethod);
    const [event] = await tenant.events(paymentMethod.id);
    expect(event?.payload).toMatchObject({ version: 1, state: { default: true, representation: paymentMethod } });
    expect(event?.payload.notices[0]).toMatchObject({ type: 'payment_method.created', data: { paymentMethod } });
  });

  it('a new default takes the flag from the one before', async () => {
    const customerId = await tenant.customer();
    const [first, second] = [await tenant.method(customerId), await tenant.method(customerId, 'testing')];
    const third = await tenant.method(customerId, 'testing', { isDefault: false });
    const list = await tenant.ok('GET', `/payment-methods?customer=${customerId}&order[creationDate]=asc`);
    expect(list.data.map((m: { id: string; default: boolean }) => [m.id, m.default])).toEqual([
      [first.id, false],
      [second.id, true],
      [third.id, false],
    ]);
    const made = await tenant.ok('POST', `/internal/payment-methods/${third.id}/default`, { customerId });
    expect(made).toMatchObject({ paymentMethod: { id: third.id, default: true }, version: 2 });
    const foreign = await tenant.call('POST', `/internal/payment-methods/${third.id}/default`, {
      customerId: await tenant.customer(),
    });
    expect([foreign.status, foreign.body.reason]).toEqual([422, 'unknown_reference']);
    expect((await tenant.events(second.id)).map((e) => [Number(e.seq), e.payload.state.default])).toEqual([
      [1, true],
      [2, false],
    ]);
  });

  it('the default goes only when the next one is named', async () => {
    const customerId = await tenant.customer();
    const [other, standard] = [await tenant.method(customerId), await tenant.method(customerId)];
    const foreign = await tenant.method(await tenant.customer());
    const path = `/payment-methods/${standard.id}`;
    expect((await tenant.call('DELETE', path)).body.reason).toBe('new_default_payment_method_required');
    for (const id of [foreign.id, newUuid(), standard.id])
      expect((await tenant.call('DELETE', `${path}?newDefaultPaymentMethodId=${id}`)).body.reason).toBe(
        'unknown_reference',
      );
    for (const query of ['newDefaultPaymentMethodId=x', 'page=1', 'limit=1'])
      expect((await tenant.call('DELETE', `${path}?${query}`)).status).toBe(400);
    expect((await tenant.call('DELETE', `${path}?newDefaultPaymentMethodId=${other.id}`)).status).toBe(204);
    expect((await tenant.call('GET', path)).status).toBe(404);
    expect((await tenant.ok('GET', `/payment-methods/${other.id}`)).default).toBe(true);
    expect((await tenant.events(standard.id)).at(-1)?.payload).toMatchObject({
      deleted: true,
      state: null,
      version: 2,
    });
    expect((await tenant.call('DELETE', `/payment-methods/${other.id}`)).status).toBe(204);
    expect((await tenant.call('DELETE', `/payment-methods/${other.id}`)).status).toBe(404);
  });

  it.each([
    [{ gateway: 'sepa_debit' }, 422, 'validation_failed'],
    [{ gateway: 'debit_provider', type: 'card' }, 422, 'validation_failed'],
    [{ gateway: 'cash' }, 422, 'validation_failed'],
    [{ gateway: undefined }, 400, 'invalid_request'],
    [{ gateway: 5 }, 400, 'invalid_request'],
    [{ type: 'card' }, 422, 'validation_failed'],
    [{ gateway: 'testing', type: 'fake_provider' }, 422, 'validation_failed'],
    [{ sepaMandate: { iban: 'DE89370400440532013000' } }, 422, 'validation_failed'],
    [{ gateway: 'testing', cardProvider: { token: 'tok_1' } }, 422, 'validation_failed'],
    [{ customerId: undefined }, 400, 'invalid_request'],
    [{ customerId: 'nobody' }, 422, 'validation_failed'],
    [{ isDefault: 'yes' }, 400, 'invalid_request'],
    [{ isDefault: true, futureUsageAllowed: false }, 422, 'validation_failed'],
    [{ redirectUrl: 'nowhere' }, 422, 'validation_failed'],
    [{ redirectUrl: 'http://shop.example/back' }, 422, 'validation_failed'],
    [{ redirectUrl: 'https://user:word@shop.example/back' }, 422, 'validation_failed'],
    [{ redirectUrl: 'javascript:alert(1)' }, 422, 'validation_failed'],
    [{ colour: 'red' }, 400, 'unknown_field'],
  ])('refuses %j', async (more, status, reason) => {
    const customerId = await tenant.customer();
    const answer = await tenant.call('POST', '/payment-methods', { gateway: 'bank_transfer', customerId, ...more });
    expect([answer.status, answer.body.reason]).toEqual([status, reason]);
    expect((await tenant.ok('GET', `/payment-methods?customer=${customerId}`)).data).toEqual([]);
  });

  it('refuses a malformed list query', async () => {
    for (const query of ['customer=x', 'status=lost', 'colour=red', 'limit=101', 'page=0', 'order[name]=asc'])
      expect((await tenant.call('GET', `/payment-methods?${query}`)).status).toBe(400);
  });

  it('needs its permissions; :add is enough to add', async () => {
    const customerId = await tenant.customer();
    const as = (...permissions: string[]) => apiKeyPrincipal(tenant.id, { permissions });
    const body = { gateway: 'testing', customerId };
    expect((await world.http(as('payment-method:read'), 'POST', '/payment-methods', body)).status).toBe(403);
    expect((await world.http(as('payment-method:add'), 'POST', '/payment-methods', body)).status).toBe(201);
    expect((await world.http(as('payment-method:add'), 'GET', '/payment-methods')).status).toBe(403);
    expect((await world.http(as('payment-method:read'), 'GET', '/payment-methods')).status).toBe(200);
  });
});

describe('references of a customer', () => {
  it('shows what would be left behind', async () => {
    const customerId = await tenant.customer();
    expect(await tenant.ok('GET', `/internal/customers/${customerId}/references`)).toEqual({ references: [] });
    await tenant.ok('POST', '/api/wallet/auto-top-up', {
      customerId,
      currencyCode: 'EUR',
      thresholdAmount: 1,
      topUpAmount: 5,
    });
    expect(await tenant.ok('GET', `/internal/customers/${customerId}/references`)).toEqual({
      references: ['auto_top_up_rule'],
    });
    await tenant.method(customerId);
    await tenant.finalize({ customerId, gross: 100 });
    expect(await tenant.ok('GET', `/internal/customers/${customerId}/references`)).toEqual({
      references: ['payment_method', 'payment_intent', 'auto_top_up_rule'],
    });
  });
});

describe('a customer that is to be deleted', () => {
  const references = (customerId: string) => tenant.ok('GET', `/internal/customers/${customerId}/references`);
  const release = (customerId: string, version: number) =>
    tenant.ok('POST', `/internal/customers/${customerId}/release`, { version });
  const rule = (customerId: string) => ({ customerId, currencyCode: 'EUR', thresholdAmount: 1, topUpAmount: 5 });

  it('is released where nothing refers to it, and gets nothing from then on', async () => {
    const customerId = await tenant.customer();
    expect(await release(customerId, 1_000)).toEqual({ references: [] });
    expect(await tenant.call('POST', '/api/wallet/auto-top-up', rule(customerId))).toMatchObject({
      status: 422,
      body: { reason: 'unknown_reference' },
    });
    expect(await release(customerId, 1_000)).toEqual({ references: [] });
  });

  it('stays as it is where something does', async () => {
    const customerId = await tenant.customer();
    await tenant.method(customerId);
    expect(await release(customerId, 1_000)).toEqual({ references: ['payment_method'] });
    expect((await tenant.call('POST', '/api/wallet/auto-top-up', rule(customerId))).status).toBe(201);
  });

  it('stays while a provider is asked for a method of it', async () => {
    const customerId = await tenant.customer();
    await world.test.peek(
      `INSERT INTO method_registration (tenant_id, id, customer_id, gateway_name, source, wants_default,
         future_usage_allowed, input, state, token_digest, created_at)
       VALUES ($1, gen_random_uuid(), $2, 'testing', 'api', true, true, '{}', 'asking', $3, now())`,
      [tenant.id, customerId, customerId],
    );
    expect(await references(customerId)).toEqual({ references: ['method_registration'] });
    await world.test.peek(`UPDATE method_registration SET state = 'failed' WHERE customer_id = $1`, [customerId]);
    expect(await references(customerId)).toEqual({ references: [] });
  });
});

describe('billing chooses a default', () => {
  it('the method becomes it; one that is gone meanwhile changes nothing', async () => {
    const customerId = await tenant.customer();
    const [first] = [await tenant.method(customerId), await tenant.method(customerId)];
    const choose = (paymentMethodId: string): Promise<void> =>
      world.database.tenant(tenant.id, (tx) =>
        world.service.get(OnPaymentMethodChosen).handle({ payload: { customerId, paymentMethodId } } as never, tx),
      );
    await choose(newUuid());
    await choose(first.id);
    expect((await tenant.ok('GET', `/payment-methods/${first.id}`)).default).toBe(true);
  });
});
