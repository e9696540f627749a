import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createRemoteJWKSet, type JWTPayload, jwtVerify } from 'jose';
import * as oidc from 'openid-client';
import { Api, type Json } from './api.js';
import type { Connect } from './connect.js';

type Tokens = oidc.TokenEndpointResponse & oidc.TokenEndpointResponseHelpers;

/**
 * A program of somebody else, as such programs are: a server of its own that leads the browser to the sign-in, redeems the code with the
 * reference relying party, shows what its visitor is entitled to, and ends its own session when it hears of a logout.
 */
export class OutsideApp {
  client!: Json;
  config!: oidc.Configuration;
  tokens: Tokens | undefined;
  /** What it has heard of logouts: from the browser, and from the server. */
  readonly byBrowser: URLSearchParams[] = [];
  readonly byServer: JWTPayload[] = [];
  private url = '';
  private server!: Server;
  private checks: oidc.AuthorizationCodeGrantChecks & { pkceCodeVerifier: string } = { pkceCodeVerifier: '' };

  private constructor(private readonly baseUrl: string) {}

  static async start(connect: Connect, baseUrl: string): Promise<OutsideApp> {
    const app = new OutsideApp(baseUrl);
    app.server = createServer((request, response) => {
      app.answer(request, response).catch((error: Error) => response.writeHead(500).end(String(error)));
    });
    await new Promise<void>((resolve) => app.server.listen(0, '127.0.0.1', resolve));
    app.url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
    const made = await connect.anApp({
      name: 'Chorheft',
      redirectUris: [`${app.url}/callback`],
      postLogoutRedirectUris: [`${app.url}/bye`],
      frontchannelLogoutUri: `${app.url}/front`,
      backchannelLogoutUri: `${app.url}/back`,
    });
    app.client = made.client;
    app.config = made.config;
    return app;
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  page = (path: '/' | '/bye' | '/logout' | '/silent'): string => this.url + path;

  async refresh(): Promise<void> {
    this.tokens = await oidc.refreshTokenGrant(this.config, this.tokens!.refresh_token!);
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', this.url);
    const page = (title: string, text: string): void =>
      void response
        .writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
        .end(
          `<!doctype html><html lang="en"><link rel="icon" href="data:,"><title>${title}</title><h1>${title}</h1><p>${text}</p>`,
        );
    const leadTo = (target: URL): void => void response.writeHead(303, { location: target.href }).end();
    switch (url.pathname) {
      case '/':
        return leadTo(await this.authorizationUrl());
      case '/silent':
        return leadTo(await this.authorizationUrl({ prompt: 'none' }));
      case '/callback': {
        const refused = url.searchParams.get('error');
        if (refused) return page('Nobody is signed in', refused);
        this.tokens = await oidc.authorizationCodeGrant(this.config, url, this.checks);
        const { body } = await new Api(this.baseUrl, this.tokens.access_token).get('/entitlements');
        const features = (body.data as Json[]).map(({ feature, value }) => `${feature.name}: ${value}`).join(', ');
        return page(`Hello ${this.tokens.claims()!['name'] as string}`, features);
      }
      case '/logout':
        return leadTo(
          oidc.buildEndSessionUrl(this.config, {
            id_token_hint: this.tokens!.id_token!,
            post_logout_redirect_uri: this.page('/bye'),
            state: 'bye',
          }),
        );
      case '/front':
        this.byBrowser.push(url.searchParams);
        return page('Signed out', '');
      case '/back':
        this.byServer.push(await this.logoutToken(request));
        return void response.writeHead(200).end();
      default:
        return page('Bye', url.searchParams.get('state') ?? '');
    }
  }

  private async authorizationUrl(more: Record<string, string> = {}): Promise<URL> {
    const pkceCodeVerifier = oidc.randomPKCECodeVerifier();
    const [expectedState, expectedNonce] = [oidc.randomState(), oidc.randomNonce()];
    this.checks = { pkceCodeVerifier, expectedState, expectedNonce, idTokenExpected: true };
    return oidc.buildAuthorizationUrl(this.config, {
      redirect_uri: `${this.url}/callback`,
      scope: 'openid offline entitlements.read',
      state: expectedState,
      nonce: expectedNonce,
      code_challenge: await oidc.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: 'S256',
      ...more,
    });
  }

  private async logoutToken(request: IncomingMessage): Promise<JWTPayload> {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const token = new URLSearchParams(body).get('logout_token') ?? '';
    const keys = createRemoteJWKSet(new URL(this.config.serverMetadata().jwks_uri!));
    const { payload } = await jwtVerify(token, keys, {
      issuer: this.config.serverMetadata().issuer,
      audience: this.client.clientId as string,
      typ: 'logout+jwt',
    });
    return payload;
  }
}
