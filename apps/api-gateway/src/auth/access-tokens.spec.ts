import { beforeAll, describe, expect, it } from '@jest/globals';
import { exportJWK, exportSPKI, generateKeyPair, type JWK, SignJWT } from 'jose';
import { AccessTokens, isJwt } from './access-tokens.js';

const ISSUER = 'https://auth.example';
const AUDIENCE = 'https://api.example';
const now = Math.floor(Date.now() / 1000);

describe('access tokens are checked by the key set alone', () => {
  let issuerKey: CryptoKey;
  let foreign: CryptoKey;
  let jwk: JWK;
  let publicPem: string;
  let reads = 0;
  let tokens: AccessTokens;

  beforeAll(async () => {
    const pair = await generateKeyPair('RS256', { extractable: true });
    issuerKey = pair.privateKey;
    foreign = (await generateKeyPair('RS256')).privateKey;
    jwk = { ...(await exportJWK(pair.publicKey)), kid: 'k1' };
    publicPem = await exportSPKI(pair.publicKey);
    tokens = new AccessTokens(() => {
      reads++;
      return Promise.resolve({ audience: AUDIENCE, issuers: [{ issuer: ISSUER, keys: [jwk as never] }] });
    });
  });

  const sign = (
    { header = {}, claims = {} }: { header?: object; claims?: object } = {},
    key: CryptoKey | Uint8Array = issuerKey,
  ): Promise<string> =>
    new SignJWT({ iss: ISSUER, aud: AUDIENCE, sub: 's', exp: now + 600, ...claims })
      .setProtectedHeader({ alg: 'RS256', typ: 'at+jwt', kid: 'k1', ...header })
      .sign(key);

  it('one of the issuer for this API is fine, and the keys are read once', async () => {
    reads = 0;
    for (let n = 0; n < 3; n++) expect(await tokens.isSigned(await sign())).toBe(true);
    expect(reads).toBeLessThanOrEqual(1);
  });

  it.each([
    ['another key under the same name', () => sign({}, foreign)],
    ['an unknown key', () => sign({ header: { kid: 'k2' } }, foreign)],
    ['another kind of token: an ID token', () => sign({ header: { typ: 'JWT' } })],
    ['a logout token', () => sign({ header: { typ: 'logout+jwt' } })],
    ['another issuer', () => sign({ claims: { iss: 'https://evil.example' } })],
    ['another audience', () => sign({ claims: { aud: 'https://other.example' } })],
    ['one that has expired', () => sign({ claims: { exp: now - 16 } })],
    ['one without expiry', () => sign({ claims: { exp: undefined } })],
    ['an expiry that is no number', () => sign({ claims: { exp: `${now + 600}` } }).catch(() => 'x.y.z')],
  ])('refuses %s', async (_what, make) => expect(await tokens.isSigned(await make())).toBe(false));

  it('refuses the public key as the secret of an HMAC', async () => {
    const token = await sign({ header: { alg: 'HS256' } }, new TextEncoder().encode(publicPem));
    expect(await tokens.isSigned(token)).toBe(false);
  });

  it('knows one writing of a signature', async () => {
    const token = await sign();
    expect(await tokens.isSigned(token)).toBe(true);
    const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const last = digits.indexOf(token.at(-1)!);
    // 256 bytes end with a character of two bits: the other four are of no byte.
    for (const unused of [1, 2, 15])
      expect(await tokens.isSigned(token.slice(0, -1) + digits[last ^ unused]!)).toBe(false);
  });

  it('refuses a token without a signature, and one whose claims were changed', async () => {
    const [, body, signature] = (await sign()).split('.');
    const none = Buffer.from(JSON.stringify({ alg: 'none', typ: 'at+jwt', kid: 'k1' })).toString('base64url');
    expect(await tokens.isSigned(`${none}.${body}.${signature}`)).toBe(false);
    expect(await tokens.isSigned(`${none}.${body}.`)).toBe(false);
    const [head] = (await sign()).split('.');
    const other = Buffer.from(JSON.stringify({ iss: ISSUER, aud: AUDIENCE, sub: 'x', exp: now + 600 })).toString(
      'base64url',
    );
    expect(await tokens.isSigned(`${head}.${other}.${signature}`)).toBe(false);
  });

  it.each(['a.b.c', 'not a token', '{}', `${'x'.repeat(20)}.${'y'.repeat(20)}.${'z'.repeat(20)}`])(
    'survives %j',
    async (text) => {
      if (isJwt(text)) expect(await tokens.isSigned(text)).toBe(false);
    },
  );
});
