import { Injectable } from '@nestjs/common';
import type { Principal } from '@kontor/contracts';
import { DomainError, notFound } from '@kontor/kernel';
import type { TenantTx } from '@kontor/persistence';
import { recordAudit } from '../audit-log/record-audit.js';
import { apiKeys } from '../db/api-key.row.js';
import { CreateApiKey } from './create-api-key.js';
import { reachOf, refuseBeyond } from './reach.js';

/**
 * Replaces a key by a new one with the same name, permissions and addresses; the old one goes on for `overlapSeconds`, so that
 * nothing stands still while the new one is put in place.
 */
@Injectable()
export class RotateApiKey {
  constructor(private readonly createApiKey: CreateApiKey) {}

  /**
   * @throws DomainError 404 `not_found`; 403 `permission_denied` for a key that reaches further than the caller; 409 `api_key_replaced`:
   * of several requests one makes a key
   */
  async execute(tx: TenantTx, id: string, { overlapSeconds, caller }: { overlapSeconds: number; caller: Principal }) {
    const old = await apiKeys.get(tx, id, { lock: 'update' });
    const now = Date.now();
    if (!old || (old.expiresAt && old.expiresAt.getTime() <= now)) throw notFound('API key');
    refuseBeyond(old, await reachOf(tx, caller));
    if (old.replacedBy)
      throw new DomainError('api_key_replaced', {
        kind: 'conflict',
        detail: `The key ${old.replacedBy} has taken its place already: replace or revoke that one.`,
      });
    const { name, permissions, allowedIps, expiresAt } = old;
    const made = await this.createApiKey.execute(tx, { name, permissions, allowedIps, expiresAt });
    const ends = new Date(Math.min(now + overlapSeconds * 1000, expiresAt?.getTime() ?? Infinity));
    await apiKeys.update(tx, { ...old, expiresAt: ends, replacedBy: made.id });
    const subject = { kind: 'api_key', id, name };
    await recordAudit(tx, { type: 'api_key.rotated', subject, metadata: { replacedBy: made.id } });
    return { ...made, replaces: { id, expiresAt: ends.toISOString() } };
  }
}
