import { newUuid } from '@kontor/kernel';
import type { TenantTx } from '@kontor/persistence';
import { requestContext } from '@kontor/service-kit';
import { auditEntries, type AuditEntryRow, type AuditParty } from '../db/audit-entry.row.js';

export const AUDIT_TYPES = [
  'sign_in.succeeded',
  'sign_in.failed',
  'session.ended',
  'password.reset_requested',
  'password.changed',
  'email.changed',
  'name.changed',
  'account.deleted',
  'totp.enabled',
  'totp.disabled',
  'recovery_codes.made',
  'passkey.added',
  'passkey.removed',
  'user.invited',
  'user.invitation_revoked',
  'user.joined',
  'user.roles_changed',
  'user.removed',
  'user.sessions_ended',
  'role.created',
  'role.updated',
  'role.deleted',
  'identity_provider.changed',
  'identity_provider.removed',
  'identity_provider.domains_proved',
  'api_key.created',
  'api_key.rotated',
  'api_key.revoked',
  'oauth_client.created',
  'oauth_client.changed',
  'oauth_client.secret_rotated',
  'oauth_client.deleted',
  'customer.session_opened',
  'tenant.features_changed',
  'tenant.suspended',
  'tenant.resumed',
  'tenant.deletion_requested',
  'tenant.deletion_revoked',
  'tenant.erased',
] as const;
export type AuditType = (typeof AUDIT_TYPES)[number];

export interface NewAuditEntry {
  readonly type: AuditType;
  readonly subject: AuditParty | null;
  readonly metadata?: Record<string, unknown>;
  /** Where it is not whose token the request has. */
  readonly actor?: AuditParty | null;
  /** Of what happened in another request; an `id` alone for what is recorded once, however often it is done. */
  readonly origin?: Partial<Pick<AuditEntryRow, 'id' | 'at' | 'address' | 'userAgent'>>;
}

/** Adds to the tenant's audit log, in the transaction of what it reports. False where the entry is there already. */
export async function recordAudit(tx: TenantTx, entry: NewAuditEntry): Promise<boolean> {
  const added = await auditEntries.insertMissing(tx, {
    ...originOfRequest(),
    ...entry.origin,
    actor: entry.actor === undefined ? actorOfRequest() : entry.actor,
    type: entry.type,
    subject: entry.subject,
    metadata: entry.metadata ?? {},
    // The database makes these.
    number: 0n,
    previousHash: Buffer.alloc(0),
    hash: Buffer.alloc(0),
  });
  return added.length > 0;
}

function originOfRequest(): Required<NonNullable<NewAuditEntry['origin']>> {
  const { address = null, userAgent = null } = requestContext() ?? {};
  return { id: newUuid(), at: new Date(), address, userAgent };
}

function actorOfRequest(): AuditParty | null {
  const actor = requestContext()?.actor;
  return actor ? { kind: actor.kind, id: actor.id, name: actor.name ?? null } : null;
}
