import { newUuid } from '@kontor/kernel';
import type { TenantTx } from '@kontor/persistence';
import { familyOf, newBearerSecret } from '@kontor/service-kit';
import { type CustomerSessionRow, customerSessions } from '../db/customer-session.row.js';
import { digestOf } from '../secrets/digest.js';

export const ACCESS_SECONDS = 3600;
const REFRESH_DAYS = 30;

/** The secrets of a session, seen once. */
export interface CustomerTokens {
  readonly accessToken: string;
  readonly refreshToken: string;
}

const expiries = (realNow: Date) => ({
  accessExpiresAt: new Date(realNow.getTime() + ACCESS_SECONDS * 1000),
  refreshExpiresAt: new Date(realNow.getTime() + REFRESH_DAYS * 86_400_000),
});

const newTokens = (family?: Buffer): CustomerTokens => ({
  accessToken: newBearerSecret('cus_'),
  refreshToken: newBearerSecret('cur_', family),
});

/** Opens a session in a customer's name; its tokens act on that customer alone. Sessions of this customer that are over go. */
export async function openSession(tx: TenantTx, customerId: string, realNow: Date): Promise<CustomerTokens> {
  const tokens = newTokens();
  await tx.query(
    'DELETE FROM customer_session WHERE tenant_id = $1 AND customer_id = $2 AND refresh_expires_at <= $3',
    [tx.tenantId, customerId, realNow],
  );
  await customerSessions.insert(tx, {
    id: newUuid(),
    customerId,
    accessDigest: digestOf(tokens.accessToken),
    refreshDigest: digestOf(tokens.refreshToken),
    previousRefreshDigest: null,
    refreshFamily: digestOf(familyOf(tokens.refreshToken)),
    ...expiries(realNow),
  });
  return tokens;
}

/** Gives an open session, whose row is locked, new tokens in place of its refresh token; the old access token is over at once. */
export async function renewSession(
  tx: TenantTx,
  session: CustomerSessionRow,
  refreshToken: string,
  realNow: Date,
): Promise<CustomerTokens> {
  const family = familyOf(refreshToken);
  const tokens = newTokens(family);
  await customerSessions.update(tx, {
    ...session,
    accessDigest: digestOf(tokens.accessToken),
    refreshDigest: digestOf(tokens.refreshToken),
    previousRefreshDigest: session.refreshDigest,
    refreshFamily: digestOf(family),
    ...expiries(realNow),
  });
  return tokens;
}
