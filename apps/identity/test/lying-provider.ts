import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { brotliCompress } from 'node:zlib';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';

type Json = Record<string, unknown>;

const pack = promisify(brotliCompress);

const ownKeys = generateKeyPair('RS256', { extractable: true });
const foreignKeys = generateKeyPair('RS256');

/** An identity provider that says whatever a test wants it to say. */
export class LyingProvider {
  issuer = '';
  /** Changes what it says of itself. */
  metadata: Json = {};
  /** What the token endpoint answers, by the claims of an honest ID token. */
  answer: (claims: Json) => Promise<Json> | Json = async (claims) => ({ id_token: await this.sign(claims) });
  userinfo: Json = {};
  /** How many blanks are packed into its answers. */
  padding = 0;
  /** How often its answers are packed where they are. */
  packings = 1;
  /** Claims of the next ID token. */
  claims: Json = {};
  readonly asked: { path: string; body: URLSearchParams; authorization: string | undefined }[] = [];
  private server!: Server;

  static async start(): Promise<LyingProvider> {
    const provider = new LyingProvider();
    provider.server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const path = new URL(request.url ?? '/', provider.issuer).pathname;
        const body = new URLSearchParams(Buffer.concat(chunks).toString());
        provider.asked.push({ path, body, authorization: request.headers.authorization });
        provider.respond(path).then(
          async (json) => {
            const packings = provider.padding === 0 ? 0 : provider.packings;
            const encoding = packings === 0 ? {} : { 'content-encoding': Array(packings).fill('br').join(', ') };
            let answer: string | Buffer = JSON.stringify(json) + ' '.repeat(provider.padding);
            for (let n = 0; n < packings; n++) answer = await pack(answer);
            response.writeHead(200, { 'content-type': 'application/json', ...encoding }).end(answer);
          },
          (error: Error) => response.writeHead(500).end(error.message),
        );
      });
    });
    await new Promise<void>((resolve) => provider.server.listen(0, '127.0.0.1', resolve));
    provider.issuer = `http://127.0.0.1:${(provider.server.address() as AddressInfo).port}`;
    return provider;
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  /** An ID token as the provider signs it. */
  async sign(claims: Json): Promise<string> {
    const { privateKey } = await ownKeys;
    return new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'one' }).sign(privateKey);
  }

  /** Signed by somebody else, under the same name. */
  async forge(claims: Json): Promise<string> {
    const { privateKey } = await foreignKeys;
    return new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'one' }).sign(privateKey);
  }

  private async respond(path: string): Promise<unknown> {
    const { issuer } = this;
    if (path === '/.well-known/openid-configuration')
      return {
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        userinfo_endpoint: `${issuer}/userinfo`,
        jwks_uri: `${issuer}/keys`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256', 'none', 'HS256'],
        ...this.metadata,
      };
    if (path === '/keys')
      return { keys: [{ ...(await exportJWK((await ownKeys).publicKey)), kid: 'one', alg: 'RS256' }] };
    if (path === '/userinfo') return this.userinfo;
    const now = Math.floor(Date.now() / 1000);
    const honest = { iss: issuer, aud: 'kontor', iat: now, exp: now + 300, ...this.claims };
    return { access_token: 'at', token_type: 'bearer', ...(await this.answer(honest)) };
  }
}
