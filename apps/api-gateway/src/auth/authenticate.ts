import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { VerifyTokenResponse } from '@kontor/contracts';
import { DomainError } from '@kontor/kernel';
import { InternalTokens, INTERNAL_TOKEN_HEADER, ServiceUnavailable, unauthenticated } from '@kontor/service-kit';
import { request } from 'undici';
import type { GatewayConfig } from '../config.js';
import { GATEWAY_CONFIG } from '../tokens.js';

/** Revocation must be effective within a second, so nothing is believed for longer. */
const BELIEVED_MS = 900;
const MAX_CACHED = 10_000;

export interface Caller extends VerifyTokenResponse {
  /** Digest of the token: what rate limits count by. */
  readonly key: string;
}

/** Turns a bearer token into a principal by asking identity; positive answers are cached for less than a second. */
@Injectable()
export class Authenticate {
  private readonly known = new Map<string, { caller: Promise<Caller>; until: number }>();
  private readonly tokens: InternalTokens;
  private readonly self = { tenantId: '', kind: 'service', subjectId: 'api-gateway', permissions: [], scopes: [] } as const;

  constructor(@Inject(GATEWAY_CONFIG) private readonly config: GatewayConfig) {
    this.tokens = new InternalTokens(config.internalSecret);
  }

  /** Header value for a service: who is calling, signed. */
  sign(caller: Caller): string {
    return this.tokens.sign(caller.principal);
  }

  /** @throws DomainError 401 `unauthenticated`; ServiceUnavailable when identity cannot be asked. */
  async execute(authorization: string | undefined): Promise<Caller> {
    const token = /^Bearer +([\x21-\x7e]{8,4096})$/i.exec(authorization ?? '')?.[1];
    if (!token) throw unauthenticated();
    const key = createHash('sha256').update(token).digest('base64url');
    const cached = this.known.get(key);
    const now = performance.now();
    if (cached && cached.until > now) return cached.caller;
    const caller = this.ask(token, key);
    if (this.known.size >= MAX_CACHED) this.known.clear();
    this.known.set(key, { caller, until: now + BELIEVED_MS });
    caller.catch(() => this.known.delete(key));
    return caller;
  }

  private async ask(token: string, key: string): Promise<Caller> {
    const answer = await request(`${this.config.services.pick('identity')}/internal/tokens/verify`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', [INTERNAL_TOKEN_HEADER]: this.tokens.sign(this.self) },
      body: JSON.stringify({ token }),
      headersTimeout: 5_000,
      bodyTimeout: 5_000,
    }).catch((error: unknown) => {
      throw new ServiceUnavailable('identity', error);
    });
    if (answer.statusCode === 401) {
      await answer.body.dump();
      throw unauthenticated('The token is unknown, revoked or expired.');
    }
    if (answer.statusCode >= 300) {
      await answer.body.dump();
      throw new DomainError('service_unavailable', {
        status: 503,
        detail: 'Tokens cannot be checked at the moment; try again.',
        retryAfterSeconds: 1,
      });
    }
    return { ...((await answer.body.json()) as VerifyTokenResponse), key };
  }
}
