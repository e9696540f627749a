import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { IssuerKeys, VerifyTokenResponse } from '@kontor/contracts';
import { DomainError } from '@kontor/kernel';
import {
  hasTimedOut,
  InternalTokens,
  INTERNAL_TOKEN_HEADER,
  ipMatcher,
  isBearerSecret,
  neverSent,
  NotTrusted,
  ServiceUnavailable,
  tenantClosed,
  tenantSuspended,
  unauthenticated,
  wasCutOff,
} from '@kontor/service-kit';
import { request } from 'undici';
import type { GatewayConfig } from '../config.js';
import { Bulkhead } from '../limits/bulkhead.js';
import { RateLimit } from '../limits/rate-limit.js';
import { GATEWAY_CONFIG } from '../tokens.js';
import { AccessTokens, isJwt } from './access-tokens.js';
import { ExpiringMap } from './expiring-map.js';
import { RenewedAnswers } from './renewed-answers.js';

/** Revocation must be effective within a second, so nothing is believed for longer. */
const BELIEVED_MS = 900;
/** Who goes on asking for something is asked for again before that, so that nobody waits for the answer. */
const RENEWED_MS = 450;
/** A token that identity did not know is not asked for again so soon. */
const REFUSED_MS = 30_000;
/** Who was valid a while ago is asked for first: floods of other tokens must not keep it out. */
const FAMILIAR_MS = 600_000;
const MAX_CACHED = 10_000;
/** Questions to identity at once; tokens that were never valid get half of them. */
const MAX_QUESTIONS = 64;
const MAX_UNFAMILIAR_QUESTIONS = MAX_QUESTIONS / 2;
const MAX_WAITING = 256;

export interface Caller extends VerifyTokenResponse {
  /** Digest of the token: what rate limits count by. */
  readonly key: string;
  /** Whether it may be used from an address; absent: from any. */
  readonly mayComeFrom?: (address: string) => boolean;
}

/**
 * Turns a bearer token into a principal by asking identity; positive answers are cached for less than a second. What cannot
 * be a token, or was refused a moment ago, is refused without asking; tokens that were never valid are asked for within
 * a limit by address and with a part of the capacity only.
 */
@Injectable()
export class Authenticate {
  private readonly known = new RenewedAnswers<Caller>({
    maxEntries: MAX_CACHED,
    lifeMs: BELIEVED_MS,
    renewAfterMs: RENEWED_MS,
    isFinal: (error) => error instanceof DomainError && error.kind === 'unauthenticated',
  });
  private readonly refused = new ExpiringMap<true>(MAX_CACHED, REFUSED_MS);
  private readonly familiar = new ExpiringMap<true>(MAX_CACHED, FAMILIAR_MS);
  private readonly questions = new Bulkhead({ running: MAX_QUESTIONS, waiting: MAX_WAITING });
  private readonly unfamiliarQuestions = new Bulkhead({ running: MAX_UNFAMILIAR_QUESTIONS, waiting: MAX_WAITING });
  private readonly accessTokens = new AccessTokens(() => this.readKeys());
  private readonly tokens: InternalTokens;
  private readonly self = {
    tenantId: '',
    kind: 'service',
    subjectId: 'api-gateway',
    permissions: [],
    scopes: [],
  } as const;

  constructor(
    @Inject(GATEWAY_CONFIG) private readonly config: GatewayConfig,
    private readonly rateLimit: RateLimit,
  ) {
    this.tokens = new InternalTokens(config.internalSecret);
  }

  /** Header value for a service: the gateway itself. */
  ownToken(): string {
    return this.tokens.sign(this.self);
  }

  /** Header value for a service: who is calling, signed. */
  sign(caller: Caller): string {
    return this.tokens.sign(caller.principal);
  }

  /**
   * @throws DomainError 401 `unauthenticated`; 403 `address_not_allowed`, `tenant_suspended`, `tenant_closed`; 429 `rate_limited` when
   * an address tries too many unknown tokens;
   * 503 `service_overloaded`; ServiceUnavailable when identity cannot be asked.
   */
  async execute(authorization: string | undefined, address: string): Promise<Caller> {
    return mustComeFrom(await this.identify(authorization, address), address);
  }

  /** Whether a caller may still do what it might, whatever was believed a moment ago. @throws what {@link execute} throws */
  async askAnew(authorization: string | undefined, caller: Caller, address: string): Promise<Caller> {
    const { token } = bearerIn(authorization);
    return mustComeFrom(await this.questions.run(() => this.ask(token, caller.key)), address);
  }

  private async identify(authorization: string | undefined, address: string): Promise<Caller> {
    const { token, isSigned } = bearerIn(authorization);
    const key = createHash('sha256').update(token).digest('base64url');
    const askAsFamiliar = (): Promise<Caller> => this.questions.run(() => this.ask(token, key));
    const known = this.known.get(key, askAsFamiliar);
    if (known) return known;
    if (this.refused.get(key)) throw unknownToken();
    const caller = this.familiar.get(key)
      ? askAsFamiliar()
      : isSigned
        ? this.askSigned(token, askAsFamiliar, key)
        : this.askUnfamiliar(token, key, address);
    this.known.keep(key, caller);
    return caller;
  }

  /** The signature shows that it was made here; whether it was revoked since, identity has to say. */
  private async askSigned(token: string, ask: () => Promise<Caller>, key: string): Promise<Caller> {
    if (await this.accessTokens.isSigned(token)) return ask();
    this.refused.set(key, true);
    throw unknownToken();
  }

  private async askUnfamiliar(token: string, key: string, address: string): Promise<Caller> {
    await this.rateLimit.takeAttempt(address);
    const caller = await this.unfamiliarQuestions.run(() => this.ask(token, key));
    await this.rateLimit.returnAttempt(address);
    return caller;
  }

  private async readKeys(): Promise<IssuerKeys> {
    const { status, text } = await this.identity('GET', '/internal/tokens/keys');
    if (status === 401) throw new NotTrusted('identity');
    if (status !== 200) throw new ServiceUnavailable('identity');
    return JSON.parse(text) as IssuerKeys;
  }

  /** Asks a replica that can be reached: what is asked here changes nothing, so that it may be asked again where a connection broke. */
  private async identity(method: 'GET' | 'POST', path: string, body?: object): Promise<Answered> {
    const { services } = this.config;
    const broken = new Set<string>();
    for (;;) {
      const base = services.pick('identity', broken);
      const end = services.enter(base);
      try {
        const answer = await request(`${base}${path}`, {
          method,
          headers: { 'content-type': 'application/json', [INTERNAL_TOKEN_HEADER]: this.ownToken() },
          body: body ? JSON.stringify(body) : null,
          headersTimeout: 5_000,
          bodyTimeout: 5_000,
        });
        return { status: answer.statusCode, text: await answer.body.text() };
      } catch (error) {
        const code = (error as { code?: string }).code ?? '';
        if (neverSent(code)) services.refused(base);
        if (hasTimedOut(error as Error)) services.timedOut(base);
        const mayAskAgain = neverSent(code) || wasCutOff(code);
        if (!mayAskAgain || broken.add(base).size >= services.all('identity').length)
          throw new ServiceUnavailable('identity', error);
      } finally {
        end();
      }
    }
  }

  private async ask(token: string, key: string): Promise<Caller> {
    const { status, text } = await this.identity('POST', '/internal/tokens/verify', { token });
    if (status === 401) {
      // Ours was refused, not the caller's, which may well be good.
      if ((JSON.parse(text) as { reason?: string }).reason === 'not_trusted') throw new NotTrusted('identity');
      this.refused.set(key, true);
      throw unknownToken();
    }
    if (status === 403) {
      const { reason } = JSON.parse(text) as { reason?: string };
      throw reason === 'tenant_closed' ? tenantClosed() : tenantSuspended();
    }
    if (status >= 300)
      throw new DomainError('service_unavailable', {
        kind: 'unavailable',
        detail: 'Tokens cannot be checked at the moment; try again.',
        retryAfterSeconds: 1,
      });
    this.familiar.set(key, true);
    const verified = JSON.parse(text) as VerifyTokenResponse;
    return { ...verified, key, ...(verified.allowedIps ? { mayComeFrom: ipMatcher(verified.allowedIps) } : {}) };
  }
}

interface Answered {
  readonly status: number;
  readonly text: string;
}

/** @throws DomainError 401 `unauthenticated` for what cannot be a token */
function bearerIn(authorization: string | undefined): { readonly token: string; readonly isSigned: boolean } {
  const token = /^Bearer +([\x21-\x7e]{8,4096})$/i.exec(authorization ?? '')?.[1];
  if (!token) throw unauthenticated();
  const isSigned = isJwt(token);
  if (!isSigned && !isBearerSecret(token)) throw unknownToken();
  return { token, isSigned };
}

function mustComeFrom(caller: Caller, address: string): Caller {
  if (caller.mayComeFrom?.(address) === false)
    throw new DomainError('address_not_allowed', { kind: 'forbidden', detail: 'This key cannot be used from here.' });
  return caller;
}

const unknownToken = (): DomainError => unauthenticated('The token is unknown, revoked or expired.');
