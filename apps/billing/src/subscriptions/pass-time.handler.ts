import {
  completeDue,
  Database,
  type DueBatch,
  DueHandler,
  type DueItem,
  Replicas,
  type TenantTx,
} from '@kontor/persistence';
import { Injectable } from '@nestjs/common';
import * as tables from '../db/tables.js';
import { type LifecycleFact, nextPassage, passTime } from '../domain/subscriptions/lifecycle.js';
import { lockAgreement } from './agreement.js';
import { SaveAgreement, SUBSCRIPTION_DUE, type SubscriptionNotice } from './save-agreement.js';

const NOTICES: Readonly<Record<LifecycleFact, SubscriptionNotice | null>> = {
  trial_expired: { type: 'subscription.trial_expired' },
  plan_changed: { type: 'subscription.updated', metadata: { planChanged: true } },
  cancelled: { type: 'subscription.updated', metadata: { cancelled: true } },
  items_changed: { type: 'subscription.updated' },
};

/** What time alone does to subscriptions: trials end, items begin and end, cancellations take effect. */
@Injectable()
@DueHandler({ kind: SUBSCRIPTION_DUE, batchSize: 100 })
export class PassTimeHandler {
  constructor(
    private readonly database: Database,
    private readonly replicas: Replicas,
    private readonly save: SaveAgreement,
  ) {}

  async handle(batch: DueBatch): Promise<void> {
    for (const item of batch.items)
      await this.database.tenant(batch.tenantId, (tx) => this.pass(tx, item), { now: batch.now });
  }

  private async pass(tx: TenantTx, item: DueItem): Promise<void> {
    const there = await tables.subscriptions.exists(tx, { id: item.ref });
    if (!there) return completeDue(tx, SUBSCRIPTION_DUE, item);
    const loaded = await lockAgreement(tx, this.replicas, item.ref);
    const { facts, ...agreement } = passTime(loaded.agreement, loaded.prices.priceOf, tx.now, loaded.zones.customer);
    // First, because saving plans the next passage of the same row.
    await completeDue(
      tx,
      SUBSCRIPTION_DUE,
      item,
      nextPassage(agreement, loaded.prices.priceOf, tx.now, loaded.zones.customer),
    );
    if (facts.length === 0) return;
    await this.save.execute(
      tx,
      loaded,
      agreement,
      facts.flatMap((fact) => NOTICES[fact] ?? []),
    );
  }
}
