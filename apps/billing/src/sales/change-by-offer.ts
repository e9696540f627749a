import type { OfferTerms } from '@kontor/contracts';
import { type Day, dayOf, startOfDay, unknownReference, validationFailed } from '@kontor/kernel';
import type { TenantTx } from '@kontor/persistence';
import { Injectable } from '@nestjs/common';
import * as tables from '../db/tables.js';
import { revokeCancellation } from '../domain/subscriptions/cancel.js';
import { contractTermEnd } from '../domain/subscriptions/contract-terms.js';
import { isCancellationPending } from '../domain/subscriptions/subscription.js';
import { itemsOf } from '../subscriptions/agreement.js';
import { ChangeAgreement } from '../subscriptions/change-agreement.js';
import { ChangeItems } from '../subscriptions/change-items.js';
import { ChangeSubscription } from '../subscriptions/change-subscription.js';
import type { Sold } from '../subscriptions/references.js';

export interface ChangedByOffer {
  readonly subscriptionId: string;
  /** Items with another price or quantity, and further ones. */
  readonly itemIds: readonly string[];
  /** First day of the change. */
  readonly from: Day;
  readonly zone: string;
  /** Whether its next term begins with it. */
  readonly isRenewed: boolean;
}

/** An expansion or a renewal: what the offer says, from its day on. */
@Injectable()
export class ChangeByOffer {
  constructor(
    private readonly change: ChangeAgreement,
    private readonly subscriptions: ChangeSubscription,
    private readonly items: ChangeItems,
  ) {}

  /** @throws DomainError `validation_failed`, `unknown_reference`, and what changing a subscription refuses */
  async execute(tx: TenantTx, terms: OfferTerms, sold: Sold): Promise<ChangedByOffer> {
    const known = terms.subscriptionId === null ? null : await tables.subscriptions.get(tx, terms.subscriptionId);
    if (known?.customerId !== terms.customerId) throw unknownReference('subscription');
    if (terms.plan !== null)
      throw validationFailed('plan', 'A plan is sold by an offer of new business only.', 'not_allowed');
    const { timeZone: zone } = await tables.customers.findOneOrFail(tx, { id: known.customerId });
    const today = dayOf(tx.now, zone);
    const wanted = terms.startsOn ?? (terms.dealType === 'renewal' ? contractTermEnd(known, tx.now, zone) : null);
    const from = wanted !== null && wanted > today ? wanted : today;
    const isRenewed = terms.dealType === 'renewal';
    if (isRenewed) await this.renew(tx, known.id, terms, from);
    const before = await itemsOf(tx, known.id);
    const changed = await this.changeItems(tx, { ...terms, subscriptionId: known.id }, { from, today, zone, sold });
    const ids = new Set(before.map(({ id }) => id));
    const added = (await itemsOf(tx, known.id)).filter(({ id }) => !ids.has(id));
    return { subscriptionId: known.id, itemIds: [...changed, ...added.map(({ id }) => id)], from, zone, isRenewed };
  }

  /** A cancellation that waits for its day is revoked; the next term begins on the day. */
  private async renew(tx: TenantTx, id: string, { period }: OfferTerms, from: Day): Promise<void> {
    await this.change.execute(tx, id, ({ agreement, prices, zones }) => {
      const zone = zones.customer;
      const isPending = isCancellationPending(agreement.subscription);
      const { subscription, items } = isPending
        ? revokeCancellation(agreement, prices.priceOf, tx.now, zone)
        : agreement;
      return {
        agreement: {
          subscription: {
            ...subscription,
            ...(isPending && { cancellationReason: null }),
            contractStart: startOfDay(from, zone),
            contractEnd: null,
            ...period,
          },
          items,
        },
        notices: [
          ...(isPending ? [{ type: 'subscription.cancellation.revoked' } as const] : []),
          { type: 'subscription.updated', metadata: { renewedFrom: from } },
        ],
      };
    });
  }

  private async changeItems(
    tx: TenantTx,
    { subscriptionId, items }: OfferTerms & { readonly subscriptionId: string },
    { from, today, zone, sold }: { from: Day; today: Day; zone: string; sold: Sold },
  ): Promise<string[]> {
    const known = new Map((await itemsOf(tx, subscriptionId)).map((item) => [item.id, item]));
    const begins = startOfDay(from, zone).toISOString();
    const when = from > today ? { timing: 'custom' as const, changeDate: begins } : { timing: 'immediately' as const };
    const changed: string[] = [];
    for (const { subscriptionItem, pricePlan, quantity } of items) {
      if (subscriptionItem === null) continue;
      const item = known.get(subscriptionItem);
      if (!item || item.status === 'terminated') throw unknownReference('subscriptionItem', 'item of the subscription');
      if (item.pricePlanId === pricePlan && item.quantity === quantity) continue;
      const wanted = { quantity, ...(item.pricePlanId !== pricePlan && { pricePlan }), ...when };
      await this.items.changeWithin(tx, item.id, wanted, sold);
      changed.push(item.id);
    }
    const further = items.filter(({ subscriptionItem }) => subscriptionItem === null);
    if (further.length > 0) {
      const added = further.map(({ pricePlan, quantity, name, description }) => ({
        pricePlan,
        quantity,
        name,
        description,
        startDate: begins,
      }));
      await this.subscriptions.addProducts(tx, subscriptionId, { items: added }, sold);
    }
    return changed;
  }
}
