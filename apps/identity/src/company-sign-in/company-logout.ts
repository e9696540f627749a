import { Injectable } from '@nestjs/common';
import { isUuid } from '@kontor/kernel';
import { Database, type TenantTx } from '@kontor/persistence';
import { Log } from '@kontor/service-kit';
import { peopleByIds } from '../accounts/person.js';
import { SignInLimits } from '../accounts/sign-in-limits.js';
import { recordAudit } from '../audit-log/record-audit.js';
import { providerLogins } from '../db/provider-login.row.js';
import { tenantUsers } from '../db/tenant-user.row.js';
import { logoutOf, type ProviderLogout } from '../domain/logout-claims.js';
import { partyOf } from '../users/change-user.js';
import { AskProvider } from './ask-provider.js';
import { ProviderAccess } from './provider-access.js';

/** The provider's clock may be behind ours by this much. */
const SKEW_SECONDS = 60;

/**
 * Ends what a tenant's identity provider has opened for somebody, when it says that they have signed out there. A report that is shown again
 * ends nothing that was opened since.
 */
@Injectable()
export class CompanyLogout {
  constructor(
    private readonly db: Database,
    private readonly access: ProviderAccess,
    private readonly ask: AskProvider,
    private readonly limits: SignInLimits,
    private readonly log: Log,
  ) {}

  /** False for what this tenant's provider has not said. @throws DomainError 429 `rate_limited` */
  async execute(tenantId: string, logoutToken: string, address: string): Promise<boolean> {
    await this.limits.take('company_logout', tenantId, address);
    if (!isUuid(tenantId)) return false;
    const known = await this.db.tenant(tenantId, (tx) => this.access.of(tx), { readOnly: true });
    if (!known) return false;
    const logout = await this.ask
      .logoutClaims(known.provider, logoutToken)
      .then(logoutOf)
      .catch((error: unknown) => {
        this.log.warn({ err: error, tenantId }, 'a logout token of an identity provider was refused');
        return null;
      });
    if (!logout) return false;
    await this.db.tenant(tenantId, (tx) => this.end(tx, known.row.issuer, logout));
    return true;
  }

  private async end(tx: TenantTx, issuer: string, { subject, at }: ProviderLogout): Promise<void> {
    const login = await providerLogins.findOne(tx, { issuer, subject });
    const user = login && (await tenantUsers.findOne(tx, { personId: login.personId }));
    const person = user && (await peopleByIds(tx, [user.personId])).get(user.personId);
    if (!person) return;
    const ended = await tx.query(
      `DELETE FROM person_session
       WHERE person_id = $1 AND $2 IN (tenant_id, only_tenant) AND methods ? 'company' AND signed_in_at <= $3 RETURNING 1`,
      [person.id, tx.tenantId, new Date(at.getTime() + SKEW_SECONDS * 1000)],
    );
    if (ended.length === 0) return;
    await recordAudit(tx, {
      type: 'session.ended',
      actor: null,
      subject: partyOf({ user, person }),
      metadata: { sessions: ended.length, by: 'company' },
    });
  }
}
