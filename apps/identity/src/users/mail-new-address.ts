import { Injectable } from '@nestjs/common';
import { Database } from '@kontor/persistence';
import { ServiceConfig } from '@kontor/service-kit';
import { dropTokens, makeToken } from '../accounts/one-time-tokens.js';
import { stillHolds } from '../accounts/person-sessions.js';
import { fullName, type Person, personByEmail, single } from '../accounts/person.js';
import { SignInLimits } from '../accounts/sign-in-limits.js';
import { tenants } from '../db/tenant.row.js';
import { EMAIL_PATH } from './account-paths.js';
import { requestMail } from './request-mail.js';

const MINUTES = 60;

/**
 * Mails a link to a new address, which counts when it is confirmed there. An address that somebody has gets none. Whose the others are nobody
 * knows: nobody has many mails sent to them.
 */
@Injectable()
export class MailNewAddress {
  constructor(
    private readonly db: Database,
    private readonly config: ServiceConfig,
    private readonly limits: SignInLimits,
  ) {}

  /** @throws DomainError 429 `rate_limited`, whoever has the address */
  async execute(person: Person, email: string, address: string): Promise<void> {
    await this.limits.take('new_address', person.id, address);
    if (await personByEmail(single(this.db), email)) return;
    const [membership] = await this.db.statement<{ tenantId: string }>(
      'SELECT tenant_id AS "tenantId" FROM users_of_person($1)',
      [person.id],
    );
    if (!membership) return;
    await this.db.tenant(membership.tenantId, async (tx) => {
      const tenant = await tenants.findOneOrFail(tx, {});
      if (!(await stillHolds(tx, person))) return;
      // One at a time: the last one that was asked for.
      await dropTokens(tx, person.id, ['email_change']);
      const token = await makeToken(tx, 'email_change', { personId: person.id, payload: { email }, minutes: MINUTES });
      await requestMail(tx, {
        kind: 'email_change',
        recipient: email,
        name: fullName(person),
        language: person.language,
        tenantName: tenant.name,
        link: `${this.config.publicUrl}${EMAIL_PATH}/${token}`,
        expiresAt: new Date(Date.now() + MINUTES * 60_000),
      });
    });
  }
}
