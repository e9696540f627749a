import { createHash, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { isUuid, storableText } from '@kontor/kernel';
import { Database } from '@kontor/persistence';
import { Log } from '@kontor/service-kit';
import { lookAtToken, makeToken, type TokenPurpose, useToken } from '../accounts/one-time-tokens.js';
import { type Person, single } from '../accounts/person.js';
import { SignInLimits } from '../accounts/sign-in-limits.js';
import { recordAudit } from '../audit-log/record-audit.js';
import { domainOf, identityOf, type Naming, sessionIdOf } from '../domain/provider-claims.js';
import { refusalOfSignIn, type SignInMethod } from '../domain/sign-in-policy.js';
import { isSameSecret } from '../secrets/same-secret.js';
import { AdmitUser } from './admit-user.js';
import { AskProvider } from './ask-provider.js';
import { ProviderAccess, type TenantProvider } from './provider-access.js';
import { ProviderPlaces } from './provider-places.js';

const MINUTES = 10;

/** Tokens that stand for somebody whom a provider has named, until a session is opened. */
export const NAMED_TOKENS = ['company_code', 'sign_in_code'] as const satisfies readonly TokenPurpose[];

/** Where a sign-in goes on: to a page of the account, or to a program that gets a code. */
export type GoesOn =
  { readonly next: string } | { readonly redirectUri: string; readonly state: string; readonly codeChallenge: string };

interface Pending {
  readonly tenantId: string;
  readonly issuer: string;
  readonly nonce: string;
  readonly codeVerifier: string;
  /** Of the secret that the browser keeps. */
  readonly browserDigest: string;
  readonly goesOn: GoesOn;
}

export interface Begun {
  readonly url: URL;
  readonly state: string;
  /** What the browser has to show when it comes back. */
  readonly secret: string;
}

export interface Named {
  readonly tenantId: string;
  readonly person: Person;
  readonly methods: readonly SignInMethod[];
  /** The session that the provider has for the person, where it has named it. */
  readonly providerSid: string | null;
  readonly naming: Naming;
  readonly goesOn: GoesOn;
  /** Whether the tenant asks for a code as well. */
  readonly needsCode: boolean;
}

/** `unknown`: no such sign-in is under way in this browser. `failed`: the provider. `refused`: who it named may not come in. */
export type Refused = 'unknown' | 'failed' | 'refused' | 'second_factor_missing';

/** Signs people in at the identity provider of their company. */
@Injectable()
export class CompanySignIn {
  constructor(
    private readonly db: Database,
    private readonly access: ProviderAccess,
    private readonly ask: AskProvider,
    private readonly places: ProviderPlaces,
    private readonly admit: AdmitUser,
    private readonly limits: SignInLimits,
    private readonly log: Log,
  ) {}

  /** The tenants whose people have addresses like this one, known or not; who only says so is none of them. */
  async tenantsFor(email: string): Promise<{ id: string; name: string }[]> {
    const found = await this.db.statement<{ tenantId: string }>(
      'SELECT tenant_id AS "tenantId" FROM identity_providers_by_domain($1)',
      [domainOf(email)],
    );
    const all = [];
    for (const { tenantId } of found) {
      const known = await this.db.tenant(tenantId, (tx) => this.access.of(tx), { readOnly: true });
      if (known) all.push({ id: tenantId, name: known.tenant.name });
    }
    return all;
  }

  /** @throws DomainError 429 `rate_limited`, 503 `service_overloaded` */
  async begin(tenantId: string, goesOn: GoesOn, address: string): Promise<Begun | Refused> {
    await this.limits.take('company', tenantId, address);
    if (!isUuid(tenantId)) return 'unknown';
    const known = await this.db.tenant(tenantId, (tx) => this.access.of(tx), { readOnly: true });
    if (!known) return 'unknown';
    if ('redirectUri' in goesOn && !known.row.redirectUris.includes(goesOn.redirectUri)) return 'unknown';
    return this.places.run(tenantId.toLowerCase(), () => this.beginAt(known, goesOn));
  }

  private async beginAt(known: TenantProvider, goesOn: GoesOn): Promise<Begun | 'failed'> {
    const { tenantId } = known.row;
    const secret = randomText();
    const pending: Omit<Pending, 'browserDigest'> = {
      tenantId,
      issuer: known.row.issuer,
      nonce: randomText(),
      codeVerifier: randomText(),
      goesOn,
    };
    const state = await makeToken(single(this.db), 'company_sign_in', {
      personId: null,
      payload: { ...pending, browserDigest: digest(secret) },
      minutes: MINUTES,
    });
    try {
      const url = await this.ask.authorizationUrl(known.provider, this.access.callbackUrl, { ...pending, state });
      return { url, state, secret };
    } catch (error) {
      this.log.warn({ err: error, tenantId }, 'an identity provider cannot be asked');
      return 'failed';
    }
  }

  /**
   * `search`: the answer as the browser brought it. `secret`: what the browser was given for this sign-in.
   * @throws DomainError 503 `service_overloaded`: it may be shown again
   */
  async finish(search: string, secret: string, language: Person['language']): Promise<Named | Refused> {
    const state = new URLSearchParams(search).get('state') ?? '';
    const open = await lookAtToken<Pending>(single(this.db), 'company_sign_in', state);
    if (!open || !isSameSecret(digest(secret), open.payload.browserDigest)) return 'unknown';
    return this.places.run(open.payload.tenantId, () => this.finishAt(search, state, open.payload, language));
  }

  private async finishAt(
    search: string,
    state: string,
    pending: Pending,
    language: Person['language'],
  ): Promise<Named | Refused> {
    if (!(await useToken(single(this.db), 'company_sign_in', state))) return 'unknown';
    const { tenantId, issuer, goesOn, nonce, codeVerifier } = pending;
    const known = await this.db.tenant(tenantId, (tx) => this.access.of(tx), { readOnly: true });
    if (known?.row.issuer !== issuer) return 'unknown';
    const answer = new URL(this.access.callbackUrl + search);
    const claims = await this.ask
      .claims(known.provider, answer, { state, nonce, codeVerifier })
      .catch((error: Error) => error);
    if (claims instanceof Error) {
      this.log.warn({ err: claims, tenantId }, 'an answer of an identity provider was refused');
      return this.refuse(tenantId, 'failed', { reason: 'answer_refused' });
    }
    const identity = identityOf(claims, known.row.provedDomains);
    if (typeof identity === 'string')
      return this.refuse(tenantId, 'refused', { reason: identity, subject: storableText(claims.sub, 255) });
    const person = await this.db.tenant(tenantId, (tx) => this.admit.execute(tx, known.row, identity, language));
    const { email } = identity;
    if (person === 'provider_changed') return this.refuse(tenantId, 'unknown', { reason: person, email });
    if (!person) return this.refuse(tenantId, 'refused', { reason: 'not_a_user', email });
    const methods: SignInMethod[] = identity.hasSecondFactor ? ['company', 'company_mfa'] : ['company'];
    const needsMore = refusalOfSignIn(known.row, methods) === 'second_factor_missing';
    if (needsMore && person.totpSecret === null)
      return this.refuse(tenantId, 'second_factor_missing', { reason: 'second_factor_missing', email });
    const naming = { providerId: known.row.id, issuer, subject: identity.subject, at: identity.namedAt };
    return { tenantId, person, methods, providerSid: sessionIdOf(claims), naming, goesOn, needsCode: needsMore };
  }

  private async refuse(tenantId: string, refused: Refused, metadata: Record<string, unknown>): Promise<Refused> {
    await this.db.tenant(tenantId, (tx) =>
      recordAudit(tx, { type: 'sign_in.failed', actor: null, subject: null, metadata: { by: 'company', ...metadata } }),
    );
    return refused;
  }
}

const randomText = (): string => randomBytes(32).toString('base64url');
const digest = (text: string): string => createHash('sha256').update(text).digest('base64url');
