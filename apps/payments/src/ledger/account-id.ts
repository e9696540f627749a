import { createHash } from 'node:crypto';
import { type Account, accountKey } from '../domain/chart-of-accounts.js';

/** The id of an account follows from its place in the chart, so nothing has to be looked up before booking (UUIDv8, RFC 9562). */
export function accountId(tenantId: string, account: Account): string {
  const bytes = createHash('sha256')
    .update(`${tenantId}/${accountKey(account)}`)
    .digest()
    .subarray(0, 16);
  bytes[6] = ((bytes[6] as number) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
