import { Injectable } from '@nestjs/common';
import { newUuid } from '@kontor/kernel';
import { Database, type TenantTx } from '@kontor/persistence';
import { insertPerson, type Person, personByEmail } from '../accounts/person.js';
import { recordAudit } from '../audit-log/record-audit.js';
import { tenantUsers } from '../db/tenant-user.row.js';
import { type TenantRow, tenants } from '../db/tenant.row.js';
import { type UserInvitationRow, userInvitations } from '../db/user-invitation.row.js';
import { activity, lockTenant, saveTenant } from '../published-events.js';
import { digestOf } from '../secrets/digest.js';
import { partyOf } from './change-user.js';
import { saveUser } from './publish-user.js';

export interface OpenInvitation {
  readonly invitation: UserInvitationRow;
  readonly tenant: TenantRow;
  /** Whether the address has an account already. */
  readonly isKnown: boolean;
}

interface Found {
  readonly tenantId: string;
  readonly id: string;
}

/** Who clicks twice sends the form twice, and the browser drops the first answer. */
const SECOND_CLICK_MS = 10_000;

/** Finds and accepts invitations. What is wrong, old, revoked or used looks the same. */
@Injectable()
export class AcceptInvitation {
  constructor(private readonly db: Database) {}

  async look(token: string): Promise<OpenInvitation | null> {
    const found = await this.locate(token);
    if (!found) return null;
    return this.db.tenant(
      found.tenantId,
      async (tx) => {
        const invitation = await userInvitations.get(tx, found.id);
        const tenant = await tenants.findOne(tx, {});
        if (!tenant || !isOpen(invitation)) return null;
        return { invitation, tenant, isKnown: (await personByEmail(tx, invitation.email)) !== null };
      },
      { readOnly: true },
    );
  }

  /** Who has accepted it just now; null for all others. */
  async justAccepted(token: string): Promise<Person | null> {
    const found = await this.locate(token);
    if (!found) return null;
    return this.db.tenant(
      found.tenantId,
      async (tx) => {
        const invitation = await userInvitations.get(tx, found.id);
        const acceptedAt = invitation?.status === 'accepted' ? (invitation.answeredAt?.getTime() ?? 0) : 0;
        return invitation && acceptedAt > Date.now() - SECOND_CLICK_MS ? personByEmail(tx, invitation.email) : null;
      },
      { readOnly: true },
    );
  }

  /** Somebody without an account gets one and joins. Null where the invitation, or the address, is taken by now. */
  acceptAsNew(token: string, person: Omit<Person, 'id' | 'email' | 'totpSecret'>): Promise<Person | null> {
    return this.accept(token, async (tx, { email }) => {
      const made = { ...person, id: newUuid(), email, totpSecret: null };
      return (await insertPerson(tx, made)) ? made : null;
    });
  }

  /** Somebody who is signed in joins; null for another than was invited. */
  acceptAs(token: string, person: Person): Promise<Person | null> {
    return this.accept(token, (_tx, { email }) =>
      Promise.resolve(person.email.toLowerCase() === email.toLowerCase() ? person : null),
    );
  }

  private async accept(
    token: string,
    personFor: (tx: TenantTx, invitation: UserInvitationRow) => Promise<Person | null>,
  ): Promise<Person | null> {
    const found = await this.locate(token);
    if (!found) return null;
    return this.db.tenant(found.tenantId, async (tx) => {
      const tenant = await lockTenant(tx);
      const invitation = await userInvitations.get(tx, found.id, { lock: 'update' });
      if (!isOpen(invitation)) return null;
      const person = await personFor(tx, invitation);
      if (!person) return null;
      await userInvitations.update(tx, { ...invitation, status: 'accepted', answeredAt: new Date() });
      await this.join(tx, person, invitation);
      const { id, email, roles } = invitation;
      await saveTenant(tx, tenant, [activity('user.invitation.accepted', id, { email, roles })]);
      return person;
    });
  }

  private async join(tx: TenantTx, person: Person, { roles, id }: UserInvitationRow): Promise<void> {
    const former = await tenantUsers.findOne(tx, { personId: person.id }, { lock: 'update' });
    const created = { tenantId: tx.tenantId, id: newUuid(), personId: person.id, version: 0n, createdAt: new Date() };
    const user = { ...(former ?? created), roles, deactivated: false };
    await saveUser(tx, user, person);
    const party = partyOf({ user, person });
    await recordAudit(tx, { type: 'user.joined', actor: party, subject: party, metadata: { roles, invitation: id } });
  }

  private async locate(token: string): Promise<Found | undefined> {
    if (!/^[\w-]{22}$/.test(token)) return undefined;
    const [found] = await this.db.statement<Found>(
      'SELECT tenant_id AS "tenantId", id FROM user_invitation_by_digest($1)',
      [digestOf(token)],
    );
    return found;
  }
}

const isOpen = (invitation: UserInvitationRow | null): invitation is UserInvitationRow =>
  invitation?.status === 'pending' && invitation.expiresAt.getTime() > Date.now();
