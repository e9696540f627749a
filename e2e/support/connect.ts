import { expect } from '@jest/globals';
import * as oidc from 'openid-client';
import type { Json } from './api.js';
import { aCustomer } from './catalogue.js';
import { mailedLink } from './mails.js';
import { type Page, PlainBrowser } from './plain-browser.js';
import type { System } from './system.js';

export const APP = 'https://app.example';
export const CALLBACK = `${APP}/callback`;

let number = 0;

/** Apps, customers and browsers for scenarios about sign-ins. */
export class Connect {
  constructor(private readonly system: System) {}

  async anApp(more: object = {}): Promise<{ client: Json; config: oidc.Configuration }> {
    const { api, connection } = this.system;
    const client: Json = await api.ok('POST', '/oauth/clients', {
      name: 'Test App',
      redirectUris: [CALLBACK],
      ...more,
    });
    const authentication =
      client.tokenEndpointAuthMethod === 'none'
        ? oidc.None()
        : client.tokenEndpointAuthMethod === 'client_secret_basic'
          ? oidc.ClientSecretBasic(client.clientSecret)
          : oidc.ClientSecretPost(client.clientSecret);
    const config = await oidc.discovery(new URL(connection.baseUrl), client.clientId, undefined, authentication, {
      execute: [oidc.allowInsecureRequests],
    });
    return { client, config };
  }

  async someone(language: 'de' | 'en' = 'en'): Promise<{ id: string; email: string }> {
    const email = `connect-${++number}-${process.pid}@example.com`;
    const names = { companyName: 'Chor e. V.', firstName: 'Ada', lastName: 'Berg', language };
    const customer = await aCustomer(this.system.api, { email, ...names });
    return { id: customer.id, email };
  }

  newBrowser(): PlainBrowser {
    return new PlainBrowser((url) => url.origin === APP);
  }

  /** From the question for the e-mail address to the one for consent. `mail`: how many this person has got then. */
  async logIn(browser: PlainBrowser, page: Page, email: string, mail = 1): Promise<Page> {
    expect(page.html).toContain('type="email"');
    const sent = await browser.submit(page, { email });
    expect(sent.status).toBe(200);
    const behind = await browser.open(await mailedLink(this.system.dataDir, email, mail));
    expect(behind.html).toContain('Sign in as Chor e. V.');
    return browser.submit(behind);
  }

  /** All of a sign-in up to the app's own address; `redeem` exchanges the code. */
  async signIn(config: oidc.Configuration, email: string, more: Record<string, string> = {}, mail = 1) {
    const verifier = oidc.randomPKCECodeVerifier();
    const [state, nonce] = [oidc.randomState(), oidc.randomNonce()];
    const url = oidc.buildAuthorizationUrl(config, {
      redirect_uri: CALLBACK,
      scope: 'openid offline entitlements.read',
      state,
      nonce,
      code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      ...more,
    });
    const browser = this.newBrowser();
    const consent = await this.logIn(browser, await browser.open(url), email, mail);
    expect(consent.html).toContain('Allow Test App access?');
    const { url: returned } = await browser.submit(consent, { answer: 'allow' });
    expect(returned.href).toContain(CALLBACK);
    const checks = { pkceCodeVerifier: verifier, expectedState: state, expectedNonce: nonce, idTokenExpected: true };
    return { browser, returned, checks, redeem: () => oidc.authorizationCodeGrant(config, returned, checks) };
  }
}
