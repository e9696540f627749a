import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import * as oidc from 'openid-client';
import { eventually } from './support/api.js';
import { APP, CALLBACK, Connect } from './support/connect.js';
import { Databases } from './support/databases.js';
import { System } from './support/system.js';

/** Apps hear of a logout: from the browser, and from server to server. */
describe('logout', () => {
  let system: System;
  let connect: Connect;
  let server: Server;
  let appUrl: string;
  const posted: string[] = [];
  /** How often the app fails before it takes a logout token. */
  let failures = 0;

  beforeAll(async () => {
    system = await System.shared();
    connect = new Connect(system);
    server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        posted.push(Buffer.concat(chunks).toString());
        response.writeHead(failures-- > 0 ? 500 : 200).end();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    appUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    server?.closeAllConnections();
    server?.close();
  });

  const tokensPosted = (): string[] => posted.map((body) => new URLSearchParams(body).get('logout_token') ?? '');
  const active = async (config: oidc.Configuration, token: string) =>
    (await oidc.tokenIntrospection(config, token)).active;

  it('is confirmed on a page, reported to apps through both channels, and ends what was not granted for longer', async () => {
    const { client, config } = await connect.anApp({
      postLogoutRedirectUris: [`${APP}/bye`],
      frontchannelLogoutUri: `${appUrl}/front?app=1`,
      backchannelLogoutUri: `${appUrl}/back`,
    });
    const { id, email } = await connect.someone();
    const { browser, redeem } = await connect.signIn(config, email, { scope: 'openid' });
    const tokens = await redeem();
    const { sid } = tokens.claims()!;
    expect(sid).toEqual(expect.any(String));
    failures = 1;
    const url = oidc.buildEndSessionUrl(config, {
      id_token_hint: tokens.id_token!,
      post_logout_redirect_uri: `${APP}/bye`,
      state: 'see-you',
    });
    const question = await browser.open(url);
    expect(question.html).toContain('Do you want to sign out');
    expect(await active(config, tokens.access_token)).toBe(true);
    const leaving = await browser.submit(question, { logout: 'yes' });
    const frame = /<iframe src="([^"]*)"/.exec(leaving.html)?.[1]?.replaceAll('&#38;', '&');
    expect(Object.fromEntries(new URL(frame!).searchParams)).toEqual({ app: '1', iss: system.connection.baseUrl, sid });
    expect(leaving.headers.get('content-security-policy')).toContain(`frame-src ${appUrl};`);
    expect(leaving.html).toContain(`3;url=${APP}/bye?state=see-you`);
    expect(await active(config, tokens.access_token)).toBe(false);
    await eventually('the app hears of it twice, because it failed once', async () => tokensPosted().length === 2);
    const keys = createRemoteJWKSet(new URL(`${system.connection.baseUrl}/.well-known/jwks.json`));
    const ids = [];
    for (const token of tokensPosted()) {
      const { payload } = await jwtVerify(token, keys, {
        issuer: system.connection.baseUrl,
        audience: client.clientId,
        typ: 'logout+jwt',
      });
      expect(payload).toMatchObject({
        sub: id,
        sid,
        iat: expect.any(Number),
        events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
      });
      expect(payload).not.toHaveProperty('nonce');
      ids.push(payload.jti);
    }
    expect(new Set(ids).size).toBe(2);
    // Taken once, it is not sent again, whatever the browser sends.
    const second = await browser.submit(question, { logout: 'yes' });
    expect([second.status, second.html]).toEqual([200, expect.stringContaining('You are signed out')]);
    const databases = await Databases.of(system.dataDir);
    await eventually('nothing is left to be sent', async () => {
      const sql = `SELECT 1 FROM logout_delivery WHERE client_id = $1
        UNION ALL SELECT 1 FROM due_work WHERE kind = 'identity.logout' AND tenant_id = $2`;
      return (
        (await databases.query('kontor_identity', sql, [client.clientId, system.connection.tenantId])).length === 0
      );
    });
    await databases.end();
    expect(tokensPosted()).toHaveLength(2);
    const again = await browser.open(
      oidc.buildAuthorizationUrl(config, { redirect_uri: CALLBACK, scope: 'openid', state: 'x' }),
    );
    expect(again.html).toContain('type="email"');
  });

  it('leaves what was granted with `offline`', async () => {
    const { config } = await connect.anApp();
    const { browser, redeem } = await connect.signIn(config, (await connect.someone()).email);
    const tokens = await redeem();
    const question = await browser.open(oidc.buildEndSessionUrl(config, { id_token_hint: tokens.id_token! }));
    const done = await browser.submit(question, { logout: 'yes' });
    expect(done.html).toContain('You are signed out');
    expect((await oidc.refreshTokenGrant(config, tokens.refresh_token!)).access_token).toEqual(expect.any(String));
  });

  it('does nothing without the question having been shown, and leads to no address that the app has not named', async () => {
    const { config } = await connect.anApp({ postLogoutRedirectUris: [`${APP}/bye`] });
    const { browser, redeem } = await connect.signIn(config, (await connect.someone()).email);
    const tokens = await redeem();
    const forged = await fetch(`${system.connection.baseUrl}/oauth2/sessions/logout/confirm`, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        cookie: `kontor_session=${browser.cookie('kontor_session')}; kontor_session.sig=${browser.cookie('kontor_session.sig')}`,
      },
      body: 'logout=yes&xsrf=guessed',
    });
    expect(forged.status).toBe(400);
    const elsewhere = await browser.open(
      oidc.buildEndSessionUrl(config, {
        id_token_hint: tokens.id_token!,
        post_logout_redirect_uri: 'https://evil.example/',
      }),
    );
    expect([elsewhere.status, elsewhere.html]).toEqual([400, expect.stringContaining('not registered')]);
    const stays = await browser.open(
      oidc.buildAuthorizationUrl(config, { redirect_uri: CALLBACK, scope: 'openid', state: 'x' }),
    );
    expect(stays.url.searchParams.get('code')).toEqual(expect.any(String));
  });
});
