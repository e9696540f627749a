import type { TenantTx } from '@kontor/persistence';
import { Injectable } from '@nestjs/common';
import * as tables from '../db/tables.js';
import type { SubscriptionRow } from '../db/subscription.row.js';
import { publishSubscriptions, type SubscriptionNotice } from '../subscriptions/save-agreement.js';
import { ReadSubscriptions } from '../subscriptions/subscription.read.js';

const NOTICES: readonly SubscriptionNotice[] = [{ type: 'subscription.billed' }];

/** Publishes that subscriptions are on a document: when its batch is settled, not while it is still being made. */
@Injectable()
export class PublishBilled {
  constructor(private readonly read: ReadSubscriptions) {}

  async execute(tx: TenantTx, subscriptionIds: readonly string[]): Promise<void> {
    if (subscriptionIds.length === 0) return;
    const rows = await tables.subscriptions.where(tx, 't.id = ANY($2::uuid[]) ORDER BY t.id FOR UPDATE', [
      subscriptionIds,
    ]);
    const next = rows.map((row): SubscriptionRow => ({ ...row, version: row.version + 1 }));
    await tables.subscriptions.update(tx, next, ['version']);
    const json = await this.read.represent(tx, next);
    await publishSubscriptions(
      tx,
      next.map((row, n) => ({ row, json: json[n] as (typeof json)[number], notices: NOTICES })),
    );
  }
}
