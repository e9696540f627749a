import { AsyncResource } from 'node:async_hooks';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { customerChangedV1 } from '@kontor/contracts';
import { newUuid, type TenantId } from '@kontor/kernel';
import {
  apiKeyPrincipal,
  eventually,
  servicePrincipal,
  type TestAnswer,
  testService,
  type TestService,
} from '@kontor/testing';
import { endSessionsOf } from '../src/customer-sessions/end-sessions-of.js';
import { CreateSandboxTenant, identityService, Issuers } from '../src/index.js';
import { FakeServices } from './fake-services.js';
import { WatchedRequests } from './statements.js';

const REDIRECT = 'https://app.example/callback';
const SCOPE = 'openid offline';

describe('tokens for a code, and for a refresh token', () => {
  let fakes: FakeServices;
  let test: TestService;
  let watched: WatchedRequests;
  let credentials: { client_id: string; client_secret: string };
  let tenantId: TenantId;
  const accountId = newUuid();

  beforeAll(async () => {
    fakes = await FakeServices.start('identity');
    const env = { SANDBOX_AUTH_URL: 'https://auth.example' };
    test = await testService(identityService, { directory: fakes.directory, env });
    watched = new WatchedRequests(test);
    const create = test.service.get(CreateSandboxTenant);
    ({ tenantId } = await create.execute({ name: 'One', plan: 'standard', features: [], now: null }));
    await test.giveCopy('customer', tenantId, accountId, { ...customerChangedV1.example.state, id: accountId });
    const operator = test.as(apiKeyPrincipal(tenantId, { permissions: ['operator'] }));
    const { status, body } = await operator('POST', '/oauth/clients', { name: 'App', redirectUris: [REDIRECT] });
    expect([status, body]).toEqual([201, expect.anything()]);
    credentials = { client_id: body.clientId, client_secret: body.clientSecret };
  }, 60_000);
  afterAll(async () => {
    await test?.stop();
    fakes?.stop();
  });

  const send = (path: string, fields: Record<string, string>): Promise<TestAnswer> =>
    test.as(null)('POST', path, new URLSearchParams({ ...credentials, ...fields }).toString(), {
      'content-type': 'application/x-www-form-urlencoded',
      'x-forwarded-host': 'auth.example',
    });
  const refresh = (token: string): Promise<TestAnswer> =>
    send('/oauth2/token', { grant_type: 'refresh_token', refresh_token: token });
  const isActive = async (token: string): Promise<boolean> =>
    (await send('/oauth2/introspect', { token })).body.active as boolean;

  /** What a customer has granted to the app, as the pages leave it. */
  async function granted() {
    const { provider } = await test.service.get(Issuers).of('sandbox');
    const client = (await provider.Client.find(credentials.client_id))!;
    const grant = new provider.Grant({ accountId, clientId: client.clientId });
    grant.addOIDCScope(SCOPE);
    return { provider, given: { client, accountId, grantId: await grant.save(), scope: SCOPE } };
  }
  async function aCode(): Promise<Record<string, string>> {
    const { provider, given } = await granted();
    const code = new provider.AuthorizationCode({ ...given, redirectUri: REDIRECT, gty: 'authorization_code' });
    return { grant_type: 'authorization_code', redirect_uri: REDIRECT, code: await code.save() };
  }
  async function aRefreshToken(): Promise<string> {
    const { provider, given } = await granted();
    return new provider.RefreshToken({ ...given, gty: 'authorization_code' }).save();
  }

  const waiting = async (): Promise<number> => {
    const [row] = await test.peek<{ n: string }>(
      `SELECT count(*) AS n FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    return Number(row!.n);
  };
  /** Begins one after the other while no refresh token can be used up: all of them wait, then go on. */
  async function meeting<T>(requests: readonly (() => Promise<T>)[]): Promise<T[]> {
    const begun: Promise<T>[] = [];
    await test.service.kit.database.system(async (sql) => {
      await sql.query(`SELECT FROM oidc_payload WHERE model = 'RefreshToken' FOR UPDATE`);
      for (const request of requests) {
        const before = await waiting();
        begun.push(request());
        await eventually(async () => (await waiting()) > before, 'the request waits');
      }
    });
    return Promise.all(begun);
  }

  it('cost five statements: what is shown with its grant, the customer, and all that is written', async () => {
    for (const ask of [async () => send('/oauth2/token', await aCode()), async () => refresh(await aRefreshToken())]) {
      expect((await ask()).body).toMatchObject({ id_token: expect.any(String), refresh_token: expect.any(String) });
    }
    // The app is kept for half a second, which a busy machine may need for less than an exchange.
    const five = ['SELECT', 'BEGIN', 'SELECT', 'COMMIT', 'WITH'].join();
    await eventually(async () => {
      const token = await aRefreshToken();
      const { statements } = await watched.during(async () => expect((await refresh(token)).status).toBe(200));
      return statements.map((text) => /^\s*(\w+)/.exec(text)?.[1]).join() === five;
    }, 'an exchange takes five statements');
  });

  it('are given once for a token that two show in the same moment', async () => {
    const token = await aRefreshToken();
    const [first, second] = await meeting([() => refresh(token), () => refresh(token)]);
    expect([first!.status, second!.status, second!.body.error]).toEqual([200, 400, 'invalid_grant']);
    expect(await isActive(first!.body.access_token)).toBe(true);
  });

  it('do not outlive a grant that is revoked while they are given', async () => {
    const { access_token: token, refresh_token: next } = (await refresh(await aRefreshToken())).body;
    const [given, revoked] = await meeting([() => refresh(next), () => send('/oauth2/revoke', { token })]);
    expect([given!.status, revoked!.status]).toEqual([200, 200]);
    expect(await isActive(given!.body.access_token)).toBe(false);
    expect((await refresh(given!.body.refresh_token)).body).toMatchObject({ error: 'invalid_grant' });
  });

  it('nor a customer who is signed out while they are given', async () => {
    const token = await aRefreshToken();
    // In no transaction of the one that has it begin.
    const signOut = AsyncResource.bind(() =>
      test.service.kit.database.tenant(tenantId, (tx) => endSessionsOf(tx, accountId)),
    );
    const [given] = await meeting<TestAnswer | void>([() => refresh(token), signOut]);
    expect((given as TestAnswer).status).toBe(200);
    expect(await test.peek(`SELECT model FROM oidc_payload WHERE payload->>'accountId' = '${accountId}'`)).toEqual([]);
  });

  it('are not used up by an exchange that fails', async () => {
    const token = await aRefreshToken();
    const widened = { grant_type: 'refresh_token', refresh_token: token, scope: 'openid entitlements.read' };
    expect((await send('/oauth2/token', widened)).body).toMatchObject({ error: 'invalid_scope' });
    expect((await refresh(token)).status).toBe(200);
  });

  it('say whether their tenant is suspended or closed', async () => {
    const { access_token: token } = (await refresh(await aRefreshToken())).body;
    const gateway = test.as(servicePrincipal(tenantId, 'api-gateway'));
    for (const status of ['suspended', 'closed']) {
      await test.peek(`UPDATE tenant SET status = '${status}' WHERE tenant_id = '${tenantId}'`);
      expect(await gateway('POST', '/internal/tokens/verify', { token })).toMatchObject({
        status: 403,
        body: { reason: `tenant_${status}` },
      });
    }
  });
});
