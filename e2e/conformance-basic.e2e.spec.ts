import { beforeAll, describe, expect, it } from '@jest/globals';
import { createLocalJWKSet, jwtVerify } from 'jose';
import * as oidc from 'openid-client';
import type { Json } from './support/api.js';
import { CALLBACK, Connect } from './support/connect.js';
import { mailedLink } from './support/mails.js';
import type { Page, PlainBrowser } from './support/plain-browser.js';
import { System } from './support/system.js';

/** The checks of the OpenID Foundation's plan `oidcc-basic-certification-test-plan`, by its names. @see docs/openid-conformance.md */
describe('oidcc-basic-certification-test-plan', () => {
  let system: System;
  let baseUrl: string;
  let connect: Connect;
  let client: Json;
  let config: oidc.Configuration;
  let person: { id: string; email: string };
  /** Of somebody who has signed in to the app, and allowed what it asks for. */
  let browser: PlainBrowser;
  let first: oidc.IDToken;

  beforeAll(async () => {
    system = await System.shared();
    ({ baseUrl } = system.connection);
    connect = new Connect(system);
    ({ client, config } = await connect.anApp({ tokenEndpointAuthMethod: 'client_secret_basic' }));
    person = await connect.someone();
    const signedIn = await connect.signIn(config, person.email);
    ({ browser } = signedIn);
    first = (await signedIn.redeem()).claims()!;
  });

  const urlFor = (more: Record<string, string> = {}): URL =>
    oidc.buildAuthorizationUrl(config, { redirect_uri: CALLBACK, scope: 'openid', state: 'x', ...more });
  const open = (more: Record<string, string> = {}): Promise<Page> => browser.open(urlFor(more));
  const redeem = (page: Page, checks: oidc.AuthorizationCodeGrantChecks = {}, of = config) =>
    oidc.authorizationCodeGrant(of, page.url, { expectedState: 'x', idTokenExpected: true, ...checks });
  /** Asks with these parameters; the app gets its tokens without a further question. */
  const succeeds = async (more: Record<string, string>) => {
    const page = await open(more);
    expect([more, page.url.searchParams.get('error'), page.url.href]).toEqual([
      more,
      null,
      expect.stringContaining(`${CALLBACK}?code=`),
    ]);
    const tokens = await redeem(page, more['nonce'] ? { expectedNonce: more['nonce'] } : {});
    expect(tokens.claims()).toMatchObject({ sub: person.id, aud: client.clientId, iss: baseUrl });
    return tokens;
  };
  const refusal = async (more: Record<string, string>): Promise<string | null> =>
    (await open(more)).url.searchParams.get('error');

  it('oidcc-server: an ID token that is signed, for this client, with the nonce, and times that fit', async () => {
    const tokens = await succeeds({ nonce: 'once' });
    const keys = (await (await fetch(`${baseUrl}/.well-known/jwks.json`)).json()) as never;
    const { payload, protectedHeader } = await jwtVerify(tokens.id_token!, createLocalJWKSet(keys), {
      issuer: baseUrl,
      audience: client.clientId,
    });
    expect([protectedHeader.alg, payload['nonce']]).toEqual(['RS256', 'once']);
    expect(payload.exp! > payload.iat!).toBe(true);
  });

  it('oidcc-response-type-missing: an error that says so, and no code', async () => {
    const url = urlFor();
    url.searchParams.delete('response_type');
    const page = await browser.open(url);
    expect([page.url.searchParams.get('code'), page.url.searchParams.get('error')]).toEqual([null, 'invalid_request']);
  });

  it.each([
    ['oidcc-userinfo-get', 'GET', true],
    ['oidcc-userinfo-post-header', 'POST', true],
    ['oidcc-userinfo-post-body', 'POST', false],
  ] as const)('%s: the same person as in the ID token', async (_check, method, inHeader) => {
    const { access_token } = await succeeds({});
    const answer = await fetch(`${baseUrl}/userinfo`, {
      method,
      headers: inHeader ? { authorization: `Bearer ${access_token}` } : {},
      ...(inHeader ? {} : { body: new URLSearchParams({ access_token }) }),
    });
    expect([answer.status, ((await answer.json()) as Json).sub]).toEqual([200, person.id]);
  });

  it('oidcc-ensure-request-without-nonce-succeeds-for-code-flow', async () => {
    expect((await succeeds({})).claims()).not.toHaveProperty('nonce');
  });

  it.each(['profile', 'email', 'address', 'phone'])(
    'oidcc-scope-%s: not among the scopes of the metadata, and passed over',
    async (scope) => {
      expect(config.serverMetadata().scopes_supported).not.toContain(scope);
      expect((await succeeds({ scope: `openid ${scope}` })).scope).toBe('openid');
    },
  );

  it('oidcc-scope-all and oidcc-ensure-other-scope-order-succeeds', async () => {
    const tokens = await succeeds({ scope: 'entitlements.read openid' });
    expect(tokens.scope!.split(' ').sort()).toEqual(['entitlements.read', 'openid']);
  });

  it.each([
    ['oidcc-display-page', { display: 'page' }],
    ['oidcc-display-popup', { display: 'popup' }],
    ['oidcc-ui-locales', { ui_locales: 'se fr de' }],
    ['oidcc-claims-locales', { claims_locales: 'se' }],
    ['oidcc-ensure-request-with-acr-values-succeeds', { acr_values: '1 2' }],
    ['oidcc-ensure-request-with-unknown-parameter-succeeds', { extra: 'foobar' }],
    ['oidcc-claims-essential', { claims: '{"userinfo":{"name":{"essential":true}}}' }],
    ['oidcc-login-hint', { login_hint: 'somebody@example.com' }],
    ['oidcc-max-age-10000', { max_age: '10000' }],
  ])('%s', async (_check, more) => {
    const claims = (await succeeds(more)).claims()!;
    if ('max_age' in more) expect(claims.auth_time).toBe(first.auth_time);
  });

  it('oidcc-prompt-none-not-logged-in', async () => {
    const page = await connect.newBrowser().open(urlFor({ prompt: 'none' }));
    expect(Object.fromEntries(page.url.searchParams)).toMatchObject({ error: 'login_required', state: 'x' });
  });

  it('oidcc-prompt-none-logged-in: the same sign-in', async () => {
    const claims = (await succeeds({ prompt: 'none' })).claims()!;
    expect([claims.sub, claims.auth_time]).toEqual([first.sub, first.auth_time]);
  });

  it('oidcc-id-token-hint: of this person; of another one it is no sign-in', async () => {
    const { id_token } = await succeeds({});
    await succeeds({ prompt: 'none', id_token_hint: id_token! });
    const other = await connect.signIn(config, (await connect.someone()).email);
    const hint = (await other.redeem()).id_token!;
    expect(await refusal({ prompt: 'none', id_token_hint: hint })).toBe('login_required');
  });

  it('oidcc-codereuse: refused, and what was given for the code ends', async () => {
    const other = await connect.signIn(config, (await connect.someone()).email);
    const tokens = await other.redeem();
    await expect(other.redeem()).rejects.toMatchObject({ error: 'invalid_grant' });
    expect(await oidc.tokenIntrospection(config, tokens.access_token)).toEqual({ active: false });
  });

  it('oidcc-ensure-registered-redirect-uri', async () => {
    const page = await open({ redirect_uri: `${CALLBACK}/other` });
    expect([page.status, page.url.origin]).toEqual([400, baseUrl]);
  });

  it('oidcc-ensure-post-request-succeeds', async () => {
    const answer = await fetch(`${baseUrl}/oauth2/auth`, {
      method: 'POST',
      redirect: 'manual',
      body: urlFor().searchParams,
    });
    expect(answer.status).toBe(303);
    const page = await browser.open(new URL(answer.headers.get('location')!, baseUrl));
    expect((await redeem(page)).claims()!.sub).toBe(person.id);
  });

  it('oidcc-server-client-secret-post', async () => {
    const posting = await connect.anApp({ tokenEndpointAuthMethod: 'client_secret_post' });
    const { redeem: exchange } = await connect.signIn(posting.config, person.email, {}, 2);
    expect((await exchange()).claims()!.sub).toBe(person.id);
  });

  it.each([
    [
      'oidcc-request-uri-unsigned-supported-correctly-or-rejected-as-unsupported',
      'request_uri',
      'request_uri_not_supported',
    ],
    [
      'oidcc-unsigned-request-object-supported-correctly-or-rejected-as-unsupported',
      'request',
      'request_not_supported',
    ],
    ['oidcc-ensure-request-object-with-redirect-uri', 'request', 'request_not_supported'],
  ])('%s: not supported, and it says so', async (_check, parameter, error) => {
    const value = parameter === 'request' ? 'eyJhbGciOiJub25lIn0.e30.' : 'https://app.example/request.jwt';
    expect(await refusal({ [parameter]: value })).toBe(error);
  });

  it('oidcc-ensure-request-with-valid-pkce-succeeds', async () => {
    const pkceCodeVerifier = oidc.randomPKCECodeVerifier();
    const code_challenge = await oidc.calculatePKCECodeChallenge(pkceCodeVerifier);
    const page = await open({ code_challenge, code_challenge_method: 'S256' });
    expect((await redeem(page, { pkceCodeVerifier })).claims()!.sub).toBe(person.id);
  });

  it('oidcc-refresh-token: the same person, and no second use', async () => {
    const tokens = await succeeds({ scope: 'openid offline' });
    const renewed = await oidc.refreshTokenGrant(config, tokens.refresh_token!);
    expect(renewed.claims()).toMatchObject({ iss: baseUrl, sub: person.id, auth_time: first.auth_time });
    await expect(oidc.refreshTokenGrant(config, tokens.refresh_token!)).rejects.toMatchObject({
      error: 'invalid_grant',
    });
  });

  it('oidcc-prompt-login and oidcc-max-age-1: the person signs in anew, and the ID token says when', async () => {
    // Full seconds: the sign-in has to be older than one.
    await new Promise((resolve) => setTimeout(resolve, 2_100));
    const stale = await open({ max_age: '1' });
    expect(stale.html).toContain('type="email"');
    const page = await open({ prompt: 'login' });
    expect(page.html).toContain('type="email"');
    expect((await browser.submit(page, { email: person.email })).status).toBe(200);
    const behind = await browser.open(await mailedLink(system.dataDir, person.email, 3));
    const consent = await browser.submit(behind);
    expect([consent.url.href, consent.html]).toEqual([
      expect.any(String),
      expect.stringContaining('Allow Test App access?'),
    ]);
    const done = await browser.submit(consent, { answer: 'allow' });
    const { auth_time } = (await redeem(done)).claims()!;
    expect(auth_time).toBeGreaterThan(first.auth_time!);
  });
});
