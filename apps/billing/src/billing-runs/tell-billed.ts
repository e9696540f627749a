import { selectRows, type TenantTx, updateRows } from '@kontor/persistence';
import { Injectable } from '@nestjs/common';
import { SubscriptionRow } from '../db/subscription.row.js';
import { publishSubscriptions } from '../subscriptions/save-agreement.js';
import { ReadSubscriptions } from '../subscriptions/subscription.read.js';

const NOTICES = [{ type: 'subscription.billed' }];

/** Tells receivers that subscriptions are on a document: once its batch is answered, not while it is still being made. */
@Injectable()
export class TellBilled {
  constructor(private readonly read: ReadSubscriptions) {}

  async execute(tx: TenantTx, subscriptionIds: readonly string[]): Promise<void> {
    if (subscriptionIds.length === 0) return;
    const rows = await selectRows(tx, SubscriptionRow, 't.tenant_id = $1 and t.id = any($2::uuid[]) order by t.id for update', [
      tx.tenantId,
      subscriptionIds,
    ]);
    const next = rows.map((row): SubscriptionRow => ({ ...row, version: row.version + 1 }));
    await updateRows(tx, SubscriptionRow, next, ['version']);
    const json = await this.read.represent(tx, next);
    await publishSubscriptions(tx, next.map((row, n) => ({ row, json: json[n] as (typeof json)[number], notices: NOTICES }))); // prettier-ignore
  }
}
