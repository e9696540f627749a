import { DomainError, newUuid, parseInterval, unknownReference, validationFailed } from '@kontor/kernel';
import { Replicas, type TenantTx } from '@kontor/persistence';
import { Injectable } from '@nestjs/common';
import { textOrNull } from '../fields.js';
import { refuse, violationsOfCustomFields } from '../settings/check-custom-fields.js';
import { RedeemCoupons } from '../coupons/redeem-coupons.js';
import { refusingDuplicates } from '../db/constraints.js';
import { SubscriptionItemRow } from '../db/subscription-item.row.js';
import { shareDiscounts } from '../domain/discounts/add-discount.js';
import { joinFamilies } from '../domain/subscriptions/end-item.js';
import { pricePlansOf } from '../domain/subscriptions/planned-change.js';
import { mustNotBeOffered } from '../domain/subscriptions/subscription.js';
import { alignToGroup } from '../domain/periods/billing-group.js';
import { withoutAnchors } from '../domain/periods/service-periods.js';
import { ApplyDiscounts } from './apply-discounts.js';
import { ChangeAgreement } from './change-agreement.js';
import { mustTakeItems, newItems, wantedCoupons, type WantedItem } from './new-items.js';
import { loadPrices } from '../catalogue/prices.js';
import { addressFor, billingGroupFor, partnerFor, paymentMethodFor, type Sold } from './references.js';
import type { SubscriptionJson } from './subscription.schema.js';
import type { AddProductsDto, SubscriptionDto } from './subscription.dto.js';
import { contractDates } from './contract-dates.js';
import { itemsOf, lockAgreement } from './agreement.js';
import { startAdded } from './start-added.js';
import { SaveAgreement } from './save-agreement.js';

/** Changes of a subscription that leave its status alone. */
@Injectable()
export class ChangeSubscription {
  constructor(
    private readonly replicas: Replicas,
    private readonly change: ChangeAgreement,
    private readonly save: SaveAgreement,
    private readonly discounts: ApplyDiscounts,
    private readonly coupons: RedeemCoupons,
  ) {}

  /** @throws DomainError `not_found`, `invalid_status_transition`, `validation_failed`, `already_exists` (externalId) */
  replace(tx: TenantTx, id: string, body: SubscriptionDto): Promise<SubscriptionJson> {
    return refusingDuplicates({ subscription_external_id_unique: 'externalId' }, () =>
      this.change.execute(tx, id, async ({ agreement: { subscription, items } }) => {
        mustNotBeOffered(subscription);
        refuse(await violationsOfCustomFields(tx, 'subscription', body.customFields ?? null));
        const terms = body.period;
        return {
          agreement: {
            subscription: {
              ...subscription,
              name: textOrNull(body.name),
              externalId: textOrNull(body.externalId),
              poNumber: textOrNull(body.poNumber),
              customFields: body.customFields ?? null,
              partnerId: await partnerFor(tx, body.partner),
              ...contractDates(body),
              ...(terms === undefined
                ? {}
                : {
                    contractPeriodCount: terms ? (terms.contractPeriodCount ?? 1) : null,
                    contractPeriod: terms?.contractPeriod ?? null,
                    cancellationPeriod: terms?.cancellationPeriod ?? null,
                  }),
            },
            items,
          },
          notices: [{ type: 'subscription.updated' }],
        };
      }),
    );
  }

  /** Without an address the customer's default applies. @throws DomainError `unknown_reference` */
  invoiceAddress(tx: TenantTx, id: string, addressId: string | null): Promise<SubscriptionJson> {
    return this.change.execute(tx, id, async ({ agreement: { subscription, items } }) => ({
      agreement: {
        subscription: { ...subscription, invoiceAddressId: await addressFor(tx, subscription.customerId, addressId) },
        items,
      },
      notices: [{ type: 'subscription.invoice_address.updated', metadata: { invoiceAddress: addressId } }],
    }));
  }

  /** Null: the customer's default applies. @throws DomainError `unknown_reference` */
  paymentMethod(tx: TenantTx, id: string, paymentMethodId: string | null): Promise<SubscriptionJson> {
    return this.change.execute(tx, id, async ({ agreement: { subscription, items } }) => ({
      agreement: {
        subscription: {
          ...subscription,
          paymentMethodId: await paymentMethodFor(
            tx,
            this.replicas,
            subscription.customerId,
            paymentMethodId,
            'paymentMethodId',
          ),
        },
        items,
      },
      notices: [{ type: 'subscription.payment_method.updated', metadata: { paymentMethodId } }],
    }));
  }

  /** Aligns what is billed from now on; what is billed already stays. @throws DomainError `unknown_reference`, `invalid_status_transition` */
  async billingGroup(tx: TenantTx, id: string, billingGroupId: string | null): Promise<SubscriptionJson> {
    const loaded = await lockAgreement(tx, this.replicas, id);
    const { subscription, items } = loaded.agreement;
    mustNotBeOffered(subscription);
    const group = await billingGroupFor(tx, subscription.customerId, billingGroupId);
    const aligned = items.map((item): SubscriptionItemRow => {
      const from = item.billedTo ?? item.startOn;
      if (from === null || item.status === 'terminated') return item;
      const { billingInterval } = loaded.prices.priceOf(item.pricePlanId);
      return { ...item, anchorOn: group ? alignToGroup(group, from, parseInterval(billingInterval)) : item.anchorOn };
    });
    const pauses = group ? withoutAnchors(subscription.pauses) : subscription.pauses;
    const after = { subscription: { ...subscription, billingGroupId: group?.id ?? null, pauses }, items: aligned };
    return this.save.execute(tx, { ...loaded, group }, after, [
      { type: 'subscription.billing_group.updated', metadata: { billingGroup: billingGroupId } },
    ]);
  }

  /**
   * Further items for a subscription that has not ended.
   * @throws DomainError `invalid_status_transition`, `unknown_reference`, `too_many_items`
   */
  async addProducts(tx: TenantTx, id: string, body: AddProductsDto, sold: Sold = 'active'): Promise<SubscriptionJson> {
    const wanted = itemsToAdd(body);
    const loaded = await lockAgreement(tx, this.replicas, id);
    const { subscription } = loaded.agreement;
    if (!['draft', 'active', 'paused'].includes(subscription.status)) {
      throw new DomainError('invalid_status_transition', {
        detail: `A subscription in status ${subscription.status} gets no further items.`,
      });
    }
    const known = await itemsOf(tx, id);
    mustTakeItems(known, wanted.length);
    for (const [n, { parent }] of wanted.entries())
      if (parent && !known.some(({ id: itemId, status }) => itemId === parent && status !== 'terminated'))
        throw unknownReference(body.items ? `items[${n}].parent` : 'parent', 'item of the subscription');
    const kind = { type: 'addon', firstRanking: (known.at(-1)?.ranking ?? -1) + 1 } as const;
    const added = await newItems(tx, subscription, wanted, kind, sold);
    const prices = await loadPrices(tx, [...known, ...added].flatMap(pricePlansOf));
    const owner = { customerId: subscription.customerId, subscriptionId: id };
    const coupons = wantedCoupons(added, wanted, (n) => (body.items ? `items[${n}].coupon` : 'coupon'));
    const discounted = (await this.discounts.couponsOfItems(tx, owner, added, coupons, prices.priceOf)).map((item) =>
      shareDiscounts(item, known, prices.priceOf(item.pricePlanId), newUuid),
    );
    const started =
      subscription.status === 'draft'
        ? discounted
        : discounted.map((item) => startAdded(item, { ...loaded, prices }, tx.now));
    const after = joinFamilies({ subscription, items: known }, started, {
      priceOf: prices.priceOf,
      now: tx.now,
      zone: loaded.zones.customer,
    });
    return this.save.execute(tx, { ...loaded, prices }, after, [
      ...added.map((item) => ({
        type: 'subscription.item.added' as const,
        metadata: { itemId: item.id, pricePlan: item.pricePlanId, quantity: item.quantity },
      })),
    ]);
  }

  /** Only drafts vanish; everything else has a history. @throws DomainError `not_found`, `subscription_not_draft` */
  async remove(tx: TenantTx, id: string): Promise<void> {
    const loaded = await lockAgreement(tx, this.replicas, id);
    const { subscription } = loaded.agreement;
    if (subscription.status !== 'draft')
      throw new DomainError('subscription_not_draft', {
        detail: `Only drafts can be deleted; the status is ${subscription.status}.`,
      });
    await this.coupons.releaseSubscription(tx, id);
    await this.save.remove(tx, subscription);
  }
}

/** @throws DomainError `validation_failed` when neither a list nor a single item is named, or both are. */
function itemsToAdd({ items, ...single }: AddProductsDto): WantedItem[] {
  if (items) {
    const [lost] = Object.entries(single).find(([, value]) => value !== undefined && value !== null) ?? [];
    if (lost !== undefined) throw validationFailed(lost, `With items, ${lost} stands in each of them.`, 'not_allowed');
    return items;
  }
  const { pricePlan } = single;
  if (!pricePlan) throw validationFailed('items', 'items or pricePlan is required.', 'required');
  return [{ ...single, pricePlan }];
}
