import { DomainError, notFound } from '@kontor/kernel';
import { Replicas, type TenantTx } from '@kontor/persistence';
import { Injectable } from '@nestjs/common';
import { RedeemCoupons } from '../coupons/redeem-coupons.js';
import type { SubscriptionItemRow } from '../db/subscription-item.row.js';
import * as tables from '../db/tables.js';
import { removeDiscount, unusedRedemptions } from '../domain/discounts/add-discount.js';
import type { AppliedDiscount } from '../domain/discounts/applied-discount.js';
import { mustNotBeOffered } from '../domain/subscriptions/subscription.js';
import { type LoadedAgreement, lockAgreement } from './agreement.js';
import { ApplyDiscounts } from './apply-discounts.js';
import { SaveAgreement } from './save-agreement.js';
import type { NewDiscountDto } from './subscription.dto.js';
import { ReadSubscriptions } from './subscription.read.js';
import type { SubscriptionItemJson, SubscriptionJson } from './subscription.schema.js';

/** Discounts of what is sold already: they come and go, what is billed stays as it is. */
@Injectable()
export class ChangeDiscounts {
  constructor(
    private readonly replicas: Replicas,
    private readonly apply: ApplyDiscounts,
    private readonly coupons: RedeemCoupons,
    private readonly save: SaveAgreement,
    private readonly read: ReadSubscriptions,
  ) {}

  /** @throws DomainError `not_found`, `invalid_status_transition`, what redeeming refuses */
  async addToItem(tx: TenantTx, itemId: string, body: NewDiscountDto): Promise<SubscriptionItemJson> {
    const loaded = await this.ofItem(tx, itemId);
    const { subscription, items } = loaded.agreement;
    refuseEnded(subscription.status);
    const owner = { customerId: subscription.customerId, subscriptionId: subscription.id };
    const item = items.find(({ id }) => id === itemId) as SubscriptionItemRow;
    const after = await this.apply.toItem(tx, owner, item, body, loaded.prices.priceOf);
    await this.store(
      tx,
      loaded,
      items.map((found) => (found === item ? after : found)),
      { itemId, ...added([after]) },
    );
    return this.read.item(tx, itemId);
  }

  /** All lines that it is for. */
  async addToSubscription(tx: TenantTx, id: string, body: NewDiscountDto): Promise<SubscriptionJson> {
    const loaded = await this.ofSubscription(tx, id);
    const { subscription, items } = loaded.agreement;
    refuseEnded(subscription.status);
    const owner = { customerId: subscription.customerId, subscriptionId: id };
    const after = await this.apply.toSubscription(tx, owner, items, body, loaded.prices.priceOf);
    return this.store(tx, loaded, after, added(after.filter((item, n) => item !== items[n])));
  }

  /** @throws DomainError `not_found` */
  async removeFromItem(tx: TenantTx, itemId: string, discountId: string): Promise<void> {
    const loaded = await this.ofItem(tx, itemId);
    await this.remove(tx, loaded, (item, { id }) => item.id === itemId && id === discountId);
  }

  /** From all lines that share it with the named one. @throws DomainError `not_found` */
  async removeFromSubscription(tx: TenantTx, id: string, discountId: string): Promise<void> {
    const loaded = await this.ofSubscription(tx, id);
    const all = loaded.agreement.items.flatMap(({ discounts }) => discounts ?? []);
    const sharedId = all.find((discount) => discount.id === discountId)?.sharedId ?? null;
    await this.remove(
      tx,
      loaded,
      (_item, discount) => discount.id === discountId || (sharedId !== null && discount.sharedId === sharedId),
    );
  }

  /** A redemption of which nothing was used is free again. */
  private async remove(
    tx: TenantTx,
    loaded: LoadedAgreement,
    isMeant: (item: SubscriptionItemRow, discount: AppliedDiscount) => boolean,
  ): Promise<void> {
    const removed: AppliedDiscount[] = [];
    const items = loaded.agreement.items.map((item) =>
      (item.discounts ?? [])
        .filter((discount) => !discount.isRemoved && isMeant(item, discount))
        .reduce((rest, discount) => {
          removed.push(discount);
          return removeDiscount(rest, discount.id);
        }, item),
    );
    if (removed.length === 0) throw notFound('Discount');
    const redemptions = removed.flatMap(({ redemptionId }) => redemptionId ?? []);
    await this.coupons.release(tx, unusedRedemptions(items, redemptions));
    await this.store(tx, loaded, items, { discountRemoved: removed[0]?.terms.name });
  }

  private async ofItem(tx: TenantTx, itemId: string): Promise<LoadedAgreement> {
    const known = await tables.subscriptionItems.get(tx, itemId);
    if (!known) throw notFound('Subscription item');
    const loaded = await this.ofSubscription(tx, known.subscriptionId);
    if (!loaded.agreement.items.some(({ id }) => id === itemId)) throw notFound('Subscription item');
    return loaded;
  }

  private async ofSubscription(tx: TenantTx, id: string): Promise<LoadedAgreement> {
    const loaded = await lockAgreement(tx, this.replicas, id);
    mustNotBeOffered(loaded.agreement.subscription);
    return loaded;
  }

  private store(
    tx: TenantTx,
    loaded: LoadedAgreement,
    items: readonly SubscriptionItemRow[],
    metadata: Record<string, unknown>,
  ): Promise<SubscriptionJson> {
    const { subscription } = loaded.agreement;
    return this.save.execute(tx, loaded, { subscription, items: [...items] }, [
      { type: 'subscription.updated', metadata },
    ]);
  }
}

const added = ([item]: readonly SubscriptionItemRow[]): Record<string, unknown> => ({
  discountAdded: item?.discounts?.at(-1)?.terms.name,
});

function refuseEnded(status: string): void {
  if (status === 'cancelled' || status === 'terminated')
    throw new DomainError('invalid_status_transition', {
      detail: `A subscription in status ${status} gets no further discounts.`,
    });
}
