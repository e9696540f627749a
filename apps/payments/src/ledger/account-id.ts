import { hash } from 'node:crypto';
import { type Account, accountKey } from '../domain/ledger/chart-of-accounts.js';

/**
 * The id of an account follows from its place in the chart, so nothing has to be looked up before booking (UUIDv8, RFC
 * 9562).
 */
export function accountId(tenantId: string, account: Account): string {
  const hex = hash('sha256', `${tenantId}/${accountKey(account)}`, 'hex');
  const variant = ((parseInt(hex.charAt(16), 16) & 0x3) | 0x8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
