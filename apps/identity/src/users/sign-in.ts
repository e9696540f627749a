import { Injectable } from '@nestjs/common';
import { DomainError } from '@kontor/kernel';
import { Database } from '@kontor/persistence';
import { unauthenticated } from '@kontor/service-kit';
import { aboutPeople, noteAccountEvent } from '../accounts/account-events.js';
import { CheckPassword, invalidCredentials } from '../accounts/check-password.js';
import {
  endSession,
  type Grounds,
  openUserSession,
  type PersonSession,
  renewUserSession,
  sessionByAccess,
  sessionById,
  USER_ACCESS_SECONDS,
} from '../accounts/person-sessions.js';
import { single } from '../accounts/person.js';
import { SecondFactor } from '../accounts/second-factor.js';
import { identityProviders } from '../db/identity-provider.row.js';
import { tenantUsers } from '../db/tenant-user.row.js';
import { tenants } from '../db/tenant.row.js';
import type { Naming } from '../domain/provider-claims.js';
import { isByCompany, refusalOfSignIn, type SignInMethod } from '../domain/sign-in-policy.js';

export interface TenantOfPerson {
  readonly id: string;
  readonly name: string;
  readonly mode: 'live' | 'sandbox';
}

export interface Credentials {
  readonly email: string;
  readonly password: string;
  readonly code: string | null;
  readonly tenantId: string | null;
}

/** Who has signed in, and how. */
export interface Who extends Pick<PersonSession, 'methods' | 'providerSid'> {
  readonly grounds: Grounds;
  readonly naming?: Naming | null;
}

/** Signs people in, for programs: their tokens act in one tenant, with what they may do there at that moment. */
@Injectable()
export class SignIn {
  constructor(
    private readonly db: Database,
    private readonly checkPassword: CheckPassword,
    private readonly secondFactor: SecondFactor,
  ) {}

  /**
   * @throws DomainError 401 `invalid_credentials`; 401 `second_factor_required` where the password is right and a code is missing; 403
   * `no_tenant` for who works for none, or not for the one that is asked for; 403 `company_sign_in_required`, `second_factor_missing`
   * where this one asks for more; 429 `rate_limited`
   */
  async execute({ email, password, code, tenantId }: Credentials, address: string) {
    const person = await this.checkPassword.execute(email, password, address);
    const methods: SignInMethod[] = ['password'];
    if (person.totpSecret !== null) {
      if (code === null)
        throw new DomainError('second_factor_required', {
          kind: 'unauthenticated',
          detail: 'A code of the app, or a recovery code, is needed as well.',
        });
      const method = await this.secondFactor.check(person, code, address);
      if (!method) {
        await this.checkPassword.noteFailure(email);
        throw invalidCredentials();
      }
      methods.push(method);
    }
    await this.checkPassword.succeeded(person, address);
    return this.open({ grounds: person, methods, providerSid: null }, tenantId, null);
  }

  /** A further session, in another tenant of the same person. @throws DomainError 401 `unauthenticated`, 403 `no_tenant` */
  async elsewhere(sessionId: string, tenantId: string) {
    const session = await this.sessionOf(sessionId);
    return this.open({ ...session, grounds: session }, tenantId, session.tenantId);
  }

  /** A session of somebody whom the identity provider of a tenant has named. @throws DomainError 403 `no_tenant` */
  byCompany(who: Who, tenantId: string) {
    return this.open(who, tenantId, tenantId);
  }

  /** @throws DomainError 401 `unauthenticated` */
  async refresh(refreshToken: string) {
    const tokens = await renewUserSession(single(this.db), refreshToken);
    const session = tokens && (await sessionByAccess(single(this.db), tokens.accessToken));
    if (!session) throw unauthenticated('The refresh token is unknown, used or expired.');
    return {
      ...tokens,
      expiresIn: USER_ACCESS_SECONDS,
      tenantId: session.tenantId,
      tenants: seenBy(session.methods, await this.tenantsOf(session.personId), session.tenantId),
    };
  }

  /** @throws DomainError 401 `unauthenticated` */
  async signOut(sessionId: string): Promise<void> {
    const session = await this.sessionOf(sessionId);
    await aboutPeople(this.db, async (tx) => {
      await endSession(tx, session.personId, session.id);
      const onlyTenant = session.tenantId ? { onlyTenant: session.tenantId } : {};
      await noteAccountEvent(tx, { type: 'session.ended', personId: session.personId, ...onlyTenant });
    });
  }

  /** The tenants that somebody works for, the first one joined first. */
  async tenantsOf(personId: string): Promise<TenantOfPerson[]> {
    const found = await this.db.statement<{ tenantId: string; id: string }>(
      'SELECT tenant_id AS "tenantId", id FROM users_of_person($1)',
      [personId],
    );
    const all: TenantOfPerson[] = [];
    for (const { tenantId, id } of found)
      await this.db.tenant(
        tenantId,
        async (tx) => {
          const user = await tenantUsers.get(tx, id);
          const tenant = await tenants.findOne(tx, {});
          if (user && tenant && !user.deactivated) all.push({ id: tenantId, name: tenant.name, mode: tenant.mode });
        },
        { readOnly: true },
      );
    return all;
  }

  private async open(
    { grounds, methods, providerSid, naming = null }: Who,
    wanted: string | null,
    present: string | null,
  ) {
    const personId = 'personId' in grounds ? grounds.personId : grounds.id;
    const all = seenBy(methods, await this.tenantsOf(personId), present);
    const tenant = wanted === null ? all[0] : all.find(({ id }) => id === wanted.toLowerCase());
    if (!tenant)
      throw new DomainError('no_tenant', {
        kind: 'forbidden',
        detail: 'You do not work for this tenant, or for none.',
      });
    await this.refuseUnwanted(tenant.id, methods);
    const tokens = await aboutPeople(this.db, async (tx) => {
      const onlyTenant = tenant.id;
      await noteAccountEvent(tx, { type: 'sign_in.succeeded', personId, onlyTenant, metadata: { methods } });
      const opened = await openUserSession(tx, { grounds, tenantId: tenant.id, methods, providerSid, naming });
      if (!opened) throw unauthenticated('The password has changed, or the session has ended: sign in again.');
      return opened;
    });
    return { ...tokens, expiresIn: USER_ACCESS_SECONDS, tenantId: tenant.id, tenants: all };
  }

  private async refuseUnwanted(tenantId: string, methods: readonly SignInMethod[]): Promise<void> {
    const policy = await this.db.tenant(tenantId, (tx) => identityProviders.findOne(tx, {}), { readOnly: true });
    const refusal = refusalOfSignIn(policy, methods);
    if (refusal === 'company_sign_in_required')
      throw new DomainError('company_sign_in_required', {
        kind: 'forbidden',
        detail: 'This organisation has its people sign in at its own identity provider.',
      });
    if (refusal === 'second_factor_missing')
      throw new DomainError('second_factor_missing', {
        kind: 'forbidden',
        detail: 'This organisation asks for a second factor: set one up for your account.',
      });
  }

  private async sessionOf(id: string) {
    const session = await sessionById(single(this.db), id);
    if (!session) throw unauthenticated();
    return session;
  }
}

/** What a company's provider said of somebody shows no other tenant. */
const seenBy = (
  methods: readonly SignInMethod[],
  all: readonly TenantOfPerson[],
  present: string | null,
): readonly TenantOfPerson[] => (isByCompany(methods) ? all.filter(({ id }) => id === present) : all);
