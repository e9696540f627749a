import { createPrivateKey, createPublicKey, type KeyObject, randomUUID } from 'node:crypto';
import { type JWK, jwtVerify, SignJWT } from 'jose';
import { SIGNING_ALGORITHM } from './signing-keys.js';

/** @see RFC 9068 */
const TYPE = 'at+jwt';
/** Machines' clocks may differ by this much. */
const TOLERANCE_SECONDS = 15;

export interface AccessTokenClaims {
  readonly jti: string;
  readonly sub: string;
  readonly clientId: string;
  readonly scope: string;
  readonly iat: number;
  readonly exp: number;
  /** Names what was granted: with it all tokens of the grant end. */
  readonly grantId: string;
}

/** Signs and reads tokens of one issuer: JWTs that whoever has the key set can check without asking. */
export class IssuerTokens {
  private readonly signing: { readonly kid: string; readonly key: KeyObject };
  private readonly checking: ReadonlyMap<string | undefined, KeyObject>;

  /** Of `keys` the first one signs. */
  constructor(
    private readonly issuer: string,
    private readonly audience: string,
    keys: readonly JWK[],
  ) {
    const [first] = keys;
    this.signing = { kid: first!.kid!, key: createPrivateKey({ key: first as never, format: 'jwk' }) };
    this.checking = new Map(keys.map((jwk) => [jwk.kid, createPublicKey({ key: jwk as never, format: 'jwk' })]));
  }

  async sign(claims: AccessTokenClaims): Promise<string> {
    return new SignJWT({ client_id: claims.clientId, scope: claims.scope, grant: claims.grantId })
      .setProtectedHeader({ alg: SIGNING_ALGORITHM, typ: TYPE, kid: this.signing.kid })
      .setIssuer(this.issuer)
      .setAudience(this.audience)
      .setSubject(claims.sub)
      .setJti(claims.jti)
      .setIssuedAt(claims.iat)
      .setExpirationTime(claims.exp)
      .sign(this.signing.key);
  }

  /** A token that reports a logout to an app: for once, and for two minutes. @see OpenID Connect Back-Channel Logout 1.0, 2.4 */
  signLogout({ clientId, subject, sid }: { clientId: string; subject: string; sid: string }): Promise<string> {
    return new SignJWT({ events: { 'http://schemas.openid.net/event/backchannel-logout': {} }, sid })
      .setProtectedHeader({ alg: SIGNING_ALGORITHM, typ: 'logout+jwt', kid: this.signing.kid })
      .setIssuer(this.issuer)
      .setAudience(clientId)
      .setSubject(subject)
      .setJti(randomUUID())
      .setIssuedAt()
      .setExpirationTime('2m')
      .sign(this.signing.key);
  }

  /** The id of a token that this issuer signed and that has not expired; undefined for any other text. */
  async idOf(token: string): Promise<string | undefined> {
    if (!/^[\w-]+\.[\w-]+\.[\w-]+$/.test(token)) return undefined;
    try {
      const { payload } = await jwtVerify(token, ({ kid }) => this.publicKey(kid), {
        algorithms: [SIGNING_ALGORITHM],
        typ: TYPE,
        issuer: this.issuer,
        audience: this.audience,
        clockTolerance: TOLERANCE_SECONDS,
      });
      return payload.jti;
    } catch {
      return undefined;
    }
  }

  private publicKey(kid: string | undefined): KeyObject {
    const key = this.checking.get(kid);
    if (!key) throw new Error('unknown key');
    return key;
  }
}
