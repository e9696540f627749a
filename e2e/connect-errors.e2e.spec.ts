import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { decodeJwt } from 'jose';
import * as oidc from 'openid-client';
import type { Json } from './support/api.js';
import { CALLBACK, Connect } from './support/connect.js';
import { Databases } from './support/databases.js';
import { System } from './support/system.js';

/** The error codes of RFC 6749, 6750, 7009, 7636 and 9700 where they belong: as the standard's JSON, and as a page for people. */
describe('what is wrong with a request to the OAuth endpoints', () => {
  let system: System;
  let baseUrl: string;
  let databases: Databases;
  let connect: Connect;
  let client: Json;
  let config: oidc.Configuration;
  let given: oidc.TokenEndpointResponse;

  beforeAll(async () => {
    system = await System.shared();
    ({ baseUrl } = system.connection);
    databases = await Databases.of(system.dataDir);
    connect = new Connect(system);
    ({ client, config } = await connect.anApp());
    given = await (await connect.signIn(config, (await connect.someone()).email)).redeem();
  });

  afterAll(() => databases?.end());

  const credentials = () => ({ client_id: client.clientId as string, client_secret: client.clientSecret as string });
  const post = async (path: string, body: string | Record<string, string>, headers: Record<string, string> = {}) => {
    const answer = await fetch(baseUrl + path, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      body: typeof body === 'string' ? body : new URLSearchParams(body).toString(),
    });
    const text = await answer.text();
    const json = (): Json => JSON.parse(text) as Json;
    return { status: answer.status, headers: answer.headers, text, json };
  };
  const basic = (secret: string) => ({
    authorization: `Basic ${Buffer.from(`${client.clientId}:${secret}`).toString('base64')}`,
  });

  it.each<[string, () => Record<string, string>, number, string]>([
    ['invalid_request, without a grant type', () => ({ ...credentials() }), 400, 'invalid_request'],
    [
      'invalid_request, without a code',
      () => ({ ...credentials(), grant_type: 'authorization_code' }),
      400,
      'invalid_request',
    ],
    [
      'invalid_request, without a client',
      () => ({ grant_type: 'refresh_token', refresh_token: 'x' }),
      400,
      'invalid_request',
    ],
    [
      'invalid_client',
      () => ({ ...credentials(), client_secret: 'wrong', grant_type: 'refresh_token', refresh_token: 'x' }),
      401,
      'invalid_client',
    ],
    [
      'invalid_grant, a code',
      () => ({ ...credentials(), grant_type: 'authorization_code', code: 'x', redirect_uri: CALLBACK }),
      400,
      'invalid_grant',
    ],
    [
      'invalid_grant, a refresh token',
      () => ({ ...credentials(), grant_type: 'refresh_token', refresh_token: 'x' }),
      400,
      'invalid_grant',
    ],
    [
      'invalid_scope',
      () => ({
        ...credentials(),
        grant_type: 'refresh_token',
        refresh_token: given.refresh_token!,
        scope: 'openid unknown',
      }),
      400,
      'invalid_scope',
    ],
    [
      'unsupported_grant_type',
      () => ({ ...credentials(), grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer' }),
      400,
      'unsupported_grant_type',
    ],
  ])('the token endpoint: %s', async (_what, body, status, error) => {
    const answer = await post('/oauth2/token', body());
    expect([answer.status, answer.json().error]).toEqual([status, error]);
    expect(answer.headers.get('content-type')).toContain('application/json');
    expect(answer.headers.get('cache-control')).toContain('no-store');
  });

  it.each(['/oauth2/auth', '/oauth2/sessions/logout'])(
    'a form that is longer than an address, as it comes or as it is written there, is refused as a whole: %s',
    async (path) => {
      const kept = `state=${'ü'.repeat(1_300)}`;
      const answer = await fetch(baseUrl + path, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: kept,
        redirect: 'manual',
      });
      expect([answer.status, answer.headers.get('location')]).toEqual([303, `${path}?${new URLSearchParams(kept)}`]);
      for (const state of ['ü'.repeat(3_000), 'a'.repeat(9_000), 'a'.repeat(30_000)])
        expect((await post(path, `client_id=x&state=${state}`)).status).toBe(413);
    },
  );

  it('a parameter that is given twice, and credentials that are given twice, are refused', async () => {
    const twice = await post(
      '/oauth2/token',
      `grant_type=refresh_token&grant_type=refresh_token&${new URLSearchParams(credentials())}`,
    );
    expect([twice.status, twice.json().error]).toEqual([400, 'invalid_request']);
    const body = { ...credentials(), grant_type: 'refresh_token', refresh_token: 'x' };
    const both = await post('/oauth2/token', body, basic(client.clientSecret));
    expect([both.status, both.json().error]).toEqual([400, 'invalid_request']);
  });

  it('RFC 7009: a token that nobody has is revoked like one that somebody has; what is missing is an error', async () => {
    const unknown = await post('/oauth2/revoke', { ...credentials(), token: 'nobody-has-this' });
    const hinted = await post('/oauth2/revoke', { ...credentials(), token: 'x', token_type_hint: 'unheard_of' });
    expect([unknown.status, hinted.status]).toEqual([200, 200]);
    const missing = await post('/oauth2/revoke', credentials());
    expect([missing.status, missing.json().error]).toEqual([400, 'invalid_request']);
    const stranger = await post('/oauth2/revoke', { ...credentials(), client_secret: 'wrong', token: 'x' });
    expect([stranger.status, stranger.json().error]).toEqual([401, 'invalid_client']);
  });

  it('RFC 6750: a token that is missing, wrong, or for something else, with the challenge that says so', async () => {
    const ask = (authorization?: string) =>
      fetch(`${baseUrl}/userinfo`, authorization ? { headers: { authorization } } : {});
    const wrong = await ask('Bearer not-a-token');
    expect([wrong.status, wrong.headers.get('www-authenticate'), ((await wrong.json()) as Json).error]).toEqual([
      401,
      expect.stringMatching(/^Bearer .*error="invalid_token"/),
      'invalid_token',
    ]);
    const missing = await ask();
    expect([400, 401]).toContain(missing.status);
    expect(missing.headers.get('www-authenticate')).toMatch(/^Bearer /);
    await missing.body?.cancel();
  });

  it('the id of an access token, which apps write into their logs, is no token', async () => {
    const { redeem } = await connect.signIn(config, (await connect.someone()).email);
    const { access_token: token } = await redeem();
    const ask = async (access_token: string) => (await post('/userinfo', { access_token })).status;
    expect([await ask(token), await ask(decodeJwt(token).jti!)]).toEqual([200, 401]);
  });

  it('RFC 6750: the refusal of a token with too little in it names what it needs', async () => {
    const { redeem } = await connect.signIn(config, (await connect.someone()).email, { scope: 'openid' });
    const refusalOf = async (path: string, token: string) => {
      const answer = await fetch(baseUrl + path, { headers: { authorization: `Bearer ${token}` } });
      await answer.body?.cancel();
      return [answer.status, answer.headers.get('www-authenticate')];
    };
    const { access_token: identity } = await redeem();
    expect(await refusalOf('/entitlements', identity)).toEqual([
      403,
      'Bearer error="insufficient_scope", scope="entitlements.read"',
    ]);
    const verifier = oidc.randomPKCECodeVerifier();
    const browser = connect.newBrowser();
    const url = oidc.buildAuthorizationUrl(config, {
      redirect_uri: CALLBACK,
      scope: 'entitlements.read',
      code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    });
    const consent = await connect.logIn(browser, await browser.open(url), (await connect.someone()).email);
    const { url: returned } = await browser.submit(consent, { answer: 'allow' });
    const bare = await oidc.authorizationCodeGrant(config, returned, { pkceCodeVerifier: verifier });
    expect(await refusalOf('/userinfo', bare.access_token)).toEqual([
      403,
      expect.stringMatching(/^Bearer .*error="insufficient_scope".*scope="openid"/),
    ]);
  });

  it('unauthorized_client: an app that may not stay signed in shows a refresh token', async () => {
    const { client: modest } = await connect.anApp({ scopes: ['openid'] });
    const { status, json } = await post('/oauth2/token', {
      client_id: modest.clientId,
      client_secret: modest.clientSecret,
      grant_type: 'refresh_token',
      refresh_token: given.refresh_token!,
    });
    expect([status, json().error]).toEqual([400, 'unauthorized_client']);
  });

  it.each([
    ['temporarily_unavailable', '57P03', 503],
    ['server_error', 'XX000', 500],
  ])('%s: an app is led back to with it, and its server reads it', async (error, state, status) => {
    const { client: unlucky, config: theirs } = await connect.anApp();
    const { redeem, checks, returned } = await connect.signIn(theirs, (await connect.someone()).email);
    expect(checks.idTokenExpected).toBe(true);
    const db = 'kontor_identity';
    // The database fails for this app alone.
    await databases.query(
      db,
      `CREATE FUNCTION fail_once() RETURNS trigger LANGUAGE plpgsql AS $$
       BEGIN RAISE EXCEPTION 'it fails' USING ERRCODE = '${state}'; END $$`,
    );
    await databases.query(
      db,
      `CREATE TRIGGER fails BEFORE INSERT OR UPDATE ON oidc_payload FOR EACH ROW
       WHEN (NEW.payload::text LIKE '%${unlucky.clientId}%') EXECUTE FUNCTION fail_once()`,
    );
    try {
      const asked = { redirect_uri: CALLBACK, scope: 'openid', state: 'kept' };
      const { url } = await connect.newBrowser().open(oidc.buildAuthorizationUrl(theirs, asked));
      expect(url.href.startsWith(CALLBACK)).toBe(true);
      expect(Object.fromEntries(url.searchParams)).toMatchObject({ error, state: 'kept', iss: baseUrl });
      const answer = await post('/oauth2/token', {
        client_id: unlucky.clientId,
        client_secret: unlucky.clientSecret,
        grant_type: 'authorization_code',
        code: returned.searchParams.get('code')!,
        code_verifier: checks.pkceCodeVerifier,
        redirect_uri: CALLBACK,
      });
      expect([answer.status, answer.json().error]).toEqual([status, error]);
    } finally {
      await databases.query(db, 'DROP FUNCTION fail_once CASCADE');
    }
    // Nothing was given for the code.
    expect((await redeem()).token_type).toBe('bearer');
  });

  it.each([
    [
      'RFC 7636: a plain challenge',
      { code_challenge: 'x'.repeat(43), code_challenge_method: 'plain' },
      'invalid_request',
    ],
    ['RFC 7636: a challenge of no form', { code_challenge: 'x', code_challenge_method: 'S256' }, 'invalid_request'],
    ['RFC 7636: a method without a challenge', { code_challenge_method: 'S256' }, 'invalid_request'],
    ['a response type that is not offered', { response_type: 'token' }, 'unsupported_response_type'],
    ['a prompt that contradicts itself', { prompt: 'none login' }, 'invalid_request'],
    ['RFC 9700: nobody is there, and nobody may be asked', { prompt: 'none' }, 'login_required'],
  ])('%s leads back to the app, with the state and the issuer', async (_what, more, error) => {
    const url = oidc.buildAuthorizationUrl(config, { redirect_uri: CALLBACK, scope: 'openid', state: 'kept', ...more });
    const { search, hash } = (await connect.newBrowser().open(url)).url;
    expect(Object.fromEntries(new URLSearchParams(search || hash.slice(1)))).toMatchObject({
      error,
      state: 'kept',
      iss: baseUrl,
    });
  });

  it('RFC 3986, 3.4: a question mark in a query is part of it, and what follows counts', async () => {
    const { browser } = await connect.signIn(config, (await connect.someone()).email);
    const url = oidc.buildAuthorizationUrl(config, { redirect_uri: CALLBACK, scope: 'openid' }).href;
    const { searchParams } = (await browser.open(`${url}&state=whose?mine&code_challenge=x`)).url;
    expect([searchParams.get('state'), searchParams.get('error')]).toEqual(['whose?mine', 'invalid_request']);
    for (const path of [`${url}&prompt=none&state=?%00`, `${baseUrl}/oauth2/sessions/logout?state=?%00`])
      expect((await browser.open(path)).status).toBe(400);
  });

  it('what cannot be sent to an app is a page in the language of the browser', async () => {
    const url = `${baseUrl}/oauth2/auth?${new URLSearchParams({ client_id: 'nobody', response_type: 'code', scope: 'openid' })}`;
    const shown = async (language: string) => {
      const answer = await fetch(url, { headers: { accept: 'text/html', 'accept-language': language } });
      return { status: answer.status, type: answer.headers.get('content-type'), text: await answer.text() };
    };
    const [german, english] = [await shown('de-DE'), await shown('en-GB')];
    for (const [page, language] of [
      [german, 'de'],
      [english, 'en'],
    ] as const) {
      expect([page.status, page.type]).toEqual([400, expect.stringContaining('text/html')]);
      expect(page.text).toContain(`<html lang="${language}">`);
      expect(page.text).toContain('invalid_client');
      expect(page.text).not.toMatch(/<script|at .*\.js/);
    }
  });

  it('the back button after a logout: pages of the sign-in are gone, and the address is asked for', async () => {
    const { browser, redeem } = await connect.signIn(config, (await connect.someone()).email);
    const hint = (await redeem()).id_token!;
    const url = oidc.buildAuthorizationUrl(config, { redirect_uri: CALLBACK, scope: 'openid', state: 'x' });
    const asking = await browser.open(
      oidc.buildAuthorizationUrl(config, { redirect_uri: CALLBACK, scope: 'openid', prompt: 'consent' }),
    );
    expect(asking.html).toContain('Allow Test App access?');
    const question = await browser.open(oidc.buildEndSessionUrl(config, { id_token_hint: hint }));
    expect((await browser.submit(question, { logout: 'yes' })).html).toContain('You are signed out');
    // Neither the question for consent, answered now, nor the one for the logout, sent again, brings anybody back.
    const late = await browser.submit(asking, { answer: 'allow' });
    expect([late.url.origin, late.url.searchParams.get('code')]).toEqual([baseUrl, null]);
    expect((await browser.submit(question, { logout: 'yes' })).html).toContain('You are signed out');
    expect((await browser.open(url)).html).toContain('type="email"');
  });
});
