import type { Principal } from '../principal.js';

/** identity: `POST /internal/tokens/verify`. */
export interface VerifyTokenRequest {
  token: string;
}
export interface VerifyTokenResponse {
  principal: Principal;
  mode: 'live' | 'sandbox';
  /** ISO instant, null when it does not expire. */
  expiresAt: string | null;
}
