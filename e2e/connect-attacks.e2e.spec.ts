import { beforeAll, describe, expect, it } from '@jest/globals';
import * as oidc from 'openid-client';
import { CALLBACK, Connect } from './support/connect.js';
import { mailedLink } from './support/mails.js';
import { System } from './support/system.js';

/** What somebody with bad intentions would try. */
describe('attacks on sign-ins', () => {
  let system: System;
  let connect: Connect;
  let baseUrl: string;

  beforeAll(async () => {
    system = await System.shared();
    connect = new Connect(system);
    ({ baseUrl } = system.connection);
  });

  const token = (body: Record<string, string>, headers: Record<string, string> = {}) =>
    fetch(`${baseUrl}/oauth2/token`, { method: 'POST', body: new URLSearchParams(body), headers });

  it.each([
    `${CALLBACK}/`,
    `${CALLBACK}?more=1`,
    `${CALLBACK}#fragment`,
    `${CALLBACK}/../evil`,
    `${CALLBACK}%2f..%2fevil`,
    'https://app.example.evil.example/callback',
    'https://app.example@evil.example/callback',
    'https://evil.example\\@app.example/callback',
    'https://APP.example/callback',
    'http://app.example/callback',
    'https://app.example:444/callback',
    '//app.example/callback',
    'javascript:alert(1)',
    '',
  ])('the redirect address %j leads nowhere', async (redirectUri) => {
    const { client } = await connect.anApp();
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: client.clientId,
      redirect_uri: redirectUri,
      scope: 'openid',
    });
    const page = await connect.newBrowser().open(`${baseUrl}/oauth2/auth?${query}`);
    expect([page.status, page.url.origin]).toEqual([400, baseUrl]);
    expect(page.html).not.toContain('<script');
  });

  it("another app cannot redeem a code, nor can the code's own app for another address", async () => {
    const { client, config } = await connect.anApp({ redirectUris: [CALLBACK, `${CALLBACK}/second`] });
    const thief = await connect.anApp();
    const { returned, checks, redeem } = await connect.signIn(config, (await connect.someone()).email);
    const given = {
      grant_type: 'authorization_code',
      code: returned.searchParams.get('code')!,
      redirect_uri: CALLBACK,
      code_verifier: checks.pkceCodeVerifier,
    };
    const stolen = await token({
      ...given,
      client_id: thief.client.clientId,
      client_secret: thief.client.clientSecret,
    });
    expect([stolen.status, await stolen.json()]).toEqual([400, expect.objectContaining({ error: 'invalid_grant' })]);
    const credentials = { client_id: client.clientId, client_secret: client.clientSecret };
    const elsewhere = await token({ ...given, ...credentials, redirect_uri: `${CALLBACK}/second` });
    expect(((await elsewhere.json()) as { error: string }).error).toBe('invalid_grant');
    expect((await redeem()).token_type).toBe('bearer');
  });

  it('a refresh token is worth nothing to another app', async () => {
    const { config } = await connect.anApp();
    const thief = await connect.anApp();
    const tokens = await (await connect.signIn(config, (await connect.someone()).email)).redeem();
    await expect(oidc.refreshTokenGrant(thief.config, tokens.refresh_token!)).rejects.toMatchObject({
      error: 'invalid_grant',
    });
    expect((await oidc.tokenIntrospection(thief.config, tokens.access_token)).active).toBe(false);
    expect((await oidc.refreshTokenGrant(config, tokens.refresh_token!)).token_type).toBe('bearer');
  });

  it('refreshing does not widen what was granted', async () => {
    const { config } = await connect.anApp();
    const { redeem } = await connect.signIn(config, (await connect.someone()).email, { scope: 'openid offline' });
    const tokens = await redeem();
    await expect(
      oidc.refreshTokenGrant(config, tokens.refresh_token!, { scope: 'openid entitlements.read' }),
    ).rejects.toMatchObject({ error: 'invalid_scope' });
    const narrower = await oidc.refreshTokenGrant(config, tokens.refresh_token!, { scope: 'offline' });
    expect([narrower.scope, narrower.id_token]).toEqual(['offline', undefined]);
  });

  it('an app asks for no more than it was registered for, and for nothing that does not exist', async () => {
    const { config } = await connect.anApp({ scopes: ['openid'] });
    const ask = async (more: Record<string, string>) => {
      const url = oidc.buildAuthorizationUrl(config, { redirect_uri: CALLBACK, state: 'x', ...more });
      const { search, hash } = (await connect.newBrowser().open(url)).url;
      return Object.fromEntries(new URLSearchParams(search || hash.slice(1)));
    };
    expect(await ask({ scope: 'openid entitlements.read' })).toMatchObject({
      error: 'invalid_scope',
      state: 'x',
      iss: baseUrl,
    });
    expect(
      await ask({ scope: 'openid', code_challenge: 'x'.repeat(43), code_challenge_method: 'plain' }),
    ).toMatchObject({
      error: 'invalid_request',
    });
    for (const response_type of ['token', 'id_token', 'code id_token'])
      expect([response_type, (await ask({ scope: 'openid', response_type })).error]).toEqual([
        response_type,
        expect.stringMatching(/^unsupported_response_type$/),
      ]);
  });

  it.each([
    [{ grant_type: 'password', username: 'a', password: 'b' }, 'unsupported_grant_type'],
    [{ grant_type: 'client_credentials' }, 'unsupported_grant_type'],
    [{ grant_type: 'authorization_code', code: 'made-up', redirect_uri: CALLBACK }, 'invalid_grant'],
    [{ grant_type: 'refresh_token', refresh_token: 'made-up' }, 'invalid_grant'],
    [{ grant_type: 'refresh_token' }, 'invalid_request'],
    [{}, 'invalid_request'],
  ] as [Record<string, string>, string][])('the token endpoint refuses %j with %s', async (body, error) => {
    const { client } = await connect.anApp();
    const answer = await token({ ...body, client_id: client.clientId, client_secret: client.clientSecret });
    expect([answer.status, await answer.json()]).toEqual([400, expect.objectContaining({ error })]);
    expect(answer.headers.get('cache-control')).toContain('no-store');
  });

  it('wrong secrets and unknown apps look the same', async () => {
    const { client } = await connect.anApp();
    const body = { grant_type: 'refresh_token', refresh_token: 'x' };
    const wrong = await token({ ...body, client_id: client.clientId, client_secret: 'wrong' });
    const unknown = await token({ ...body, client_id: client.tenantId, client_secret: 'wrong' });
    expect([wrong.status, await wrong.json()]).toEqual([unknown.status, await unknown.json()]);
    const digest = await token({ ...body, client_id: client.clientId, client_secret: '' });
    expect([400, 401]).toContain(digest.status);
  });

  it('a form of megabytes is refused before it is taken apart', async () => {
    const answer = await fetch(`${baseUrl}/oauth2/token`, {
      method: 'POST',
      body: 'a=b&'.repeat(1_000_000),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect([answer.status, await answer.json()]).toEqual([
      413,
      expect.objectContaining({ reason: 'payload_too_large' }),
    ]);
  });

  it('links in mails lead to the issuer, whatever host a request claims', async () => {
    const { client } = await connect.anApp();
    const { email } = await connect.someone();
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: client.clientId,
      redirect_uri: CALLBACK,
      scope: 'openid',
    });
    const forged = { 'x-forwarded-host': 'evil.example', forwarded: 'host=evil.example', 'x-forwarded-proto': 'https' };
    const begun = await fetch(`${baseUrl}/oauth2/auth?${query}`, { redirect: 'manual', headers: forged });
    expect([begun.status, begun.headers.get('location')]).toEqual([
      303,
      expect.stringMatching(/^\/oauth2\/interaction\//),
    ]);
    const cookie = begun.headers
      .getSetCookie()
      .map((line) => line.split(';')[0])
      .join('; ');
    const sent = await fetch(baseUrl + begun.headers.get('location'), {
      method: 'POST',
      headers: { ...forged, cookie, 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ email }).toString(),
    });
    expect(sent.status).toBe(200);
    expect(new URL(await mailedLink(system.dataDir, email)).origin).toBe(baseUrl);
    const discovery = await fetch(`${baseUrl}/.well-known/openid-configuration`, { headers: forged });
    expect(((await discovery.json()) as { issuer: string }).issuer).toBe(baseUrl);
  });

  it('live and sandbox are apart: each has its issuer, and knows nothing of the other’s apps', async () => {
    const live = baseUrl.replace('127.0.0.1', 'localhost');
    const discovery = await fetch(`${live}/.well-known/openid-configuration`);
    expect(((await discovery.json()) as { issuer: string }).issuer).toBe(live);
    const { client } = await connect.anApp();
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: client.clientId,
      redirect_uri: CALLBACK,
      scope: 'openid',
    });
    const page = await connect.newBrowser().open(`${live}/oauth2/auth?${query}`);
    expect([page.status, page.html]).toEqual([400, expect.stringContaining('invalid_client')]);
  });

  it('cookies that were changed are those of nobody', async () => {
    const { config } = await connect.anApp();
    const { browser } = await connect.signIn(config, (await connect.someone()).email);
    browser.setCookie('kontor_session', 'A'.repeat(43));
    const url = oidc.buildAuthorizationUrl(config, { redirect_uri: CALLBACK, scope: 'openid', state: 'x' });
    expect((await browser.open(url)).html).toContain('type="email"');
  });
});
