import { Injectable } from '@nestjs/common';
import { isUuid } from '@kontor/kernel';
import { Database, type TenantTx } from '@kontor/persistence';
import { Log } from '@kontor/service-kit';
import { peopleByIds } from '../accounts/person.js';
import { lockLogouts, noteLogout } from '../accounts/provider-logouts.js';
import { SignInLimits } from '../accounts/sign-in-limits.js';
import { recordAudit } from '../audit-log/record-audit.js';
import { providerLogins } from '../db/provider-login.row.js';
import { tenantUsers } from '../db/tenant-user.row.js';
import { logoutOf, type ProviderLogout } from '../domain/logout-claims.js';
import { sessionIdOf } from '../domain/provider-claims.js';
import { partyOf } from '../users/change-user.js';
import { AskProvider } from './ask-provider.js';
import { NAMED_TOKENS } from './company-sign-in.js';
import { ProviderAccess, type TenantProvider } from './provider-access.js';
import { ProviderPlaces } from './provider-places.js';

/** The provider's clock may be behind ours by this much. */
const SKEW_SECONDS = 60;

/** What is of a session of the provider ($3), or of a person ($4), or of both: then also what comes of a session that was never named. */
const isOf = (sid: string): string =>
  `($4::uuid IS NULL AND ${sid} = $3::text OR person_id = $4 AND ($3 IS NULL OR ${sid} IS NULL OR ${sid} = $3))`;

/**
 * Ends what a tenant's identity provider has opened for somebody, when it says that they have signed out there. A report that is shown again
 * ends no session that was opened since.
 */
@Injectable()
export class CompanyLogout {
  constructor(
    private readonly db: Database,
    private readonly access: ProviderAccess,
    private readonly ask: AskProvider,
    private readonly places: ProviderPlaces,
    private readonly limits: SignInLimits,
    private readonly log: Log,
  ) {}

  /** From server to server. False for what this tenant's provider has not said. @throws DomainError 429 `rate_limited`, 503 `service_overloaded` */
  async byToken(tenantId: string, logoutToken: string, address: string): Promise<boolean> {
    const known = await this.provider(tenantId, address);
    if (!known) return false;
    const { provider, row } = known;
    const logout = await this.places.run(row.tenantId, () =>
      this.ask
        .logoutClaims(provider, logoutToken)
        .then(logoutOf)
        .catch((error: unknown) => {
          this.log.warn({ err: error, tenantId }, 'a logout token of an identity provider was refused');
          return null;
        }),
    );
    if (!logout) return false;
    await this.db.tenant(tenantId, (tx) => this.end(tx, row.issuer, logout));
    return true;
  }

  /**
   * Through the browser, whose cookie is not sent to a frame: who knows the provider's session has it from the provider. False where it is
   * not this tenant's provider, or names no session. @throws DomainError 429 `rate_limited`
   */
  async bySession(tenantId: string, { iss, sid }: Record<'iss' | 'sid', unknown>, address: string): Promise<boolean> {
    const known = await this.provider(tenantId, address);
    const sessionId = sessionIdOf({ sid });
    if (!known || iss !== known.row.issuer || sessionId === null) return false;
    // Its clock may be ahead of ours as well.
    const logout = { subject: null, sessionId, at: new Date(Date.now() + SKEW_SECONDS * 1000), id: null };
    await this.db.tenant(tenantId, (tx) => this.end(tx, known.row.issuer, logout));
    return true;
  }

  private async provider(tenantId: string, address: string): Promise<TenantProvider | null> {
    await this.limits.take('company_logout', tenantId, address);
    return isUuid(tenantId) ? this.db.tenant(tenantId, (tx) => this.access.of(tx), { readOnly: true }) : null;
  }

  private async end(tx: TenantTx, issuer: string, { subject, sessionId, at, id }: ProviderLogout): Promise<void> {
    await lockLogouts(tx, tx.tenantId, 'ends');
    // Who is on the way in with what the provider said before does not get in. Shown again it has nothing more to end.
    if (!(await noteLogout(tx, tx.tenantId, { issuer, subject, sid: sessionId, at, id }))) return;
    const login = subject === null ? null : await providerLogins.findOne(tx, { issuer, subject });
    if (subject !== null && !login) return;
    const whose = [sessionId, login?.personId ?? null];
    await tx.query(
      `DELETE FROM person_token
       WHERE purpose = ANY($2::text[]) AND payload->>'tenantId' = $1 AND ${isOf(`payload->>'providerSid'`)}`,
      [tx.tenantId, NAMED_TOKENS, ...whose],
    );
    const ended = await tx.query<{ personId: string }>(
      `DELETE FROM person_session
       WHERE $1 IN (tenant_id, only_tenant) AND methods ? 'company' AND signed_in_at <= $2 AND ${isOf('provider_sid')}
       RETURNING person_id AS "personId"`,
      [tx.tenantId, new Date(at.getTime() + SKEW_SECONDS * 1000), ...whose],
    );
    const people = await peopleByIds(tx, [...new Set(ended.map(({ personId }) => personId))]);
    for (const person of people.values()) {
      const user = await tenantUsers.findOne(tx, { personId: person.id });
      if (!user) continue;
      const sessions = ended.filter(({ personId }) => personId === person.id).length;
      const metadata = { sessions, by: 'company' };
      await recordAudit(tx, { type: 'session.ended', actor: null, subject: partyOf({ user, person }), metadata });
    }
  }
}
