import type { TenantTx } from '@kontor/persistence';
import { type OwnedObject, type ReplicaProvider, ReplicaSource } from '@kontor/service-kit';
import { In, MoreThan } from 'typeorm';
import { PlanRow } from '../db/catalogue.row.js';
import { SubscriptionRow } from '../db/subscription.row.js';
import { subscriptionState } from './save-agreement.js';

/** Subscriptions for the services that copy them. */
@ReplicaSource('subscription')
export class SubscriptionSource implements ReplicaProvider {
  async fetch(tx: TenantTx, id: string): Promise<{ version: number; data: unknown } | null> {
    const [found] = await this.owned(tx, await tx.manager.findBy(SubscriptionRow, { tenantId: tx.tenantId, id }));
    return found ?? null;
  }

  async page(tx: TenantTx, after: string | null, limit: number): Promise<OwnedObject[]> {
    const rows = await tx.manager.find(SubscriptionRow, {
      where: { tenantId: tx.tenantId, ...(after === null ? {} : { id: MoreThan(after) }) },
      order: { id: 'ASC' },
      take: limit,
    });
    return this.owned(tx, rows);
  }

  private async owned(tx: TenantTx, rows: readonly SubscriptionRow[]): Promise<OwnedObject[]> {
    const planIds = [...new Set(rows.flatMap((row) => (row.name === null && row.planId !== null ? row.planId : [])))];
    const plans = planIds.length === 0 ? [] : await tx.manager.findBy(PlanRow, { tenantId: tx.tenantId, id: In(planIds) });
    const nameOf = (row: SubscriptionRow): string | null => row.name ?? plans.find((plan) => plan.id === row.planId)?.name ?? null;
    return rows.map((row) => ({ id: row.id, version: row.version, data: subscriptionState(row, nameOf(row)) }));
  }
}
