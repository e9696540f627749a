import { newUuid } from '@kontor/kernel';
import type { TenantTx } from '@kontor/persistence';
import { textOrNull } from '../fields.js';
import { SubscriptionItemRow } from '../db/subscription-item.row.js';
import type { ItemType } from '../domain/subscriptions/subscription.js';
import { pricePlanFor } from './references.js';

export interface WantedItem {
  readonly pricePlan: string;
  readonly quantity?: string | null;
  readonly name?: string | null;
  readonly description?: string | null;
  readonly startDate?: string | null;
}

interface Kind {
  readonly type: ItemType;
  readonly firstRanking: number;
}

interface Owner {
  readonly id: string;
  readonly customerId: string;
}

/** Rows for items that a subscription gets; not started yet. @throws DomainError `unknown_reference` */
export async function newItems(
  tx: TenantTx,
  owner: Owner,
  wanted: readonly WantedItem[],
  as: Kind,
): Promise<SubscriptionItemRow[]> {
  const items: SubscriptionItemRow[] = [];
  for (const [n, item] of wanted.entries()) {
    const plan = await pricePlanFor(tx, owner.customerId, item.pricePlan, `items[${n}].pricePlan`);
    items.push(
      Object.assign(new SubscriptionItemRow(), {
        tenantId: tx.tenantId,
        id: newUuid(),
        subscriptionId: owner.id,
        customerId: owner.customerId,
        ranking: as.firstRanking + n,
        type: as.type,
        status: 'pending',
        pricePlanId: plan.id,
        quantity: item.quantity ?? '1',
        name: textOrNull(item.name),
        description: textOrNull(item.description),
        startDate: item.startDate ? new Date(item.startDate) : null,
        startOn: null,
        anchorOn: null,
        billedFrom: null,
        billedTo: null,
        lastBilledAt: null,
        endsOn: null,
        creditFrom: null,
        creditDueOn: null,
        nextPricePlanId: null,
        nextQuantity: null,
        nextFrom: null,
        quantitySteps: null,
        nextDueOn: null,
        nextDueMetered: false,
        revision: 0,
        activatedAt: null,
        createdAt: tx.now,
        updatedAt: tx.now,
      } satisfies SubscriptionItemRow),
    );
  }
  return items;
}
