import { dayOf, newUuid, notFound } from '@kontor/kernel';
import { Replicas, type TenantTx } from '@kontor/persistence';
import { Injectable } from '@nestjs/common';
import * as tables from '../db/tables.js';
import { textOrNull } from '../fields.js';
import { BillImmediately } from '../charging/bill-immediately.js';
import type { PricePlanRow, ProductRow } from '../db/catalogue.row.js';
import type { SubscriptionItemRow } from '../db/subscription-item.row.js';
import { isAllowed, priceDirection } from '../domain/subscriptions/change-direction.js';
import { CHANGE_CREDITS, nextChange } from '../domain/subscriptions/planned-change.js';
import { changeItem, periodEndOf, revokeChange } from '../domain/subscriptions/change-item.js';
import { cancelItem } from '../domain/subscriptions/end-item.js';
import { mustNotBeOffered } from '../domain/subscriptions/subscription.js';
import { ApplyDiscounts } from './apply-discounts.js';
import { type LoadedAgreement, lockAgreement } from './agreement.js';
import { pricePlanFor, type Sold } from './references.js';
import { SaveAgreement, type SubscriptionNotice } from './save-agreement.js';
import type { ItemCancelDto, ItemPatch } from './subscription.dto.js';
import { ReadSubscriptions } from './subscription.read.js';
import { representPricePlansById } from '../catalogue/catalogue.read.js';
import { loadPrices } from '../catalogue/prices.js';
import { planOf, timingOf, type WantedChange, wantedTerms } from './wanted-change.js';

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

  /** Name, description, a coupon; the quantity as `change` does it. */
  async patch(tx: TenantTx, id: string, body: ItemPatch) {
    const located = await this.locate(tx, id);
    const { item, agreement, prices } = located;
    mustNotBeOffered(agreement.subscription);
    const named = {
      ...item,
      ...(body.name === undefined ? {} : { name: textOrNull(body.name) }),
      ...(body.description === undefined ? {} : { description: textOrNull(body.description) }),
    };
    const { id: subscriptionId, customerId } = agreement.subscription;
    const owner = { customerId, subscriptionId };
    const discounted = body.coupon
      ? await this.discounts.toItem(tx, owner, named, { coupon: body.coupon }, prices.priceOf)
      : named;
    const { quantity, timing, changeDate, credit } = body;
    if (!quantity || quantity === item.quantity)
      return this.store(tx, located, discounted, [{ type: 'subscription.updated', metadata: { itemId: id } }]);
    return this.become(tx, { ...located, item: discounted }, { quantity, timing, changeDate, credit });
  }

  async cancel(tx: TenantTx, id: string, body: ItemCancelDto) {
    const { item, agreement, ...loaded } = await this.locate(tx, id);
    const after = cancelItem(agreement, item, loaded.prices.priceOf, {
      now: tx.now,
      zone: loaded.zones.customer,
      cancellationDateType: body.cancellationDateType ?? 'next_possible',
      cancellationDate: body.cancellationDate ? new Date(body.cancellationDate) : null,
    });
    await this.save.execute(tx, loaded, after, [
      { type: 'subscription.updated', metadata: { itemId: id, cancelled: true } },
    ]);
    return this.read.item(tx, id);
  }

  /** Another price or quantity. Immediately: credit and new price are billed at once, as a separate invoice. */
  async change(tx: TenantTx, id: string, wanted: WantedChange) {
    return this.become(tx, await this.locate(tx, id, wanted.pricePlan), wanted);
  }

  /** {@link change} as a part of something larger, which bills it. */
  async changeWithin(tx: TenantTx, id: string, wanted: WantedChange, sold: Sold): Promise<void> {
    await this.agree(tx, await this.locate(tx, id, wanted.pricePlan, sold), wanted);
  }

  private async become(tx: TenantTx, located: Located, wanted: WantedChange) {
    const { json, after } = await this.agree(tx, located, wanted);
    const { item, agreement, zones } = located;
    const change = nextChange(after);
    if (change === null || change.from > dayOf(tx.now, zones.customer)) return json;
    const billedInvoice = await this.billImmediately.execute(tx, {
      subscriptionId: agreement.subscription.id,
      itemIds: [item.id],
      operationId: newUuid(),
    });
    return { ...(await this.read.item(tx, item.id)), billedInvoice };
  }

  private async agree(tx: TenantTx, located: Located, wanted: WantedChange) {
    const { item, agreement, prices, zones, group } = located;
    const terms = await wantedTerms(tx, located, item, wanted);
    const after = changeItem(item, agreement.subscription, prices.priceOf, {
      ...terms,
      now: tx.now,
      zone: zones.customer,
      group,
    });
    const { timing } = terms;
    const pricePlan = terms.pricePlanId ?? item.pricePlanId;
    const json = await this.store(tx, located, after, [
      { type: 'subscription.updated', metadata: { itemId: item.id, pricePlan, timing } },
    ]);
    return { json, after };
  }

  /** @throws DomainError `not_found` unless a change waits for its day */
  async revoke(tx: TenantTx, id: string): Promise<void> {
    const located = await this.locate(tx, id);
    const after = revokeChange(located.item, dayOf(tx.now, located.zones.customer));
    if (!after) throw notFound('A pending change');
    await this.store(tx, located, after, [
      { type: 'subscription.updated', metadata: { itemId: id, pendingChangeRevoked: true } },
    ]);
  }

  /**
   * What an item can be changed to: price plans of its product, or of its product's family, in the same currency, as far
   * as its plan allows; and when.
   */
  async options(tx: TenantTx, id: string) {
    const located = await this.locate(tx, id);
    const { item, prices, zones, agreement } = located;
    const { customerId, status } = agreement.subscription;
    const plan = await planOf(tx, located);
    const behaviour = plan && item.type === 'plan' ? plan.changeBehaviour : 'upgradeable_and_downgradeable';
    const current = prices.priceOf(item.pricePlanId);
    const rows = await this.alternatives(tx, prices.productOf(item.pricePlanId), current.currencyCode);
    const others = await loadPrices(
      tx,
      rows.map((row) => row.id),
    );
    const directed = rows.flatMap((row) => {
      const direction = priceDirection(current, others.priceOf(row.id), item.quantity);
      const isOpen = row.id !== current.id && (row.customerId === null || row.customerId === customerId);
      return isOpen && isAllowed(behaviour, direction) ? [{ id: row.id, direction }] : [];
    });
    const represented = await representPricePlansById(
      tx,
      directed.map((row) => row.id),
    );
    const today = dayOf(tx.now, zones.customer);
    return {
      current: { pricePlan: item.pricePlanId, quantity: item.quantity },
      options: directed.flatMap(({ id: pricePlanId, direction }) => {
        const pricePlan = represented.get(pricePlanId);
        return pricePlan ? [{ ...pricePlan, direction }] : [];
      }),
      quantity: {
        increase: isAllowed(behaviour, 'upgrade'),
        decrease: isAllowed(behaviour, 'downgrade'),
      },
      timings: ['immediately', 'end_of_period', 'custom'],
      credits: [...CHANGE_CREDITS],
      defaultTiming: timingOf(plan),
      endOfPeriod: status === 'active' ? periodEndOf(item, current, today) : null,
    };
  }

  private async alternatives(tx: TenantTx, product: ProductRow, currencyCode: string): Promise<PricePlanRow[]> {
    const { productFamilyId } = product;
    const family =
      productFamilyId === null
        ? [product]
        : await tables.products.find(tx, { productFamilyId, status: 'active' }, { limit: 100 });
    return tables.pricePlans.find(
      tx,
      { status: 'active', currencyCode, productId: [...new Set([product, ...family].map(({ id }) => id))] },
      { orderBy: { createdAt: 'asc', id: 'asc' }, limit: 100 },
    );
  }

  /** The item with its locked subscription. @throws DomainError `not_found`, `unknown_reference` */
  async locate(tx: TenantTx, id: string, pricePlan?: string | null, sold: Sold = 'active'): Promise<Located> {
    const known = await tables.subscriptionItems.get(tx, id);
    if (!known) throw notFound('Subscription item');
    if (pricePlan) await pricePlanFor(tx, known.customerId, pricePlan, 'pricePlan', sold);
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
}
