import { Replicas, type TenantTx } from '@kontor/persistence';
import { Injectable } from '@nestjs/common';
import { rescheduleAccounts } from '../billing-accounts/accounts.js';
import * as tables from '../db/tables.js';
import { announceOfCustomer } from '../entitlements/sync-entitlements.js';
import { tenantZone } from '../settings/tenant.js';
import { loadAgreements } from '../subscriptions/agreement.js';
import { SaveAgreement } from '../subscriptions/save-agreement.js';

const PORTION = 100;

/** Bills subscriptions of a merge that have become another customer's with that one's account, and publishes them. */
@Injectable()
export class MoveAgreements {
  constructor(
    private readonly replicas: Replicas,
    private readonly save: SaveAgreement,
  ) {}

  /** Their rows are moved already, and both accounts locked. */
  async execute(tx: TenantTx, mergeId: string, formerId: string, ownerId: string): Promise<void> {
    for (let after: string | null = null; ;) {
      const rows = await tables.subscriptions.where(
        tx,
        `customer_id = $4 AND id IN (SELECT object_id::uuid FROM customer_merge_object
           WHERE tenant_id = $1 AND merge_id = $2 AND object = 'subscription' AND object_id > $3)
         ORDER BY id LIMIT ${PORTION} FOR UPDATE`,
        [mergeId, after ?? '', ownerId],
      );
      if (rows.length === 0) break;
      after = rows.at(-1)!.id;
      const loaded = await loadAgreements(tx, this.replicas, rows);
      const metadata = { changed: ['customer'], formerCustomerId: formerId };
      await this.save.executeMany(
        tx,
        loaded.map((before) => ({
          loaded: before,
          after: before.agreement,
          notices: [{ type: 'subscription.updated' as const, metadata }],
        })),
      );
    }
    await rescheduleAccounts(tx, [formerId, ownerId], await tenantZone(tx, this.replicas));
    await announceOfCustomer(tx, ownerId);
  }
}
