import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import * as oidc from 'openid-client';
import { eventually, type Json } from './support/api.js';
import { APP, CALLBACK, Connect } from './support/connect.js';
import type { Page, PlainBrowser } from './support/plain-browser.js';
import { System } from './support/system.js';

const BYE = `${APP}/bye`;

/** The checks of the OpenID Foundation's plans for logout, by their names. @see docs/openid-conformance.md */
describe('the plans for logout', () => {
  let system: System;
  let connect: Connect;
  let baseUrl: string;
  let server: Server;
  let appUrl: string;
  const posted: string[] = [];

  beforeAll(async () => {
    system = await System.shared();
    ({ baseUrl } = system.connection);
    connect = new Connect(system);
    server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        posted.push(new URLSearchParams(Buffer.concat(chunks).toString()).get('logout_token') ?? '');
        response.writeHead(200).end();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    appUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    server?.closeAllConnections();
    server?.close();
  });

  interface SignedIn {
    readonly client: Json;
    readonly config: oidc.Configuration;
    readonly browser: PlainBrowser;
    readonly claims: oidc.IDToken;
    readonly hint: string;
  }
  async function signedIn(app: object = {}): Promise<SignedIn> {
    const { client, config } = await connect.anApp({ postLogoutRedirectUris: [BYE], ...app });
    const { browser, redeem } = await connect.signIn(config, (await connect.someone()).email, { scope: 'openid' });
    const tokens = await redeem();
    return { client, config, browser, claims: tokens.claims()!, hint: tokens.id_token! };
  }
  const logoutUrl = (query: Record<string, string>): string =>
    `${baseUrl}/oauth2/sessions/logout?${new URLSearchParams(query)}`;
  const isSignedIn = async ({ browser, config }: SignedIn): Promise<boolean> => {
    const url = oidc.buildAuthorizationUrl(config, {
      redirect_uri: CALLBACK,
      scope: 'openid',
      prompt: 'none',
      state: 'x',
    });
    const answer = (await browser.open(url)).url.searchParams;
    expect([null, 'login_required']).toContain(answer.get('error'));
    return answer.has('code');
  };
  /** The question, answered with yes. */
  const confirm = async (who: SignedIn, query: Record<string, string>): Promise<Page> => {
    const question = await who.browser.open(logoutUrl(query));
    expect([question.status, question.html]).toEqual([200, expect.stringContaining('Do you want to sign out')]);
    return who.browser.submit(question, { logout: 'yes' });
  };

  describe('oidcc-rp-initiated-logout-certification-test-plan', () => {
    it('oidcc-rp-initiated-logout-discovery-endpoint-verification', async () => {
      const { config } = await connect.anApp();
      expect(config.serverMetadata()['end_session_endpoint']).toBe(`${baseUrl}/oauth2/sessions/logout`);
    });

    it('oidcc-rp-initiated-logout: leads back with the state, and nobody is signed in', async () => {
      const who = await signedIn();
      expect(await isSignedIn(who)).toBe(true);
      const query = { id_token_hint: who.hint, post_logout_redirect_uri: BYE, state: 'of the app' };
      const done = await confirm(who, query);
      expect(done.url.href).toBe(`${BYE}?state=of+the+app`);
      expect(await isSignedIn(who)).toBe(false);
    });

    it('oidcc-rp-initiated-logout-no-state: leads back without one', async () => {
      const who = await signedIn();
      expect((await confirm(who, { id_token_hint: who.hint, post_logout_redirect_uri: BYE })).url.href).toBe(BYE);
    });

    it.each<[string, (who: SignedIn) => Record<string, string>]>([
      ['oidcc-rp-initiated-logout-no-id-token-hint', () => ({ post_logout_redirect_uri: BYE, state: 'x' })],
      ['oidcc-rp-initiated-logout-no-params', () => ({})],
      ['oidcc-rp-initiated-logout-no-post-logout-redirect-uri', ({ hint }) => ({ id_token_hint: hint, state: 'x' })],
      ['oidcc-rp-initiated-logout-only-state', () => ({ state: 'x' })],
    ])('%s: asks, ends the session, and stays on a page of ours', async (_check, query) => {
      const who = await signedIn();
      const done = await confirm(who, query(who));
      expect([done.status, done.url.origin]).toEqual([200, baseUrl]);
      expect(await isSignedIn(who)).toBe(false);
    });

    it.each<[string, (who: SignedIn) => Record<string, string>]>([
      [
        'oidcc-rp-initiated-logout-bad-post-logout-redirect-uri',
        ({ hint }) => ({ id_token_hint: hint, post_logout_redirect_uri: `${BYE}/other` }),
      ],
      [
        'oidcc-rp-initiated-logout-query-added-to-post-logout-redirect-uri',
        ({ hint }) => ({ id_token_hint: hint, post_logout_redirect_uri: `${BYE}?foo=bar` }),
      ],
      [
        'oidcc-rp-initiated-logout-modified-id-token-hint',
        ({ hint }) => ({ id_token_hint: `${hint.slice(0, -6)}AAAAAA`, post_logout_redirect_uri: BYE }),
      ],
    ])('%s: a page of ours, and the session goes on', async (_check, query) => {
      const who = await signedIn();
      const page = await who.browser.open(logoutUrl(query(who)));
      expect([page.status, page.url.origin]).toEqual([400, baseUrl]);
      expect(await isSignedIn(who)).toBe(true);
    });
  });

  describe('oidcc-frontchannel-rp-initiated-logout-certification-test-plan', () => {
    it('oidcc-frontchannel-logout-discovery-endpoint-verification', async () => {
      const { config } = await connect.anApp();
      expect(config.serverMetadata()).toMatchObject({
        frontchannel_logout_supported: true,
        frontchannel_logout_session_supported: true,
      });
    });

    it('oidcc-frontchannel-rp-initiated-logout: a frame of the app, with issuer and sid, before the way back', async () => {
      const who = await signedIn({ frontchannelLogoutUri: `${appUrl}/front` });
      const leaving = await confirm(who, { id_token_hint: who.hint, post_logout_redirect_uri: BYE, state: 'x' });
      const frame = new URL(/<iframe src="([^"]*)"/.exec(leaving.html)![1]!.replaceAll(/&#38;|&amp;/g, '&'));
      expect([frame.origin + frame.pathname, Object.fromEntries(frame.searchParams)]).toEqual([
        `${appUrl}/front`,
        { iss: baseUrl, sid: who.claims['sid'] },
      ]);
      expect(leaving.html).toContain(`${BYE}?state=x`);
    });
  });

  describe('oidcc-backchannel-rp-initiated-logout-certification-test-plan', () => {
    it('oidcc-backchannel-logout-discovery-endpoint-verification', async () => {
      const { config } = await connect.anApp();
      expect(config.serverMetadata()).toMatchObject({
        backchannel_logout_supported: true,
        backchannel_logout_session_supported: true,
      });
    });

    it('oidcc-backchannel-rp-initiated-logout: a logout token, signed as the ID token, of its session', async () => {
      const who = await signedIn({ backchannelLogoutUri: `${appUrl}/back` });
      await confirm(who, { id_token_hint: who.hint, post_logout_redirect_uri: BYE });
      const token = await eventually('the logout token', () => Promise.resolve(posted.at(-1)));
      const keys = createRemoteJWKSet(new URL(`${baseUrl}/.well-known/jwks.json`));
      const { payload, protectedHeader } = await jwtVerify(token, keys, {
        issuer: baseUrl,
        audience: who.client.clientId,
      });
      expect(protectedHeader).toMatchObject({ alg: 'RS256', typ: 'logout+jwt' });
      expect(payload).toMatchObject({
        sub: who.claims.sub,
        sid: who.claims['sid'],
        jti: expect.any(String),
        iat: expect.any(Number),
        exp: expect.any(Number),
        events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
      });
      expect(payload).not.toHaveProperty('nonce');
      // Whoever gets hold of it can do nothing with it, and not for long.
      expect(payload.exp! - payload.iat!).toBeLessThanOrEqual(120);
      const bearer = { authorization: `Bearer ${token}` };
      for (const path of ['/userinfo', '/entitlements', '/customers'])
        expect([path, (await fetch(baseUrl + path, { headers: bearer })).status]).toEqual([path, 401]);
      expect(await oidc.tokenIntrospection(who.config, token)).toEqual({ active: false });
      await expect(oidc.refreshTokenGrant(who.config, token)).rejects.toMatchObject({ error: 'invalid_grant' });
    });
  });
});
