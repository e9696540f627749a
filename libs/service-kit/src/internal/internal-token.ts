import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Principal } from '@kontor/contracts';
import { DomainError } from '@kontor/kernel';

const LIFETIME_SECONDS = 60;
const REUSED_SECONDS = LIFETIME_SECONDS / 2;
/** Two machines' clocks may differ by this much: who is off by minutes shall be found by its log, not by callers refused. */
const SLACK_SECONDS = 600;
const MAX_VERIFIED = 1_000;
const HEADER = Buffer.from(JSON.stringify({ alg: 'HS256', typ: 'JWT' })).toString('base64url');

interface Claims {
  p: Principal;
  iat: number;
  exp: number;
}

/**
 * The token in which the gateway names the caller to services, and services to each other: a JWT (HS256) over the
 * principal, valid for a minute, never shown outside.
 */
export class InternalTokens {
  private readonly signed = new WeakMap<Principal, { token: string; iat: number; until: number }>();
  /** What was verified already: a caller's requests carry the same token for a while. */
  private readonly verified = new Map<string, Claims>();

  constructor(private readonly secret: string) {}

  sign(principal: Principal): string {
    // By both clocks: one that was set right must not go on with tokens of its former time, and the other one stands still while
    // the machine sleeps.
    const signedAt = performance.now();
    const now = Math.floor(Date.now() / 1000);
    const known = this.signed.get(principal);
    if (known && known.until > signedAt && Math.abs(now - known.iat) <= REUSED_SECONDS) return known.token;
    const claims: Claims = { p: principal, iat: now, exp: now + LIFETIME_SECONDS };
    const text = `${HEADER}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}`;
    const token = `${text}.${this.mac(text).toString('base64url')}`;
    this.signed.set(principal, { token, iat: now, until: signedAt + REUSED_SECONDS * 1000 });
    return token;
  }

  /** @throws DomainError 401 `not_trusted` when it is not ours or has expired. */
  verify(token: string): Principal {
    const claims = this.verified.get(token) ?? this.claimsOf(token);
    if (claims.exp + SLACK_SECONDS >= Date.now() / 1000) return claims.p;
    this.verified.delete(token);
    throw notTrusted();
  }

  private claimsOf(token: string): Claims {
    const [header, payload, signature] = token.split('.');
    if (header !== HEADER || !payload || !signature) throw notTrusted();
    const given = Buffer.from(signature, 'base64url');
    const expected = this.mac(`${header}.${payload}`);
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) throw notTrusted();
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Claims;
    Object.freeze(claims.p);
    if (this.verified.size >= MAX_VERIFIED) this.verified.delete(this.verified.keys().next().value as string);
    this.verified.set(token, claims);
    return claims;
  }

  private mac(text: string): Buffer {
    return createHmac('sha256', this.secret).update(text).digest();
  }
}

/** Who made it has another secret, or another time: nothing is wrong with what the caller of the gateway sent. */
const notTrusted = (): DomainError =>
  new DomainError('not_trusted', {
    kind: 'unauthenticated',
    detail: 'The token of the gateway or a service is not accepted here.',
  });

/** Header in which the token travels; the gateway removes it from what comes from outside. */
export const INTERNAL_TOKEN_HEADER = 'x-kontor-principal';
