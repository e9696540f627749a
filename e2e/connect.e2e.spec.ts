import { beforeAll, describe, expect, it } from '@jest/globals';
import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose';
import * as oidc from 'openid-client';
import { Api, eventually, type Json } from './support/api.js';
import { CALLBACK, Connect } from './support/connect.js';
import { mailedLink } from './support/mails.js';
import { PlainBrowser } from './support/plain-browser.js';
import { System } from './support/system.js';

/** An app, with the reference relying party as its library, signs customers in. */
describe('sign-in of customers to an app', () => {
  let system: System;
  let baseUrl: string;
  let connect: Connect;

  beforeAll(async () => {
    system = await System.shared();
    ({ baseUrl } = system.connection);
    connect = new Connect(system);
  });

  const anApp = (more: object = {}) => connect.anApp(more);
  const someone = () => connect.someone();
  const newBrowser = () => connect.newBrowser();
  const logIn: Connect['logIn'] = (...given) => connect.logIn(...given);
  const signIn: Connect['signIn'] = (...given) => connect.signIn(...given);

  it('gets tokens for a code, field by field, and new ones for a refresh token', async () => {
    const { client, config } = await anApp();
    const { id, email } = await someone();
    const { redeem } = await signIn(config, email);
    const tokens = await redeem();
    expect({ ...tokens }).toEqual({
      access_token: expect.any(String),
      expires_in: 3600,
      id_token: expect.any(String),
      refresh_token: expect.stringMatching(/^[\w-]{43}$/),
      scope: 'openid offline entitlements.read',
      token_type: 'bearer',
    });
    const claims = tokens.claims()!;
    expect(claims).toMatchObject({
      iss: baseUrl,
      aud: client.clientId,
      sub: id,
      name: 'Ada Berg',
      given_name: 'Ada',
      family_name: 'Berg',
      email,
      email_verified: true,
      nonce: expect.any(String),
      auth_time: expect.any(Number),
    });
    expect(decodeProtectedHeader(tokens.access_token)).toEqual({
      alg: 'RS256',
      typ: 'at+jwt',
      kid: expect.any(String),
    });
    expect(decodeJwt(tokens.access_token)).toMatchObject({
      iss: baseUrl,
      aud: baseUrl,
      sub: id,
      client_id: client.clientId,
      scope: 'openid offline entitlements.read',
    });
    const keys = await (await fetch(`${baseUrl}/.well-known/jwks.json`)).json();
    await jwtVerify(tokens.access_token, createLocalJWKSet(keys as never), { issuer: baseUrl });
    expect(await oidc.fetchUserInfo(config, tokens.access_token, id)).toMatchObject({ sub: id, email });
    const renewed = await oidc.refreshTokenGrant(config, tokens.refresh_token!);
    expect(renewed.claims()).toMatchObject({ sub: id, auth_time: claims.auth_time });
    expect(renewed.refresh_token).not.toBe(tokens.refresh_token);
    expect(renewed.expires_in).toBe(3600);
  });

  it('a refresh token that is shown again ends everything that was granted with it', async () => {
    const { config } = await anApp({ tokenEndpointAuthMethod: 'client_secret_basic' });
    const { email } = await someone();
    const first = await (await signIn(config, email)).redeem();
    const second = await oidc.refreshTokenGrant(config, first.refresh_token!);
    await expect(oidc.refreshTokenGrant(config, first.refresh_token!)).rejects.toMatchObject({
      error: 'invalid_grant',
    });
    await expect(oidc.refreshTokenGrant(config, second.refresh_token!)).rejects.toMatchObject({
      error: 'invalid_grant',
    });
    expect(await oidc.tokenIntrospection(config, second.access_token)).toEqual({ active: false });
  });

  it('a code is redeemed once, however many try at the same moment', async () => {
    const { config } = await anApp();
    const { email } = await someone();
    const { redeem } = await signIn(config, email);
    const results = await Promise.allSettled(Array.from({ length: 50 }, redeem));
    expect(results.filter(({ status }) => status === 'fulfilled').length).toBeLessThanOrEqual(1);
    for (const result of results)
      if (result.status === 'rejected') expect(result.reason).toMatchObject({ error: 'invalid_grant' });
  });

  it("the identity can be asked for by the service's own name; without it there is no ID token", async () => {
    const { config } = await anApp();
    const { email } = await someone();
    const identity = await (await signIn(config, email, { scope: 'kontor' })).redeem();
    expect([identity.scope, typeof identity.id_token, identity.refresh_token]).toEqual(['kontor', 'string', undefined]);
    const verifier = oidc.randomPKCECodeVerifier();
    const browser = newBrowser();
    const url = oidc.buildAuthorizationUrl(config, {
      redirect_uri: CALLBACK,
      scope: 'entitlements.read',
      code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    });
    const other = await someone();
    const consent = await logIn(browser, await browser.open(url), other.email);
    const { url: returned } = await browser.submit(consent, { answer: 'allow' });
    const bare = await oidc.authorizationCodeGrant(config, returned, { pkceCodeVerifier: verifier });
    expect([bare.scope, bare.id_token, bare.refresh_token]).toEqual(['entitlements.read', undefined, undefined]);
  });

  it('an app without a secret must use PKCE; one with a secret may leave it out, but not by half', async () => {
    const { client, config } = await anApp({ tokenEndpointAuthMethod: 'none' });
    expect(client.clientSecret).toBeNull();
    const refused = await newBrowser().open(
      oidc.buildAuthorizationUrl(config, { redirect_uri: CALLBACK, scope: 'openid', state: 'x' }),
    );
    expect(refused.url.searchParams.get('error')).toBe('invalid_request');
    const { email } = await someone();
    expect((await (await signIn(config, email)).redeem()).token_type).toBe('bearer');
    const confidential = await anApp();
    const { returned, checks } = await signIn(confidential.config, (await someone()).email);
    await expect(
      oidc.authorizationCodeGrant(confidential.config, returned, { ...checks, pkceCodeVerifier: 'x'.repeat(43) }),
    ).rejects.toMatchObject({ error: 'invalid_grant' });
    const { pkceCodeVerifier: _left, ...withoutVerifier } = checks;
    const again = await signIn(confidential.config, (await someone()).email);
    await expect(
      oidc.authorizationCodeGrant(confidential.config, again.returned, {
        ...withoutVerifier,
        expectedState: again.checks.expectedState,
        expectedNonce: again.checks.expectedNonce,
      }),
    ).rejects.toMatchObject({ error: 'invalid_grant' });
  });

  it('consent that is denied leads back with access_denied', async () => {
    const { config } = await anApp();
    const { email } = await someone();
    const browser = newBrowser();
    const url = oidc.buildAuthorizationUrl(config, { redirect_uri: CALLBACK, scope: 'openid', state: 'denied' });
    const consent = await logIn(browser, await browser.open(url), email);
    const { url: returned } = await browser.submit(consent, { answer: 'deny' });
    expect(Object.fromEntries(returned.searchParams)).toMatchObject({ error: 'access_denied', state: 'denied' });
  });

  it('a link works only in the browser in which the sign-in was begun', async () => {
    const { config } = await anApp();
    const { email } = await someone();
    const url = oidc.buildAuthorizationUrl(config, { redirect_uri: CALLBACK, scope: 'openid' });
    const browser = newBrowser();
    await browser.submit(await browser.open(url), { email });
    const link = await mailedLink(system.dataDir, email);
    const elsewhere = await newBrowser().open(link);
    expect([elsewhere.status, elsewhere.html]).toEqual([404, expect.stringContaining('in the same browser')]);
    const token = link.slice(link.lastIndexOf('/') + 1);
    expect((await system.api.send('POST', '/public/customer/login', { token })).status).toBe(401);
    const behind = await browser.open(link);
    expect((await browser.submit(behind)).html).toContain('Allow Test App access?');
    expect((await browser.open(link)).status).toBe(404);
  });

  it("another tenant's session counts for nothing, and its customers cannot sign in", async () => {
    const other = await system.sandbox();
    const { config } = await anApp({ tenantId: other.tenantId });
    const { email } = await someone();
    const { browser } = await signIn((await anApp()).config, email);
    const page = await browser.open(
      oidc.buildAuthorizationUrl(config, { redirect_uri: CALLBACK, scope: 'openid', state: 'x' }),
    );
    expect(page.html).toContain('type="email"');
  });

  it('revoking ends a token, and what was granted with it', async () => {
    const { config } = await anApp();
    const tokens = await (await signIn(config, (await someone()).email)).redeem();
    expect(await oidc.tokenIntrospection(config, tokens.access_token)).toMatchObject({ active: true });
    await oidc.tokenRevocation(config, tokens.refresh_token!);
    expect(await oidc.tokenIntrospection(config, tokens.access_token)).toEqual({ active: false });
    await expect(oidc.fetchUserInfo(config, tokens.access_token, oidc.skipSubjectCheck)).rejects.toMatchObject({
      status: 401,
    });
  });

  it('revoking an access token ends the refresh token, too', async () => {
    const { config } = await anApp();
    const tokens = await (await signIn(config, (await someone()).email)).redeem();
    await oidc.tokenRevocation(config, tokens.access_token);
    await expect(oidc.refreshTokenGrant(config, tokens.refresh_token!)).rejects.toMatchObject({
      error: 'invalid_grant',
    });
  });

  it('secrets are shown once, and their replacement counts at once', async () => {
    const { client, config } = await anApp();
    const { email } = await someone();
    const tokens = await (await signIn(config, email)).redeem();
    const listed: Json = await system.api.ok('GET', `/oauth/clients/${client.clientId}`);
    expect(JSON.stringify(listed)).not.toContain(client.clientSecret);
    await system.api.ok('POST', `/oauth/clients/${client.clientId}/rotate-secret`);
    await expect(oidc.refreshTokenGrant(config, tokens.refresh_token!)).rejects.toMatchObject({
      error: 'invalid_client',
    });
    expect((await system.api.delete(`/oauth/clients/${client.clientId}`)).status).toBe(204);
    const page = await newBrowser().open(
      oidc.buildAuthorizationUrl(config, { redirect_uri: CALLBACK, scope: 'openid' }),
    );
    expect([page.status, page.html]).toEqual([400, expect.stringContaining('invalid_client')]);
  });

  it('a scope that is taken from an app counts no more, in what was given before either', async () => {
    const { client, config } = await anApp();
    const tokens = await (await signIn(config, (await someone()).email)).redeem();
    const api = new Api(baseUrl, tokens.access_token);
    expect((await api.get('/entitlements')).status).toBe(200);
    const body = { name: 'Test App', redirectUris: [CALLBACK], scopes: ['openid', 'offline'] };
    await system.api.ok('PUT', `/oauth/clients/${client.clientId}`, body);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect((await api.get('/entitlements')).status).toBe(403);
    expect((await oidc.tokenIntrospection(config, tokens.access_token)).scope).toBe('openid offline');
    const renewed = await oidc.refreshTokenGrant(config, tokens.refresh_token!);
    expect(renewed.scope).toBe('openid offline');
    expect((await new Api(baseUrl, renewed.access_token).get('/entitlements')).status).toBe(403);
    // Had again, it is for what is asked for from now on.
    await system.api.ok('PUT', `/oauth/clients/${client.clientId}`, { ...body, scopes: null });
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect((await oidc.refreshTokenGrant(config, renewed.refresh_token!)).scope).toBe('openid offline');
  });

  it('a customer whose e-mail address is changed is signed out, and a link to the former one is no longer any', async () => {
    const { config } = await anApp();
    const { id, email } = await someone();
    const tokens = await (await signIn(config, email)).redeem();
    const { data } = await system.api.ok('POST', `/customers/${id}/authenticate`);
    const anybody = new Api(baseUrl, undefined);
    const customer = await system.api.ok('GET', `/customers/${id}`);
    const change = (to: string) => system.api.ok('PUT', `/customers/${id}`, { ...customer, email: to });
    await change(email.toUpperCase());
    const { data: renewed } = (await anybody.post('/public/customer/refresh', { refreshToken: data.refreshToken }))
      .body;
    await change(`new.${email}`);
    await eventually('the session ends', async () => {
      const { status } = await new Api(baseUrl, renewed.accessToken).get(`/customers/${id}`);
      return status === 401;
    });
    const refused = await anybody.post('/public/customer/refresh', { refreshToken: renewed.refreshToken });
    expect(refused.status).toBe(401);
    const token = data.customerAreaLink.slice(data.customerAreaLink.lastIndexOf('/') + 1);
    expect((await anybody.post('/public/customer/login', { token })).status).toBe(401);
    expect(await oidc.tokenIntrospection(config, tokens.access_token)).toEqual({ active: false });
    await expect(oidc.refreshTokenGrant(config, tokens.refresh_token!)).rejects.toMatchObject({
      error: 'invalid_grant',
    });
    const again = await (await signIn(config, `new.${email}`)).redeem();
    expect(again.claims()).toMatchObject({ sub: id, email: `new.${email}` });
  });

  it('and who has used such a link, but has not gone on from there, is not signed in', async () => {
    const { config } = await anApp();
    const { id, email } = await someone();
    const tokens = await (await signIn(config, email)).redeem();
    let stops = true;
    const browser = new PlainBrowser(({ pathname }) => stops && pathname.startsWith('/oauth2/auth/'));
    const url = oidc.buildAuthorizationUrl(config, { redirect_uri: CALLBACK, scope: 'openid', state: 'x' });
    const { url: next } = await logIn(browser, await browser.open(url), email, 2);
    const other = newBrowser();
    const consent = await logIn(other, await other.open(url), email, 3);
    const customer = await system.api.ok('GET', `/customers/${id}`);
    await system.api.ok('PUT', `/customers/${id}`, { ...customer, email: `new.${email}` });
    await eventually('the customer is signed out', async () => {
      const { active } = await oidc.tokenIntrospection(config, tokens.access_token);
      return !active;
    });
    stops = false;
    const page = await browser.open(next);
    expect([page.status, page.html]).toEqual([400, expect.not.stringContaining('Allow Test App')]);
    expect(await other.submit(consent, { answer: 'allow' })).toMatchObject({ status: 404, url: { origin: baseUrl } });
  });

  it('what an app was given for a customer ends with the customer', async () => {
    const { config } = await anApp();
    const { id, email } = await someone();
    const tokens = await (await signIn(config, email)).redeem();
    expect(await oidc.tokenIntrospection(config, tokens.access_token)).toMatchObject({ active: true });
    await system.api.ok('DELETE', `/customers/${id}`);
    await eventually('the token ends', async () => {
      const { active } = await oidc.tokenIntrospection(config, tokens.access_token);
      return !active;
    });
    await expect(oidc.refreshTokenGrant(config, tokens.refresh_token!)).rejects.toMatchObject({
      error: 'invalid_grant',
    });
  });

  it('and with a merge: who was the one signs in again, as the other', async () => {
    const { config } = await anApp();
    const [gone, kept] = [await someone(), await someone()];
    const tokens = await (await signIn(config, gone.email)).redeem();
    await system.api.ok('POST', '/customers/merge', { targetCustomerId: kept.id, sourceCustomerIds: [gone.id] });
    await eventually('the merge is completed', async () => {
      const { data } = await system.api.ok('GET', `/customers/${kept.id}/merges`);
      return data[0]?.status === 'completed';
    });
    // Nothing would be left that it is entitled to, and the app would take that for an answer.
    await eventually('the token is refused', async () => {
      const { status } = await new Api(baseUrl, tokens.access_token).get('/entitlements');
      return status === 401;
    });
    expect(await oidc.tokenIntrospection(config, tokens.access_token)).toEqual({ active: false });
    const again = await (await signIn(config, kept.email)).redeem();
    expect(again.claims()).toMatchObject({ sub: kept.id });
  });

  it('new keys break no token', async () => {
    const { config } = await anApp();
    const { email } = await someone();
    const tokens = await (await signIn(config, email)).redeem();
    const kids = async (): Promise<string[]> =>
      ((await (await fetch(`${baseUrl}/.well-known/jwks.json`)).json()) as { keys: { kid: string }[] }).keys.map(
        ({ kid }) => kid,
      );
    const before = await kids();
    const rotate = async (): Promise<void> =>
      expect((await system.api.post('/oauth/signing-keys/rotate', undefined as never)).status).toBe(204);
    await rotate();
    expect(await kids()).toEqual([...before, expect.any(String)]);
    // However many come before the first of them signs.
    for (let times = 0; times < 20; times++) await rotate();
    expect((await kids()).slice(0, before.length)).toEqual(before);
    expect(await oidc.tokenIntrospection(config, tokens.access_token)).toMatchObject({ active: true });
    expect((await oidc.refreshTokenGrant(config, tokens.refresh_token!)).claims()?.sub).toBeDefined();
  });

  it('an access token reads what the customer is entitled to, and nothing else; revoked, it is refused within a second', async () => {
    const { config } = await anApp();
    const tokens = await (await signIn(config, (await someone()).email)).redeem();
    const api = new Api(baseUrl, tokens.access_token);
    expect(await api.get('/entitlements')).toMatchObject({ status: 200, body: { data: [] } });
    for (const path of ['/tenant', '/customers', '/invoices', '/api/wallet/top-ups', '/oauth/clients'])
      expect([path, (await api.get(path)).status, (await api.get(path)).body.reason]).toEqual([
        path,
        403,
        'permission_denied',
      ]);
    const [head, , signature] = tokens.access_token.split('.');
    const claims = Buffer.from(JSON.stringify({ ...decodeJwt(tokens.access_token), sub: 'somebody' })).toString(
      'base64url',
    );
    for (const forged of [
      `${head}.${claims}.${signature}`,
      `${tokens.access_token.slice(0, -4)}AAAA`,
      tokens.id_token!,
    ])
      expect((await new Api(baseUrl, forged).get('/entitlements')).status).toBe(401);
    await oidc.tokenRevocation(config, tokens.access_token);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect((await api.get('/entitlements')).status).toBe(401);
  });

  it('an access token without the scope is not enough', async () => {
    const { config } = await anApp();
    const tokens = await (await signIn(config, (await someone()).email, { scope: 'openid' })).redeem();
    expect(await new Api(baseUrl, tokens.access_token).get('/entitlements')).toMatchObject({
      status: 403,
      body: { reason: 'permission_denied', detail: 'The scope entitlements.read is needed.' },
    });
  });
});
