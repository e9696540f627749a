import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Principal } from '@kontor/contracts';
import { DomainError, newUuid, notFound } from '@kontor/kernel';
import type { TenantTx } from '@kontor/persistence';
import { ServiceConfig } from '@kontor/service-kit';
import { personByEmail } from '../accounts/person.js';
import { recordAudit } from '../audit-log/record-audit.js';
import { tenantUsers } from '../db/tenant-user.row.js';
import { type UserInvitationRow, userInvitations } from '../db/user-invitation.row.js';
import { activity, lockTenant, saveTenant } from '../published-events.js';
import { digestOf } from '../secrets/digest.js';
import { INVITATION_PATH } from './account-paths.js';
import { requestMail } from './request-mail.js';
import { grantableRoles } from './user-grants.js';

const DAYS = 7;
/** Mails that a tenant can have sent to whomever it names. */
const PER_HOUR = 50;

interface NewInvitation {
  readonly email: string;
  readonly roles: readonly string[];
  readonly language: 'de' | 'en';
}

/** Asks somebody by mail to become a user of the tenant. Whether the address has an account already is nobody's business. */
@Injectable()
export class InviteUser {
  constructor(private readonly config: ServiceConfig) {}

  /**
   * @throws DomainError 403 `permission_denied`, 422 `unknown_reference`; `already_exists` for a user and for an address with an
   * invitation that is pending; 429 `rate_limited`
   */
  async execute(tx: TenantTx, caller: Principal, request: NewInvitation): Promise<UserInvitationRow> {
    const tenant = await lockTenant(tx);
    const roles = await grantableRoles(tx, caller, request.roles);
    const email = request.email.trim();
    const now = new Date();
    await refuseKnown(tx, email);
    await this.refuseTooMany(tx, now);
    await tx.query(
      `UPDATE user_invitation SET status = 'revoked', answered_at = expires_at
       WHERE tenant_id = $1 AND lower(email) = lower($2) AND status = 'pending' AND expires_at <= $3`,
      [tx.tenantId, email, now],
    );
    const token = randomBytes(16).toString('base64url');
    const invitation: UserInvitationRow = {
      tenantId: tx.tenantId,
      id: newUuid(),
      email,
      roles,
      language: request.language,
      status: 'pending',
      digest: digestOf(token),
      createdAt: now,
      expiresAt: new Date(now.getTime() + DAYS * 86_400_000),
      answeredAt: null,
    };
    const made = await userInvitations.insertMissing(tx, invitation);
    if (made.length === 0)
      throw new DomainError('already_exists', { detail: 'An invitation to this address is pending: revoke it first.' });
    await requestMail(tx, {
      mailId: invitation.id,
      kind: 'invitation',
      recipient: email,
      name: null,
      language: request.language,
      tenantName: tenant.name,
      link: `${this.config.publicUrl}${INVITATION_PATH}/${token}`,
      expiresAt: invitation.expiresAt,
    });
    await saveTenant(tx, tenant, [activity('user.invitation.sent', invitation.id, { email, roles })]);
    await recordAudit(tx, { type: 'user.invited', subject: subjectOf(invitation), metadata: { roles } });
    return invitation;
  }

  /** @throws DomainError 404 `not_found` for an invitation that is not pending */
  async revoke(tx: TenantTx, id: string): Promise<void> {
    const tenant = await lockTenant(tx);
    const invitation = await userInvitations.get(tx, id, { lock: 'update' });
    if (invitation?.status !== 'pending') throw notFound('Pending invitation');
    await userInvitations.update(tx, { ...invitation, status: 'revoked', answeredAt: new Date() });
    await saveTenant(tx, tenant, [activity('user.invitation.revoked', id, { email: invitation.email })]);
    await recordAudit(tx, { type: 'user.invitation_revoked', subject: subjectOf(invitation) });
  }

  private async refuseTooMany(tx: TenantTx, now: Date): Promise<void> {
    const [recent] = await tx.query<{ n: number }>(
      'SELECT count(*)::int AS n FROM user_invitation WHERE tenant_id = $1 AND created_at > $2',
      [tx.tenantId, new Date(now.getTime() - 3_600_000)],
    );
    if (recent!.n >= PER_HOUR)
      throw new DomainError('rate_limited', {
        kind: 'too_many',
        detail: `A tenant sends at most ${PER_HOUR} invitations an hour.`,
        retryAfterSeconds: 3600,
      });
  }
}

const subjectOf = ({ id, email }: UserInvitationRow) => ({ kind: 'invitation', id, name: email });

async function refuseKnown(tx: TenantTx, email: string): Promise<void> {
  const person = await personByEmail(tx, email);
  const user = person && (await tenantUsers.findOne(tx, { personId: person.id }));
  if (user && !user.deactivated)
    throw new DomainError('already_exists', { detail: 'Somebody with this address is a user of the tenant already.' });
}
