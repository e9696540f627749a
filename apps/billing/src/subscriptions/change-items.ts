import { DomainError, dayOf, newUuid, notFound, validationFailed } from '@kontor/kernel';
import { Replicas, type TenantTx } from '@kontor/persistence';
import { Injectable } from '@nestjs/common';
import * as tables from '../db/tables.js';
import { textOrNull } from '../fields.js';
import { BillImmediately } from '../charging/bill-immediately.js';
import type { SubscriptionItemRow } from '../db/subscription-item.row.js';
import { cancelItem, changeItem, periodEndOf } from '../domain/subscriptions/change-item.js';
import { ApplyDiscounts } from './apply-discounts.js';
import { type LoadedAgreement, lockAgreement } from './agreement.js';
import { pricePlanFor } from './references.js';
import { SaveAgreement, type SubscriptionNotice } from './save-agreement.js';
import type { ItemCancelDto, ItemChange, ItemPatchDto } from './subscription.dto.js';
import { ReadSubscriptions } from './subscription.read.js';
import { representPricePlansById } from '../catalogue/catalogue.read.js';

interface Located extends LoadedAgreement {
  readonly item: SubscriptionItemRow;
}

/** Changes of one item of a subscription. The rules and their refusals are in `domain/subscriptions/change-item.ts`. */
@Injectable()
export class ChangeItems {
  constructor(
    private readonly replicas: Replicas,
    private readonly save: SaveAgreement,
    private readonly read: ReadSubscriptions,
    private readonly billImmediately: BillImmediately,
    private readonly discounts: ApplyDiscounts,
  ) {}

  /** Name, description, a coupon, and the quantity: from the next period on, at once while nothing is billed. */
  async patch(tx: TenantTx, id: string, body: ItemPatchDto) {
    const located = await this.locate(tx, id);
    const { item, agreement, prices, zones } = located;
    const named = {
      ...item,
      ...(body.name === undefined ? {} : { name: textOrNull(body.name) }),
      ...(body.description === undefined ? {} : { description: textOrNull(body.description) }),
    };
    const changed =
      body.quantity === undefined || body.quantity === null || body.quantity === item.quantity
        ? named
        : changeItem(named, agreement.subscription, prices.priceOf(item.pricePlanId), {
            pricePlanId: item.pricePlanId,
            quantity: body.quantity,
            timing: 'end_of_period',
            now: tx.now,
            zone: zones.customer,
          });
    const { id: subscriptionId, customerId } = agreement.subscription;
    const after = body.coupon
      ? await this.discounts.toItem(
          tx,
          { customerId, subscriptionId },
          changed,
          { coupon: body.coupon },
          prices.priceOf,
        )
      : changed;
    return this.store(tx, located, after, [{ type: 'subscription.updated', metadata: { itemId: id } }]);
  }

  async cancel(tx: TenantTx, id: string, body: ItemCancelDto) {
    const located = await this.locate(tx, id);
    const { item, agreement, prices, zones } = located;
    const after = cancelItem(item, agreement.subscription, prices.priceOf(item.pricePlanId), {
      now: tx.now,
      zone: zones.customer,
      cancellationDateType: body.cancellationDateType ?? 'next_possible',
      cancellationDate: body.cancellationDate ? new Date(body.cancellationDate) : null,
    });
    return this.store(tx, located, after, [
      { type: 'subscription.updated', metadata: { itemId: id, cancelled: true } },
    ]);
  }

  /** Another price or quantity. Immediately: credit and new price are billed at once, as a separate invoice. */
  async change(tx: TenantTx, id: string, body: ItemChange) {
    const located = await this.locate(tx, id, body.pricePlan);
    const { item, agreement, prices, zones } = located;
    const timing = body.timing ?? (await this.defaultTiming(tx, agreement.subscription.planId));
    await this.refuseForbidden(tx, located, body);
    const after = changeItem(item, agreement.subscription, prices.priceOf(item.pricePlanId), {
      pricePlanId: body.pricePlan ?? item.pricePlanId,
      quantity: body.quantity ?? item.quantity,
      timing,
      now: tx.now,
      zone: zones.customer,
    });
    const json = await this.store(tx, located, after, [
      {
        type: 'subscription.updated',
        metadata: { itemId: id, pricePlan: after.nextPricePlanId ?? after.pricePlanId, timing },
      },
    ]);
    const now = after.nextFrom !== null && after.nextFrom <= dayOf(tx.now, zones.customer);
    if (timing !== 'immediate' || !now) return json;
    await this.billImmediately.execute(tx, {
      subscriptionId: agreement.subscription.id,
      itemIds: [id],
      operationId: newUuid(),
    });
    return this.read.item(tx, id);
  }

  /** What an item can be changed to: price plans of its product family's kind in the same currency, and when. */
  async options(tx: TenantTx, id: string) {
    const { item, prices, zones, agreement } = await this.locate(tx, id);
    const current = prices.planOf(item.pricePlanId);
    const rows = await tables.pricePlans.find(
      tx,
      { status: 'active', currencyCode: current.currencyCode, productId: current.productId },
      { orderBy: { createdAt: 'asc', id: 'asc' }, limit: 100 },
    );
    const allowed = rows.filter(
      (row) =>
        row.id !== current.id && (row.customerId === null || row.customerId === agreement.subscription.customerId),
    );
    const represented = await representPricePlansById(
      tx,
      allowed.map((row) => row.id),
    );
    const today = dayOf(tx.now, zones.customer);
    return {
      current: { pricePlan: item.pricePlanId, quantity: item.quantity },
      options: allowed.map((row) => represented.get(row.id)),
      timings: ['immediate', 'end_of_period'],
      endOfPeriod:
        agreement.subscription.status === 'active' ? periodEndOf(item, prices.priceOf(item.pricePlanId), today) : null,
    };
  }

  /** The item with its locked subscription. @throws DomainError `not_found`, `unknown_reference` */
  async locate(tx: TenantTx, id: string, pricePlan?: string | null): Promise<Located> {
    const known = await tables.subscriptionItems.get(tx, id);
    if (!known) throw notFound('Subscription item');
    if (pricePlan) await pricePlanFor(tx, known.customerId, pricePlan, 'pricePlan');
    const loaded = await lockAgreement(tx, this.replicas, known.subscriptionId, pricePlan ? [pricePlan] : []);
    const item = loaded.agreement.items.find((found) => found.id === id);
    if (!item) throw notFound('Subscription item');
    return { ...loaded, item };
  }

  private async store(
    tx: TenantTx,
    { agreement, item, ...loaded }: Located,
    after: SubscriptionItemRow,
    notices: readonly SubscriptionNotice[],
  ) {
    const items = agreement.items.map((found) => (found.id === item.id ? after : found));
    await this.save.execute(tx, loaded, { subscription: agreement.subscription, items }, notices);
    return this.read.item(tx, item.id);
  }

  private async defaultTiming(tx: TenantTx, planId: string | null): Promise<'immediate' | 'end_of_period'> {
    const plan = planId === null ? null : await tables.plans.get(tx, planId);
    return plan?.changeApplyBehaviour === 'immediately' ? 'immediate' : 'end_of_period';
  }

  /** A change must change something, within the item's currency and what its plan allows. */
  private async refuseForbidden(tx: TenantTx, { item, prices, agreement }: Located, body: ItemChange): Promise<void> {
    if (!body.pricePlan && !body.quantity)
      throw validationFailed('pricePlan', 'pricePlan or quantity is required.', 'required');
    if (
      body.pricePlan &&
      prices.priceOf(body.pricePlan).currencyCode !== prices.priceOf(item.pricePlanId).currencyCode
    ) {
      throw validationFailed(
        'pricePlan',
        'pricePlan must have the currency of the present price plan.',
        'currency_mismatch',
      );
    }
    const { planId } = agreement.subscription;
    if (planId === null || item.type !== 'plan' || !body.pricePlan) return;
    const plan = await tables.plans.get(tx, planId);
    if (plan?.changeBehaviour === 'not_changeable')
      throw new DomainError('change_not_allowed', { detail: 'The plan does not allow changes.' });
  }
}
