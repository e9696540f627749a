import type { Principal } from '@kontor/contracts';
import type { TenantTx } from '@kontor/persistence';
import { permissionDenied, permits, rangesWithin } from '@kontor/service-kit';
import { apiKeys } from '../db/api-key.row.js';

/** What somebody may do who shows a credential, from where, and until when. */
export interface Reach {
  readonly permissions: readonly string[];
  /** Null: from anywhere. */
  readonly allowedIps: readonly string[] | null;
  /** Null: for good. */
  readonly expiresAt: Date | null;
}

/** Whether it counts at some addresses only, or for a time. */
export const isBound = ({ allowedIps, expiresAt }: Omit<Reach, 'permissions'>): boolean =>
  allowedIps !== null || expiresAt !== null;

/** Permissions that this maker cannot give: those the maker lacks. `operator` is never given. */
export const withheldPermissions = (wanted: readonly string[], makers: readonly string[]): string[] =>
  wanted.filter(
    (permission) =>
      permission === 'operator' || (permission === '*' ? !makers.includes('*') : !permits(makers, permission)),
  );

/** What of a key's reach its maker does not have, in words; null where it has all of it. */
function beyondReach(wanted: Reach, maker: Reach): string | null {
  const withheld = withheldPermissions(wanted.permissions, maker.permissions);
  if (withheld.length > 0) return `A key can only have permissions of the key that creates it: ${withheld.join(', ')}.`;
  if (maker.allowedIps && !(wanted.allowedIps && rangesWithin(wanted.allowedIps, maker.allowedIps)))
    return 'A key can only be used from addresses of the key that creates it.';
  if (maker.expiresAt && !(wanted.expiresAt && wanted.expiresAt <= maker.expiresAt))
    return 'A key cannot outlive the key that creates it.';
  return null;
}

/** What the caller may do, from where, and until when. @throws DomainError 403 `permission_denied` for a key that was revoked meanwhile */
export async function reachOf(tx: TenantTx, { isBound, subjectId, permissions }: Principal): Promise<Reach> {
  if (!isBound) return { permissions, allowedIps: null, expiresAt: null };
  const key = await apiKeys.get(tx, subjectId);
  if (!key) throw permissionDenied('The key was revoked.');
  return { permissions, allowedIps: key.allowedIps, expiresAt: key.expiresAt };
}

/** @throws DomainError 403 `permission_denied` for a key that reaches further than who makes it, or replaces it */
export function refuseBeyond(wanted: Reach, maker: Reach): void {
  const beyond = beyondReach(wanted, maker);
  if (beyond) throw permissionDenied(beyond);
}
