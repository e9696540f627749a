import { generateKeyPairSync } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';

export const COMPANY_SECRET = 'a-secret-of-the-company-0123456789';

/** A company's identity provider as companies have one: everybody who comes is signed in as `account`. */
export class CompanyProvider {
  issuer = '';
  account = { sub: 'ada', email: 'ada@company.example', email_verified: true, given_name: 'Ada', family_name: 'Berg' };
  private server!: Server;

  static async start(callbackUrl: string): Promise<CompanyProvider> {
    const company = new CompanyProvider();
    company.server = createServer();
    await new Promise<void>((resolve) => company.server.listen(0, '127.0.0.1', resolve));
    company.issuer = `http://127.0.0.1:${(company.server.address() as AddressInfo).port}`;
    const jwk = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' });
    const provider = new Provider(company.issuer, {
      clients: [{ client_id: 'kontor', client_secret: COMPANY_SECRET, redirect_uris: [callbackUrl] }],
      jwks: { keys: [{ ...jwk, alg: 'RS256', use: 'sig', kid: 'company' }] } as never,
      cookies: { keys: ['company'] },
      claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['given_name', 'family_name'] },
      pkce: { required: () => true },
      features: { devInteractions: { enabled: false } },
      interactions: { url: (_ctx, { uid }) => `/login/${uid}` },
      findAccount: (_ctx, sub) => ({ accountId: sub, claims: () => Promise.resolve(company.account) }),
    });
    const callback = provider.callback();
    company.server.on('request', (request, response) => {
      if (request.url?.startsWith('/login/'))
        void company
          .logIn(provider, request, response)
          .catch((error: Error) => response.writeHead(500).end(error.message));
      else void callback(request, response);
    });
    return company;
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  /** Walks through the provider's pages as a browser would; returns the address to which it leads back. */
  async walk(start: string): Promise<string> {
    const cookies = new Map<string, string>();
    let url = start;
    for (let steps = 0; steps < 6 && url.startsWith(this.issuer); steps++) {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const response = await fetch(url, { redirect: 'manual', headers: { cookie } });
      for (const line of response.headers.getSetCookie()) {
        const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!;
        cookies.set(name!, value!);
      }
      const location = response.headers.get('location');
      if (!location) throw new Error(`the provider stops with ${response.status}: ${await response.text()}`);
      url = new URL(location, url).href;
    }
    return url;
  }

  private async logIn(
    provider: Provider,
    ...[request, response]: Parameters<Provider['interactionDetails']>
  ): Promise<void> {
    const { params } = await provider.interactionDetails(request, response);
    const accountId = this.account.sub;
    const grant = new provider.Grant({ accountId, clientId: String(params['client_id']) });
    grant.addOIDCScope(String(params['scope']));
    const grantId = await grant.save();
    const result = { login: { accountId }, consent: { grantId } };
    await provider.interactionFinished(request, response, result);
  }
}
