import { newUuid } from '@kontor/kernel';
import { type Database, scheduleDue, type TenantTx } from '@kontor/persistence';
import { requestContext } from '@kontor/service-kit';
import { accountEvents } from '../db/account-event.row.js';
import { comparedAs } from '../db/compared-as.js';
import { NO_TENANT } from '../domain/no-tenant.js';

/** Kind of the due work that reports to tenants what happened to accounts. */
export const ACCOUNT_EVENT = 'identity.account-event';

export type AccountEventType =
  | 'sign_in.succeeded'
  | 'sign_in.failed'
  | 'session.ended'
  | 'password.reset_requested'
  | 'password.changed'
  | 'email.changed'
  | 'name.changed'
  | 'totp.enabled'
  | 'totp.disabled'
  | 'recovery_codes.made'
  | 'passkey.added'
  | 'passkey.removed';

export interface AccountEvent {
  readonly type: AccountEventType;
  /** Null where an address was given that may be nobody's. */
  readonly personId: string | null;
  readonly email?: string;
  /** Absent: all tenants of the person hear of it. */
  readonly onlyTenant?: string;
  readonly metadata?: Record<string, unknown>;
}

/**
 * Takes down what happened to an account. The logs of its tenants have it a moment later: who tries addresses sees no difference between
 * those that are known and those that are not.
 */
export async function noteAccountEvent(tx: TenantTx, event: AccountEvent): Promise<void> {
  const id = newUuid();
  const createdAt = new Date();
  const { address = null, userAgent = null } = requestContext() ?? {};
  await accountEvents.insert(tx, {
    id,
    type: event.type,
    personId: event.personId,
    email: event.email === undefined ? null : await comparedAs(tx, event.email),
    onlyTenant: event.onlyTenant ?? null,
    address,
    userAgent,
    metadata: event.metadata ?? {},
    createdAt,
  });
  await scheduleDue(tx, { kind: ACCOUNT_EVENT, ref: id, dueAt: createdAt, wall: true });
}

/** A transaction about people: what they have in tenants cannot be seen in it. */
export const aboutPeople = <T>(db: Database, work: (tx: TenantTx) => Promise<T>): Promise<T> =>
  db.tenant(NO_TENANT, work);
