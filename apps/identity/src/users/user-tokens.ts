import { Injectable } from '@nestjs/common';
import type { VerifyTokenResponse } from '@kontor/contracts';
import { Database } from '@kontor/persistence';
import { Log, tenantSuspended, unauthenticated } from '@kontor/service-kit';
import { sessionByAccess } from '../accounts/person-sessions.js';
import { fullName, personById, single } from '../accounts/person.js';
import { identityProviders } from '../db/identity-provider.row.js';
import { tenantUsers } from '../db/tenant-user.row.js';
import { tenants } from '../db/tenant.row.js';
import { refusalOfSignIn } from '../domain/sign-in-policy.js';
import { permissionsIn } from '../accounts/permissions-in.js';
import { permissionsOf } from './own-roles.js';

/** A session's use is written down when the last one is this old. */
const NOTED_EVERY_MS = 60_000;

/** The access tokens of people: what they may do is looked up each time, so that a role that is taken away counts no longer. */
@Injectable()
export class UserTokens {
  constructor(
    private readonly db: Database,
    private readonly log: Log,
  ) {}

  /** @throws DomainError 401 `unauthenticated`, 403 `tenant_suspended`, `tenant_closed` */
  async verify(token: string): Promise<VerifyTokenResponse> {
    const session = await sessionByAccess(single(this.db), token);
    if (!session?.tenantId) throw refused();
    const { personId, id: sessionId } = session;
    const answer = await this.db.tenant(
      session.tenantId,
      async (tx): Promise<VerifyTokenResponse> => {
        const user = await tenantUsers.findOne(tx, { personId });
        const person = await personById(tx, personId);
        const tenant = await tenants.findOne(tx, {});
        if (!user || user.deactivated || !person || !tenant) throw refused();
        if (tenant.status === 'suspended') throw tenantSuspended();
        if (refusalOfSignIn(await identityProviders.findOne(tx, {}), session.methods)) throw refused();
        const permissions = permissionsIn(tenant, await permissionsOf(tx, user.roles));
        return {
          principal: {
            kind: 'user',
            tenantId: tx.tenantId,
            subjectId: user.id,
            permissions,
            scopes: [],
            name: fullName(person),
            sessionId,
            mode: tenant.mode,
          },
          mode: tenant.mode,
          expiresAt: session.accessExpiresAt.toISOString(),
        };
      },
      { readOnly: true },
    );
    if (session.lastUsedAt.getTime() < Date.now() - NOTED_EVERY_MS) await this.noteUse(sessionId);
    return answer;
  }

  /** Without room to write, or a database that is busy, the session counts all the same. */
  private async noteUse(sessionId: string): Promise<void> {
    await this.db
      .statement('UPDATE person_session SET last_used_at = now() WHERE id = $1', [sessionId])
      .catch((error: unknown) => this.log.warn({ err: error }, 'the use of a session was not written down'));
  }
}

const refused = () => unauthenticated('The token is missing, unknown, revoked or expired.');
