import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import { promisify } from 'node:util';
import type { IssuerKeys } from '@kontor/contracts';

const verifySignature = promisify(verify);

/** How long a key set is used before it is read again; a key signs an hour after it was published. */
const FRESH_MS = 60_000;
/** An unknown key is looked for at most so often: who makes keys up asks nobody else. */
const UNKNOWN_KEY_MS = 2_000;
/** Machines' clocks may differ by this much. */
const TOLERANCE_SECONDS = 15;

const SHAPE = /^[\w-]{10,}\.[\w-]{10,}\.[\w-]{10,}$/;

export const isJwt = (token: string): boolean => SHAPE.test(token);

/** Checks the access tokens of apps by the issuers' keys, without asking anybody: forged and expired ones get no further. */
export class AccessTokens {
  private keys = new Map<string, { readonly issuer: string; readonly key: KeyObject }>();
  private audience = '';
  private readAt = -Infinity;
  private reading: Promise<void> | undefined;

  /** `read` gets the key sets from identity. */
  constructor(private readonly read: () => Promise<IssuerKeys>) {}

  /** Whether an issuer signed this token for this API, and it has not expired. @throws what `read` throws */
  async isSigned(token: string): Promise<boolean> {
    const [head, body, signature] = token.split('.') as [string, string, string];
    const header = parse(head);
    const claims = parse(body);
    if (header?.['alg'] !== 'RS256' || header['typ'] !== 'at+jwt' || 'crit' in header || !claims) return false;
    const known = await this.keyOf(String(header['kid']));
    if (!known || known.issuer !== claims['iss'] || claims['aud'] !== this.audience) return false;
    const exp = claims['exp'];
    if (typeof exp !== 'number' || exp + TOLERANCE_SECONDS <= Date.now() / 1000) return false;
    const bytes = Buffer.from(signature, 'base64url');
    // The last character has bits that say nothing: other writings of one token would be counted as other tokens.
    if (bytes.toString('base64url') !== signature) return false;
    return verifySignature('sha256', Buffer.from(`${head}.${body}`), known.key, bytes);
  }

  private async keyOf(kid: string): Promise<{ readonly issuer: string; readonly key: KeyObject } | undefined> {
    const age = performance.now() - this.readAt;
    if (age > FRESH_MS || (!this.keys.has(kid) && age > UNKNOWN_KEY_MS)) await this.refresh();
    return this.keys.get(kid);
  }

  private refresh(): Promise<void> {
    this.reading ??= this.load().finally(() => (this.reading = undefined));
    return this.reading;
  }

  private async load(): Promise<void> {
    const { audience, issuers } = await this.read();
    this.audience = audience;
    this.keys = new Map(
      issuers.flatMap(({ issuer, keys }) =>
        keys.map((jwk) => [String(jwk['kid']), { issuer, key: createPublicKey({ key: jwk as never, format: 'jwk' }) }]),
      ),
    );
    this.readAt = performance.now();
  }
}

function parse(part: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString());
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
