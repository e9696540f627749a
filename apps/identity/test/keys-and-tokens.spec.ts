import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { customerChangedV1 } from '@kontor/contracts';
import { newUuid } from '@kontor/kernel';
import {
  apiKeyPrincipal,
  customerPrincipal,
  type Send,
  servicePrincipal,
  testService,
  type TestService,
} from '@kontor/testing';
import { CreateSandboxTenant, identityService } from '../src/index.js';
import { FakeServices } from './fake-services.js';

describe('keys and tokens', () => {
  let fakes: FakeServices;
  let test: TestService;
  let first: { tenantId: string; apiKey: string };
  let send: Send;
  let verify: (token: string) => ReturnType<Send>;

  beforeAll(async () => {
    fakes = await FakeServices.start('identity');
    test = await testService(identityService, { directory: fakes.directory });
    first = await test.service.get(CreateSandboxTenant).firstTenant();
    send = test.as(apiKeyPrincipal(first.tenantId));
    const gateway = test.as(servicePrincipal(first.tenantId, 'api-gateway'));
    verify = (token) => gateway('POST', '/internal/tokens/verify', { token });
  }, 60_000);
  afterAll(async () => {
    await test?.stop();
    fakes?.stop();
  });

  const createKey = (body: object): ReturnType<Send> => send('POST', '/api-keys', body);

  it('the start-up key may do everything, operator included', async () => {
    expect(await verify(first.apiKey)).toMatchObject({
      status: 200,
      body: {
        principal: { tenantId: first.tenantId, kind: 'api_key', permissions: ['*', 'operator'], mode: 'sandbox' },
        mode: 'sandbox',
        expiresAt: null,
      },
    });
    expect(first.apiKey).toMatch(/^api_/);
  });

  it('a key is shown once and stored as a digest', async () => {
    const { status, body } = await createKey({
      name: 'Shop',
      permissions: ['customer:read', 'BankAccountTransactionWrite'],
    });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.any(String),
      name: 'Shop',
      permissions: ['customer:read', 'BankAccountTransactionWrite'],
      allowedIps: null,
      lastUsedAt: null,
      expiresAt: null,
      createdAt: expect.any(String),
      secret: expect.stringMatching(/^api_/),
    });
    const listed = (await send('GET', '/api-keys')).body.data.find((key: { id: string }) => key.id === body.id);
    expect(listed).not.toHaveProperty('secret');
    for (const [table] of [['api_key'], ['outbox'], ['idempotency']])
      expect(JSON.stringify(await test.peek(`SELECT t::text FROM ${table} t`))).not.toContain(body.secret);
    expect((await verify(body.secret)).body.principal).toMatchObject({ subjectId: body.id, name: 'Shop' });
  });

  it('a repeated request says that the secret was shown already, and which key to replace', async () => {
    const create = (): ReturnType<Send> =>
      send('POST', '/api-keys', { name: 'Again', permissions: ['*'] }, { 'idempotency-key': 'again' });
    const { body: first } = await create();
    const second = await create();
    const { secret, ...rest } = first;
    expect(secret).toMatch(/^api_/);
    expect([second.status, second.body]).toEqual([201, rest]);
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    expect(second.headers.get('idempotent-withheld')).toBe('secret');
  });

  it('a `*` key is never handed to another key that repeats the request', async () => {
    const body = { name: 'Mighty', permissions: ['*'] };
    const headers = { 'idempotency-key': 'mighty' };
    await send('POST', '/api-keys', body, headers);
    const weak = test.as(apiKeyPrincipal(first.tenantId, { permissions: ['api-key:write'] }));
    expect(await weak('POST', '/api-keys', body, headers)).toMatchObject({
      status: 422,
      body: { reason: 'idempotency_key_reused' },
    });
  });

  it('a revoked key is unknown at once', async () => {
    const { body } = await createKey({ name: 'Short', permissions: ['*'] });
    expect((await send('DELETE', `/api-keys/${body.id}`)).status).toBe(204);
    expect(await verify(body.secret)).toMatchObject({ status: 401, body: { reason: 'unauthenticated' } });
    expect((await send('DELETE', `/api-keys/${body.id}`)).status).toBe(404);
  });

  it('expiry is real time', async () => {
    const { body } = await createKey({
      name: 'Brief',
      permissions: ['*'],
      expiresAt: new Date(Date.now() + 3_600_000).toISOString(),
    });
    expect((await verify(body.secret)).status).toBe(200);
    await test.peek(`UPDATE api_key SET expires_at = now() - interval '1 second' WHERE id = $1`, [body.id]);
    expect((await verify(body.secret)).status).toBe(401);
    expect(await createKey({ name: 'Late', permissions: ['*'], expiresAt: '2020-01-01T00:00:00Z' })).toMatchObject({
      status: 422,
    });
  });

  it('nobody hands on more than they have, and nobody hands on operator', async () => {
    const weak = test.as(apiKeyPrincipal(first.tenantId, { permissions: ['api-key:write', 'customer:read'] }));
    for (const permissions of [['*'], ['customer:write'], ['operator']]) {
      expect(await weak('POST', '/api-keys', { name: 'More', permissions })).toMatchObject({
        status: 403,
        body: { reason: 'permission_denied' },
      });
    }
    expect((await weak('POST', '/api-keys', { name: 'Same', permissions: ['customer:read'] })).status).toBe(201);
    const operator = test.as(apiKeyPrincipal(first.tenantId, { permissions: ['*', 'operator'] }));
    expect((await operator('POST', '/api-keys', { name: 'Root', permissions: ['operator'] })).status).toBe(403);
  });

  it.each([
    ['no permissions', { name: 'x', permissions: [] }, 422],
    ['an unknown one', { name: 'x', permissions: ['customer:destroy'] }, 422],
    ['no name', { permissions: ['*'] }, 400],
    ['an unknown field', { name: 'x', permissions: ['*'], admin: true }, 400],
  ])('refuses %s', async (_what, body, status) => {
    expect((await createKey(body)).status).toBe(status);
  });

  it.each(['', 'api_', 'api_0000', 'cus_nothing', 'ey.ey.ey'])(
    'a token that is none (%j) is refused',
    async (token) => {
      expect(await verify(token)).toMatchObject({ status: 401, body: { reason: 'unauthenticated' } });
    },
  );

  it('verification is for services only', async () => {
    expect((await send('POST', '/internal/tokens/verify', { token: first.apiKey })).status).toBe(403);
    expect((await test.as(null)('POST', '/internal/tokens/verify', { token: first.apiKey })).status).toBe(401);
  });

  it("a customer's session acts on that customer alone", async () => {
    const customerId = newUuid();
    await test.giveCopy('customer', first.tenantId, customerId, { ...customerChangedV1.example.state, id: customerId });
    const { status, body } = await send('POST', `/customers/${customerId}/authenticate`);
    expect(status).toBe(201);
    const { principal, expiresAt } = (await verify(body.data.accessToken)).body;
    expect(principal).toMatchObject({ kind: 'customer', customerId, tenantId: first.tenantId, permissions: [] });
    expect(Math.abs(new Date(expiresAt).getTime() - Date.now() - 3_600_000)).toBeLessThan(10_000);
    expect((await verify(body.data.refreshToken)).status).toBe(401);
    expect((await send('POST', `/customers/${newUuid()}/authenticate`)).status).toBe(404);
    expect(
      (await test.as(customerPrincipal(first.tenantId, customerId))('POST', `/customers/${customerId}/authenticate`))
        .status,
    ).toBe(403);
  });

  it("a customer's session that a person opens is in the audit log", async () => {
    const customerId = newUuid();
    const state = { ...customerChangedV1.example.state, id: customerId };
    await test.giveCopy('customer', first.tenantId, customerId, state);
    const person = { kind: 'user', subjectId: newUuid(), name: 'Jo Brandt' } as const;
    const opened = [send, test.as(apiKeyPrincipal(first.tenantId, person))];
    for (const call of opened) expect((await call('POST', `/customers/${customerId}/authenticate`)).status).toBe(201);
    const { data } = (await send('GET', '/audit-log?type=customer.session_opened')).body;
    expect(data).toMatchObject([
      {
        actor: { kind: 'user', id: person.subjectId, name: 'Jo Brandt' },
        subject: { kind: 'customer', id: customerId },
      },
    ]);
  });

  it("a customer's session ends with the customer: it is not refreshed", async () => {
    const customerId = newUuid();
    const state = { ...customerChangedV1.example.state, id: customerId };
    await test.giveCopy('customer', first.tenantId, customerId, state);
    const { data } = (await send('POST', `/customers/${customerId}/authenticate`)).body;
    const refresh = (refreshToken: string) => test.as(null)('POST', '/public/customer/refresh', { refreshToken });
    const refreshed = await refresh(data.refreshToken);
    expect(refreshed.status).toBe(200);
    const { database, replicas } = test.service.kit;
    await database.tenant(first.tenantId, (tx) => replicas.apply(tx, 'customer', customerId, 2, state, true));
    expect((await refresh(refreshed.body.data.refreshToken)).status).toBe(401);
    expect((await verify(refreshed.body.data.accessToken)).status).toBe(401);
  });

  it('what somebody gets in with is not kept under an Idempotency-Key: a refresh token that is shown again ends its session', async () => {
    const customerId = newUuid();
    await test.giveCopy('customer', first.tenantId, customerId, { ...customerChangedV1.example.state, id: customerId });
    const { refreshToken } = (await send('POST', `/customers/${customerId}/authenticate`)).body.data;
    const refresh = () =>
      send('POST', '/public/customer/refresh', { refreshToken }, { 'idempotency-key': 'refresh-under-a-key' });
    const refreshed = await refresh();
    expect(refreshed.status).toBe(200);
    expect(await refresh()).toMatchObject({ status: 401, body: { reason: 'unauthenticated' } });
    expect((await verify(refreshed.body.data.accessToken)).status).toBe(401);
    const person = { email: 'ada@nobody.example', password: 'correct horse battery' };
    const signIn = await send('POST', '/public/users/sign-in', person, { 'idempotency-key': 'sign-in-under-a-key' });
    expect(signIn.status).toBe(401);
    expect(await test.peek(`SELECT FROM idempotency WHERE key LIKE '%-under-a-key'`)).toEqual([]);
  });

  it.each(['customer:read', 'invoice:read', 'payment-method:read', 'wallet:write'])(
    "a customer's session is not opened by who may do less than it: without %s",
    async (lacking) => {
      const customerId = newUuid();
      await test.giveCopy('customer', first.tenantId, customerId, {
        ...customerChangedV1.example.state,
        id: customerId,
      });
      const areas = ['customer', 'entitlement', 'invoice', 'payment-method', 'subscription', 'wallet'];
      const all = ['customer:write', 'wallet:write', ...areas.map((area) => `${area}:read`)];
      const open = (permissions: string[]) =>
        test.as(apiKeyPrincipal(first.tenantId, { permissions }))('POST', `/customers/${customerId}/authenticate`);
      expect((await open(all)).status).toBe(201);
      const refused = await open(all.filter((permission) => permission !== lacking));
      expect(refused).toMatchObject({ status: 403, body: { reason: 'permission_denied' } });
    },
  );

  it('features are for the operator, and their change is published', async () => {
    expect((await send('PUT', '/tenant/features', { features: [] })).status).toBe(403);
    const operator = test.as(apiKeyPrincipal(first.tenantId, { permissions: ['*', 'operator'] }));
    expect((await operator('PUT', '/tenant/features', { features: ['WalletTopUp'] })).body).toEqual({
      features: ['WalletTopUp'],
    });
    expect((await operator('PUT', '/tenant/features', { features: ['Nothing'] })).status).toBe(422);
    expect((await send('GET', '/tenant')).body).toMatchObject({
      id: first.tenantId,
      mode: 'sandbox',
      plan: 'enterprise',
      features: ['WalletTopUp'],
    });
    const [last] = await test.peek<{ payload: string }>(
      `SELECT payload FROM outbox WHERE tenant_id = $1 ORDER BY id DESC LIMIT 1`,
      [first.tenantId],
    );
    expect(JSON.parse(last!.payload)).toMatchObject({ state: { features: ['WalletTopUp'] } });
  });

  it("the operator sets any tenant's features", async () => {
    const { tenantId } = await test.service
      .get(CreateSandboxTenant)
      .execute({ name: 'Third', plan: 'standard', features: [], now: null });
    const body = { features: ['customer.hierarchy'] };
    expect((await send('PUT', `/tenants/${tenantId}/features`, body)).status).toBe(403);
    const operator = test.as(apiKeyPrincipal(first.tenantId, { permissions: ['*', 'operator'] }));
    const before = (await operator('GET', '/tenant')).body.features;
    expect(await operator('PUT', `/tenants/${tenantId}/features`, body)).toMatchObject({ status: 200, body });
    expect((await test.as(apiKeyPrincipal(tenantId))('GET', '/tenant')).body).toMatchObject({ id: tenantId, ...body });
    expect((await operator('GET', '/tenant')).body.features).toEqual(before);
    expect((await operator('PUT', `/tenants/${newUuid()}/features`, body)).status).toBe(404);
    expect((await operator('PUT', `/tenants/${tenantId}/features`, { features: ['Nothing'] })).status).toBe(422);
  });

  it("another tenant's keys do not exist", async () => {
    const other = await test.service
      .get(CreateSandboxTenant)
      .execute({ name: 'Other', plan: 'standard', features: [], now: null });
    const { body } = await createKey({ name: 'Mine', permissions: ['*'] });
    const asOther = test.as(apiKeyPrincipal(other.tenantId));
    expect((await asOther('DELETE', `/api-keys/${body.id}`)).status).toBe(404);
    expect((await asOther('GET', '/api-keys')).body.data).toHaveLength(1);
    expect((await verify(body.secret)).status).toBe(200);
  });
});
