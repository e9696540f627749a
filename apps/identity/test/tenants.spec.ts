import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newUuid } from '@kontor/kernel';
import { apiKeyPrincipal, type Send, servicePrincipal, testService, type TestService } from '@kontor/testing';
import { CreateSandboxTenant, identityService } from '../src/index.js';
import { FakeServices } from './fake-services.js';

describe('tenants and their keys', () => {
  let fakes: FakeServices;
  let test: TestService;
  let operator: Send;
  let verify: (token: string) => ReturnType<Send>;

  beforeAll(async () => {
    fakes = await FakeServices.start('identity');
    test = await testService(identityService, { directory: fakes.directory });
    const first = await test.service.get(CreateSandboxTenant).firstTenant();
    operator = test.as(apiKeyPrincipal(first.tenantId, { permissions: ['*', 'operator'] }));
    const gateway = test.as(servicePrincipal(first.tenantId, 'api-gateway'));
    verify = (token) => gateway('POST', '/internal/tokens/verify', { token });
  }, 60_000);
  afterAll(async () => {
    await test?.stop();
    fakes?.stop();
  });

  const aTenant = async (more: object = {}): Promise<{ tenantId: string; apiKey: string; send: Send }> => {
    const { status, body } = await operator('POST', '/tenants', { name: 'Backhaus', ...more });
    expect(status).toBe(201);
    return { ...body, send: test.as(apiKeyPrincipal(body.tenantId)) };
  };

  it('the operator creates live tenants, whose key may do everything but what the operator does', async () => {
    const { tenantId, apiKey } = await aTenant({ plan: 'enterprise', features: ['WalletTopUp'] });
    expect((await verify(apiKey)).body).toMatchObject({ principal: { tenantId, permissions: ['*'] }, mode: 'live' });
    expect((await operator('GET', `/tenants/${tenantId}`)).body).toMatchObject({
      id: tenantId,
      mode: 'live',
      status: 'active',
      plan: 'enterprise',
      features: ['WalletTopUp'],
    });
    expect((await operator('GET', `/tenants/${newUuid()}`)).status).toBe(404);
    const { send } = await aTenant();
    expect((await send('POST', '/tenants', { name: 'Mine' })).status).toBe(403);
  });

  it.each([
    [{}, 400],
    [{ name: 'x', mode: 'test' }, 422],
    [{ name: 'x', features: ['Nothing'] }, 422],
    [{ name: '' }, 422],
    [{ name: 'x', now: '2026-01-01T00:00:00Z' }, 400],
  ])('refuses %j', async (body, status) => expect((await operator('POST', '/tenants', body)).status).toBe(status));

  it.each([
    ['/tenants', {}],
    ['/sandbox/tenants', { now: '2026-01-01T00:00:00.000Z' }],
  ])('of requests to %s under one Idempotency-Key, one makes a tenant, whose key is not kept', async (path, more) => {
    const [name, key] = [newUuid(), { 'idempotency-key': newUuid() }];
    const open = () => operator('POST', path, { name, ...more }, key);
    const answers = await Promise.all(Array.from({ length: 5 }, open));
    const [made] = answers.filter(({ status }) => status === 201);
    expect(answers.filter(({ body }) => body.reason === 'request_in_progress')).toHaveLength(4);
    expect(await open()).toMatchObject({ status: 201, body: { tenantId: made!.body.tenantId } });
    expect(await test.peek('SELECT FROM tenant WHERE name = $1', [name])).toHaveLength(1);
    // Of a process that ends before it has answered, the key has what the transaction stored.
    await test.peek('UPDATE idempotency SET final = false, process = NULL WHERE key = $1', [key['idempotency-key']]);
    expect((await open()).body).toEqual({ tenantId: made!.body.tenantId });
  });

  it('the audit log of a tenant says who let an app in, what it may do, and where its answers go', async () => {
    const { tenantId, send } = await aTenant();
    const app = { name: 'App', redirectUris: ['https://app.example/in'], scopes: ['openid'] };
    const { clientId } = (await operator('POST', '/oauth/clients', { ...app, tenantId })).body;
    const path = `/oauth/clients/${clientId}`;
    const elsewhere = { ...app, redirectUris: ['https://elsewhere.example/in'] };
    expect((await operator('PUT', path, elsewhere)).status).toBe(200);
    expect((await operator('POST', `${path}/rotate-secret`)).status).toBe(201);
    expect((await operator('DELETE', path)).status).toBe(204);
    const { data } = (await send('GET', '/audit-log?limit=4')).body;
    expect(data.map(({ type, metadata }: { type: string; metadata: object }) => [type, metadata])).toMatchObject([
      ['oauth_client.deleted', { before: elsewhere }],
      ['oauth_client.secret_rotated', {}],
      ['oauth_client.changed', { before: app, after: elsewhere }],
      ['oauth_client.created', { after: app }],
    ]);
    expect(data[0]).toMatchObject({
      actor: { kind: 'api_key' },
      subject: { kind: 'oauth_client', id: clientId, name: 'App' },
    });
    expect(JSON.stringify(data)).not.toMatch(/secret[A-Z]|digest/i);
  });

  it('of requests under one Idempotency-Key for new signing keys, one makes some', async () => {
    const count = async (): Promise<number> => (await test.peek('SELECT FROM signing_key')).length;
    const [before, key] = [await count(), { 'idempotency-key': newUuid() }];
    await Promise.all(Array.from({ length: 5 }, () => operator('POST', '/oauth/signing-keys/rotate', {}, key)));
    expect(await count()).toBe(before + 2);
  });

  it('nobody gets in to a suspended tenant', async () => {
    const { tenantId, apiKey } = await aTenant();
    expect((await operator('PUT', `/tenants/${tenantId}/suspend`)).body).toMatchObject({ status: 'suspended' });
    expect((await operator('PUT', `/tenants/${tenantId}/suspend`)).status).toBe(200);
    expect(await verify(apiKey)).toMatchObject({ status: 403, body: { reason: 'tenant_suspended' } });
    expect((await operator('PUT', `/tenants/${tenantId}/resume`)).body).toMatchObject({ status: 'active' });
    expect((await verify(apiKey)).status).toBe(200);
    expect((await operator('PUT', `/tenants/${newUuid()}/suspend`)).status).toBe(404);
  });

  it('a key shows when it was last used', async () => {
    const { send } = await aTenant();
    const { body: key } = await send('POST', '/api-keys', { name: 'Shop', permissions: ['customer:read'] });
    const shown = async () =>
      (await send('GET', '/api-keys')).body.data.find(({ id }: { id: string }) => id === key.id);
    expect((await shown()).lastUsedAt).toBeNull();
    const before = Date.now();
    expect((await verify(key.secret)).status).toBe(200);
    const { lastUsedAt } = await shown();
    expect(Date.parse(lastUsedAt)).toBeGreaterThanOrEqual(before - 1);
    expect((await verify(key.secret)).status).toBe(200);
    expect((await shown()).lastUsedAt).toBe(lastUsedAt);
  });

  it('a key is replaced by a new one, and goes on for as long as is said', async () => {
    const { send } = await aTenant();
    const { body: old } = await send('POST', '/api-keys', {
      name: 'Shop',
      permissions: ['customer:read'],
      allowedIps: ['::1'],
    });
    const { status, body: made } = await send('POST', `/api-keys/${old.id}/rotate`, { overlapSeconds: 3600 });
    expect(status).toBe(201);
    expect(made).toMatchObject({ name: 'Shop', permissions: ['customer:read'], allowedIps: ['::1'], expiresAt: null });
    expect(Math.abs(Date.parse(made.replaces.expiresAt) - Date.now() - 3_600_000)).toBeLessThan(60_000);
    for (const { secret } of [old, made]) expect((await verify(secret)).status).toBe(200);
    const { body: last } = await send('POST', `/api-keys/${made.id}/rotate`, { overlapSeconds: 0 });
    expect((await verify(made.secret)).status).toBe(401);
    expect((await verify(last.secret)).status).toBe(200);
    expect((await send('POST', `/api-keys/${made.id}/rotate`)).status).toBe(404);
    for (const overlapSeconds of [-1, 2_592_001, 1.5])
      expect((await send('POST', `/api-keys/${last.id}/rotate`, { overlapSeconds })).status).toBe(422);
    const weak = test.as(apiKeyPrincipal((await aTenant()).tenantId, { permissions: ['api-key:write'] }));
    expect((await weak('POST', `/api-keys/${last.id}/rotate`)).status).toBe(404);
  });

  it('of requests to replace a key that come at once, one makes a key', async () => {
    const { send } = await aTenant();
    const { body: old } = await send('POST', '/api-keys', { name: 'Shop', permissions: ['customer:read'] });
    const answers = await Promise.all(Array.from({ length: 8 }, () => send('POST', `/api-keys/${old.id}/rotate`)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(409)]);
    const { body: made } = answers.find(({ status }) => status === 201)!;
    const { body: refused } = await send('POST', `/api-keys/${old.id}/rotate`);
    expect(refused).toMatchObject({ reason: 'api_key_replaced', detail: expect.stringContaining(made.id) });
    expect((await send('POST', `/api-keys/${made.id}/rotate`)).status).toBe(201);
  });

  it('nobody gets a key by replacing one that may do more', async () => {
    const { tenantId, send } = await aTenant();
    const { body: mighty } = await send('POST', '/api-keys', { name: 'All', permissions: ['*'] });
    const weak = test.as(apiKeyPrincipal(tenantId, { permissions: ['api-key:write'] }));
    expect((await weak('POST', `/api-keys/${mighty.id}/rotate`)).status).toBe(403);
  });

  it('a key may be for certain addresses', async () => {
    const { send } = await aTenant();
    const allowedIps = ['203.0.113.0/24', '2001:db8::1'];
    const { body } = await send('POST', '/api-keys', { name: 'Office', permissions: ['*'], allowedIps });
    expect((await verify(body.secret)).body.allowedIps).toEqual(allowedIps);
    for (const wrong of [['localhost'], ['203.0.113.0/33'], []])
      expect((await send('POST', '/api-keys', { name: 'x', permissions: ['*'], allowedIps: wrong })).status).toBe(422);
  });

  describe('a key that counts at some addresses only, and for a time', () => {
    const allowedIps = ['203.0.113.0/24'];
    const expiresAt = new Date(Date.now() + 86_400_000).toISOString();
    const within = { allowedIps: ['203.0.113.7'], expiresAt: new Date(Date.now() + 3_600_000).toISOString() };
    const later = new Date(Date.now() + 2 * 86_400_000).toISOString();

    /** Calls as the gateway would for whoever shows this key. */
    const by = async (secret: string): Promise<Send> => test.as((await verify(secret)).body.principal);
    const aBoundKey = async (bounds: object = { allowedIps, expiresAt }) => {
      const { send } = await aTenant();
      const { body } = await send('POST', '/api-keys', { name: 'Office', permissions: ['*'], ...bounds });
      return { send, id: body.id as string, bound: await by(body.secret) };
    };
    const asked = (more: object) => ({ name: 'Shop', permissions: ['customer:read'], ...more });

    it('makes keys that are bound alike, or closer, and none that reach further', async () => {
      const { bound, send } = await aBoundKey();
      for (const open of [{}, { allowedIps: null, expiresAt: null }])
        expect(await bound('POST', '/api-keys', asked(open))).toMatchObject({
          status: 201,
          body: { allowedIps, expiresAt },
        });
      const { status, body } = await bound('POST', '/api-keys', asked(within));
      expect([status, body]).toMatchObject([201, within]);
      for (const wider of [
        { allowedIps: ['0.0.0.0/0'] },
        { allowedIps: ['203.0.113.7', '198.51.100.1'] },
        { expiresAt: later },
      ])
        expect([wider, await bound('POST', '/api-keys', asked(wider))]).toMatchObject([
          wider,
          { status: 403, body: { reason: 'permission_denied' } },
        ]);
      const grandchild = await (await by(body.secret))('POST', '/api-keys', asked({ allowedIps }));
      expect(grandchild).toMatchObject({ status: 403, body: { reason: 'permission_denied' } });
      expect((await send('POST', '/api-keys', asked({}))).body).toMatchObject({ allowedIps: null, expiresAt: null });
    });

    it.each([
      ['addresses', { allowedIps }],
      ['a time', { expiresAt }],
    ])('bound to %s, replaces itself and no key that reaches further', async (_what, bounds) => {
      const { bound, send, id } = await aBoundKey(bounds);
      const { body: free } = await send('POST', '/api-keys', asked({}));
      expect(await bound('POST', `/api-keys/${free.id}/rotate`)).toMatchObject({
        status: 403,
        body: { reason: 'permission_denied' },
      });
      const { status, body } = await bound('POST', `/api-keys/${id}/rotate`);
      expect([status, body]).toMatchObject([201, bounds]);
    });

    it('gives people nothing, who are not bound', async () => {
      const { bound, send } = await aBoundKey({ allowedIps });
      const invitation = { email: 'ada@backhaus-elbe.example', roles: ['support'] };
      const { body: role } = await send('POST', '/user-roles', { name: 'Shop', permissions: ['customer:read'] });
      const provider = {
        issuer: 'https://login.backhaus-elbe.example',
        clientId: 'kontor',
        clientSecret: 'secret',
        domains: ['backhaus-elbe.example'],
      };
      for (const [method, path, body] of [
        ['POST', '/user-invitations', invitation],
        ['POST', '/user-roles', { name: 'Office', permissions: ['customer:read'] }],
        ['PUT', `/user-roles/${role.id}`, { name: 'Shop', permissions: ['*'] }],
        ['PUT', '/identity-provider', provider],
      ] as const)
        expect([path, await bound(method, path, body)]).toMatchObject([
          path,
          { status: 403, body: { reason: 'permission_denied', detail: expect.stringContaining('bound') } },
        ]);
      expect((await send('POST', '/user-invitations', invitation)).status).toBe(201);
      expect((await bound('DELETE', `/user-roles/${role.id}`)).status).toBe(204);
    });

    it('that was revoked a moment ago makes no key', async () => {
      const { bound, send, id } = await aBoundKey();
      expect((await send('DELETE', `/api-keys/${id}`)).status).toBe(204);
      expect((await bound('POST', '/api-keys', asked({}))).status).toBe(403);
    });
  });
});
