import type { TenantTx } from '@kontor/persistence';
import { type OwnedObject, type ReplicaProvider, ReplicaSource } from '@kontor/service-kit';
import * as tables from '../db/tables.js';
import { rowsAfter } from '../db/rows-after.js';
import type { SubscriptionRow } from '../db/subscription.row.js';
import { subscriptionState } from './save-agreement.js';

/** Subscriptions for the services that copy them. */
@ReplicaSource('subscription')
export class SubscriptionSource implements ReplicaProvider {
  async fetch(tx: TenantTx, id: string): Promise<{ version: number; data: unknown } | null> {
    const [found] = await this.owned(tx, await tables.subscriptions.findByIds(tx, [id]));
    return found ?? null;
  }

  async page(tx: TenantTx, after: string | null, limit: number): Promise<OwnedObject[]> {
    return this.owned(tx, await rowsAfter(tx, tables.subscriptions, after, limit));
  }

  private async owned(tx: TenantTx, rows: readonly SubscriptionRow[]): Promise<OwnedObject[]> {
    const plans = await tables.plans.findByIds(
      tx,
      rows.flatMap((row) => (row.name === null && row.planId !== null ? row.planId : [])),
    );
    const nameOf = (row: SubscriptionRow): string | null =>
      row.name ?? plans.find((plan) => plan.id === row.planId)?.name ?? null;
    return rows.map((row) => ({ id: row.id, version: row.version, data: subscriptionState(row, nameOf(row)) }));
  }
}
