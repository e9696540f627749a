import { beforeAll, describe, expect, it } from '@jest/globals';
import * as oidc from 'openid-client';
import { eventually, type Json } from './support/api.js';
import { APP, CALLBACK, Connect } from './support/connect.js';
import { mailedLink } from './support/mails.js';
import { System } from './support/system.js';

/** What is tried with addresses, codes, cookies and tabs; each is an entry of RFC 9700 or of the conformance plan. */
describe('sign-ins to apps withstand', () => {
  let system: System;
  let connect: Connect;
  let baseUrl: string;
  beforeAll(async () => {
    system = await System.shared();
    connect = new Connect(system);
    ({ baseUrl } = system.connection);
  });

  const authUrl = (config: oidc.Configuration, more: Record<string, string> = {}): URL =>
    oidc.buildAuthorizationUrl(config, { redirect_uri: CALLBACK, scope: 'openid', state: 'x', ...more });
  const token = (body: Record<string, string>): Promise<Response> =>
    fetch(`${baseUrl}/oauth2/token`, { method: 'POST', body: new URLSearchParams(body) });

  it.each([
    ['user info', 'https://app.example@evil.example/callback'],
    ['user info before the host', 'https://evil.example@app.example/callback'],
    ['a fragment', `${CALLBACK}#x`],
    ['a path that climbs', `${APP}/callback/../evil`],
    ['an encoded path that climbs', `${APP}/callback/%2e%2e/evil`],
    ['an encoded slash', `${APP}%2fcallback`],
    ['a backslash', 'https://app.example\\@evil.example/callback'],
    ['a longer path', `${CALLBACK}/more`],
    ['a query', `${CALLBACK}?next=https://evil.example`],
    ['a longer host', 'https://app.example.evil.example/callback'],
    ['a port', 'https://app.example:8443/callback'],
    ['http', 'http://app.example/callback'],
    ['another case of the path', `${APP}/Callback`],
    ['a line break', `${CALLBACK}\r\nx: y`],
    ['a script', 'javascript:alert(1)'],
    ['nothing', ''],
  ])('a redirect address with %s: a page of ours, and the browser leaves for nowhere', async (_what, redirect_uri) => {
    const { config } = await connect.anApp();
    const page = await connect.newBrowser().open(authUrl(config, { redirect_uri }));
    expect([page.status, page.url.origin, page.headers.get('location')]).toEqual([400, baseUrl, null]);
    expect(page.html).toContain('<!doctype html>');
  });

  it.each([
    ['http elsewhere', 'http://app.example/callback'],
    ['user info', 'https://me@app.example/callback'],
    ['a fragment', `${CALLBACK}#x`],
    ['a script', 'javascript:alert(1)'],
    ['a path that climbs', 'https://app.example/a/../b'],
    ['a look-alike of this machine', 'http://localhost.evil.example/callback'],
  ])('an app is not registered with %s', async (_what, redirectUri) => {
    const { status, body } = await system.api.post('/oauth/clients', { name: 'App', redirectUris: [redirectUri] });
    expect([status, body.reason]).toEqual([422, 'validation_failed']);
  });

  it('a code that is put into another sign-in: the verifier does not fit, and it is used up', async () => {
    const { config } = await connect.anApp();
    const victim = await connect.signIn(config, (await connect.someone()).email);
    const checks = { ...victim.checks, pkceCodeVerifier: oidc.randomPKCECodeVerifier() };
    await expect(oidc.authorizationCodeGrant(config, victim.returned, checks)).rejects.toMatchObject({
      error: 'invalid_grant',
    });
    await expect(
      oidc.authorizationCodeGrant(config, victim.returned, { ...victim.checks, pkceCodeVerifier: '' }),
    ).rejects.toThrow();
  });

  it('a code that is shown again: what was given for it ends', async () => {
    const { config } = await connect.anApp();
    const { redeem } = await connect.signIn(config, (await connect.someone()).email);
    const tokens = await redeem();
    await expect(redeem()).rejects.toMatchObject({ error: 'invalid_grant' });
    await expect(oidc.refreshTokenGrant(config, tokens.refresh_token!)).rejects.toMatchObject({
      error: 'invalid_grant',
    });
  });

  it('PKCE left out half-way: a code that was asked for with it is not given without', async () => {
    const { config, client } = await connect.anApp();
    const { returned } = await connect.signIn(config, (await connect.someone()).email);
    const answer = await token({
      grant_type: 'authorization_code',
      code: returned.searchParams.get('code')!,
      redirect_uri: CALLBACK,
      client_id: client.clientId,
      client_secret: client.clientSecret,
    });
    expect([answer.status, ((await answer.json()) as Json).error]).toEqual([400, 'invalid_grant']);
  });

  it('servers that are mixed up: answers name their issuer, refusals too', async () => {
    const { config } = await connect.anApp();
    const { returned, checks } = await connect.signIn(config, (await connect.someone()).email);
    expect(returned.searchParams.get('iss')).toBe(baseUrl);
    const elsewhere = new URL(returned);
    elsewhere.searchParams.set('iss', 'https://evil.example');
    await expect(oidc.authorizationCodeGrant(config, elsewhere, checks)).rejects.toThrow();
    const { config: modest } = await connect.anApp({ scopes: ['openid'] });
    const refused = await connect.newBrowser().open(authUrl(modest, { scope: 'openid entitlements.read' }));
    expect(Object.fromEntries(refused.url.searchParams)).toMatchObject({ error: 'invalid_scope', iss: baseUrl });
  });

  it('a session that somebody else prepared: signing in gives another one', async () => {
    const { config } = await connect.anApp();
    const browser = connect.newBrowser();
    const page = await browser.open(authUrl(config, { scope: 'openid' }));
    const before = browser.cookie('kontor_session');
    await connect.logIn(browser, page, (await connect.someone()).email);
    expect(browser.cookie('kontor_session')).toBeDefined();
    expect(browser.cookie('kontor_session')).not.toBe(before);
  });

  it('forms from elsewhere: they are refused, and without the cookies of the sign-in nothing happens', async () => {
    const { config } = await connect.anApp();
    const { email } = await connect.someone();
    const browser = connect.newBrowser();
    const page = await browser.open(authUrl(config));
    const forms: Record<string, string>[] = [{ email }, { answer: 'allow' }];
    const send = (fields: Record<string, string>, origin: string) =>
      fetch(page.url, {
        method: 'POST',
        headers: { origin, 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams(fields),
      });
    for (const fields of forms) {
      expect((await send(fields, 'https://evil.example')).status).toBe(403);
      expect((await send(fields, baseUrl)).status).toBe(404);
    }
  });

  it('two tabs: each sign-in goes on by itself, and both apps get a code', async () => {
    const { config } = await connect.anApp();
    const browser = connect.newBrowser();
    const { email } = await connect.someone();
    const first = await browser.open(authUrl(config, { state: 'first' }));
    const second = await browser.open(authUrl(config, { state: 'second' }));
    const consent = await connect.logIn(browser, first, email);
    const done = await browser.submit(consent, { answer: 'allow' });
    expect(done.url.searchParams.get('state')).toBe('first');
    // The other tab still asks for the address; opened anew it knows who is there.
    const sent = await browser.submit(second, { email });
    const behind = await browser.open(await mailedLink(system.dataDir, email, 2));
    expect([sent.status, behind.status]).toEqual([200, 200]);
    const other = await browser.submit(behind);
    expect(other.url.searchParams.get('state')).toBe('second');
    expect(other.url.searchParams.get('code')).not.toBe(done.url.searchParams.get('code'));
  });

  it('pages name the company that the customer buys from', async () => {
    const { seller } = await system.api.ok('GET', '/settings/billing');
    const { config } = await connect.anApp();
    const page = await eventually('the page names the seller', async () => {
      const opened = await connect.newBrowser().open(authUrl(config));
      return opened.html.includes(seller.company) && opened;
    });
    expect(page.status).toBe(200);
  });

  it('the back button after consent, and the form sent twice: a page, no second code', async () => {
    const { config } = await connect.anApp();
    const browser = connect.newBrowser();
    const consent = await connect.logIn(browser, await browser.open(authUrl(config)), (await connect.someone()).email);
    const done = await browser.submit(consent, { answer: 'allow' });
    expect(done.url.searchParams.get('code')).toBeTruthy();
    const again = await browser.submit(consent, { answer: 'allow' });
    expect([again.status, again.url.origin]).toEqual([404, baseUrl]);
    expect((await browser.open(consent.url)).status).toBe(404);
  });

  it('the click behind a link, sent once more when the sign-in has gone on: it is over, and no other browser is to blame', async () => {
    const { config } = await connect.anApp();
    const browser = connect.newBrowser();
    const { email } = await connect.someone();
    await browser.submit(await browser.open(authUrl(config)), { email });
    const behind = await browser.open(await mailedLink(system.dataDir, email));
    expect((await browser.submit(behind)).html).toContain('Allow Test App access?');
    const again = await browser.submit(behind);
    expect([again.status, again.html]).toEqual([404, expect.stringContaining('This sign-in has expired')]);
  });

  it('an app that is deleted while its customer decides: a page says so, and nothing is given', async () => {
    const { config, client } = await connect.anApp();
    const browser = connect.newBrowser();
    const consent = await connect.logIn(browser, await browser.open(authUrl(config)), (await connect.someone()).email);
    expect((await system.api.delete(`/oauth/clients/${client.clientId}`)).status).toBe(204);
    const answer = await browser.submit(consent, { answer: 'allow' });
    expect([answer.status, answer.url.origin]).toEqual([404, baseUrl]);
  });

  it('an address that is taken from an app while its customer decides: a page says so, and no code goes there', async () => {
    const { config, client } = await connect.anApp();
    const browser = connect.newBrowser();
    const consent = await connect.logIn(browser, await browser.open(authUrl(config)), (await connect.someone()).email);
    const body = { name: 'Test App', redirectUris: [`${APP}/other`] };
    await system.api.ok('PUT', `/oauth/clients/${client.clientId}`, body);
    const answer = await browser.submit(consent, { answer: 'allow' });
    expect([answer.status, answer.url.origin]).toEqual([404, baseUrl]);
  });

  it.each(['', 'x', '%00', 'A'.repeat(500), '"; drop', '../..'])(
    'broken cookies (%j): as if there were none',
    async (value) => {
      const { config } = await connect.anApp();
      const names = ['kontor_session', 'kontor_session.sig', 'kontor_interaction', 'kontor_resume'];
      const cookie = names.map((name) => `${name}=${value}`).join('; ');
      const answer = await fetch(authUrl(config), { redirect: 'manual', headers: { cookie } });
      expect([answer.status, answer.headers.get('location')]).toEqual([
        303,
        expect.stringMatching(/^\/oauth2\/interaction\//),
      ]);
      await answer.body?.cancel();
    },
  );

  it('links that are guessed: every wrong one looks like a used one, in a sign-in of its own', async () => {
    const { config } = await connect.anApp();
    const browser = connect.newBrowser();
    const { email } = await connect.someone();
    const page = await browser.open(authUrl(config));
    await connect.logIn(browser, page, email);
    const used = await browser.open(await mailedLink(system.dataDir, email));
    for (const guess of ['A'.repeat(22), 'A', 'A'.repeat(90)])
      expect((await browser.open(`${page.url.origin}${page.url.pathname}/link/${guess}`)).html).toBe(used.html);
  });

  it.each([
    'https://user:secret@app.example/logout',
    'http://169.254.169.254/latest/meta-data',
    'http://10.0.0.1/logout',
    'ftp://app.example/logout',
    'file:///etc/passwd',
    'gopher://app.example/',
  ])('a logout address that is no public one is refused: %s', async (backchannelLogoutUri) => {
    const body = { name: 'App', redirectUris: [CALLBACK], backchannelLogoutUri };
    const { status, body: answer } = await system.api.post('/oauth/clients', body);
    expect([status, answer.violations?.[0]?.propertyPath]).toEqual([422, 'backchannelLogoutUri']);
  });
});
