import type { Principal } from '../principal.js';

/** identity: `POST /internal/tokens/verify`. */
/** What the gateway checks access tokens by. */
export interface IssuerKeys {
  /** Whom tokens must be for. */
  readonly audience: string;
  readonly issuers: readonly { readonly issuer: string; readonly keys: readonly Readonly<Record<string, unknown>>[] }[];
}

export interface VerifyTokenRequest {
  token: string;
}
export interface VerifyTokenResponse {
  principal: Principal;
  mode: 'live' | 'sandbox';
  /** ISO instant, null when it does not expire. */
  expiresAt: string | null;
  /** Where it may be used from; absent: from anywhere. */
  allowedIps?: readonly string[];
}
