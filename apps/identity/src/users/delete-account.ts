import { Injectable } from '@nestjs/common';
import { Database, type TenantTx } from '@kontor/persistence';
import { aboutPeople } from '../accounts/account-events.js';
import { erasedEmail, erasePerson, fullName, NOBODY, type Person } from '../accounts/person.js';
import { recordAudit } from '../audit-log/record-audit.js';
import { providerLogins } from '../db/provider-login.row.js';
import { tenants } from '../db/tenant.row.js';
import { tenantUsers } from '../db/tenant-user.row.js';
import { lockTenant } from '../published-events.js';
import { partyOf } from './change-user.js';
import { saveUser } from './publish-user.js';
import { requestMail } from './request-mail.js';
import { isLastAdministrator } from './user-grants.js';

interface Membership {
  readonly tenantId: string;
  readonly id: string;
}

/**
 * Deletes the account of somebody who wants to be forgotten. It leaves tenant by tenant, and goes itself at the end: ended half-way, it is
 * done again. Audit logs keep what they say; what else names the person is empty from now on.
 */
@Injectable()
export class DeleteAccount {
  constructor(private readonly db: Database) {}

  /** The name of a tenant that would be left without anybody who may do everything; null: it is done. */
  async execute(person: Person): Promise<string | null> {
    const memberships = await this.db.statement<Membership>(
      'SELECT tenant_id AS "tenantId", id FROM users_of_person($1)',
      [person.id],
    );
    // First of all, so that nothing is left where something speaks against it.
    for (const { tenantId, id } of memberships) {
      const needed = await this.db.tenant(tenantId, (tx) => this.neededIn(tx, id));
      if (needed !== null) return needed;
    }
    const last = memberships.at(-1)?.id;
    for (const { tenantId, id } of memberships) {
      const needed = await this.db.tenant(tenantId, (tx) => this.leave(tx, person, id, id === last));
      if (needed !== null) return needed;
    }
    await aboutPeople(this.db, (tx) => erasePerson(tx, person.id));
    return null;
  }

  private async neededIn(tx: TenantTx, id: string): Promise<string | null> {
    const tenant = await lockTenant(tx);
    const user = await tenantUsers.get(tx, id);
    return user && (await isLastAdministrator(tx, user)) ? tenant.name : null;
  }

  /** With the last of its tenants somebody leaves us, too, and gets a mail about it. */
  private async leave(tx: TenantTx, person: Person, id: string, isLast: boolean): Promise<string | null> {
    const needed = await this.neededIn(tx, id);
    if (needed !== null) return needed;
    const user = await tenantUsers.get(tx, id, { lock: 'update' });
    if (!user) return null;
    const party = partyOf({ user, person });
    const metadata = { before: user.roles };
    user.roles = [];
    user.deactivated = true;
    await saveUser(tx, user, { ...NOBODY, email: erasedEmail(person.id) });
    await providerLogins.delete(tx, { personId: person.id });
    const origin = { id: person.id };
    const isNew = await recordAudit(tx, { type: 'account.deleted', actor: party, subject: party, metadata, origin });
    if (isNew && isLast) await this.mail(tx, person);
    return null;
  }

  private async mail(tx: TenantTx, person: Person): Promise<void> {
    const { name: tenantName } = await tenants.findOneOrFail(tx, {});
    await requestMail(tx, {
      mailId: person.id,
      kind: 'account_deleted',
      recipient: person.email,
      name: fullName(person),
      language: person.language,
      tenantName,
      link: null,
      expiresAt: null,
    });
  }
}
