import { newUuid, unknownReference, validationFailed } from '@kontor/kernel';
import { Replicas, type TenantTx } from '@kontor/persistence';
import { Injectable } from '@nestjs/common';
import * as tables from '../db/tables.js';
import { textOrNull } from '../fields.js';
import { refuse, violationsOfCustomFields } from '../settings/check-custom-fields.js';
import type { PlanRow } from '../db/catalogue.row.js';
import { refusingDuplicates } from '../db/constraints.js';
import { nextNumber } from '../db/number-series.js';
import type { SubscriptionItemRow } from '../db/subscription-item.row.js';
import { SubscriptionRow } from '../db/subscription.row.js';
import { activate } from '../domain/subscriptions/activate.js';
import type { PriceOf } from '../domain/subscriptions/subscription.js';
import { lockAccount, type StoredAgreement, zonesOf } from './agreement.js';
import { ApplyDiscounts } from './apply-discounts.js';
import { mustTakeItems, newItems, wantedCoupons } from './new-items.js';
import { loadPrices } from '../catalogue/prices.js';
import { addressFor, billingGroupFor, customerFor, paymentMethodFor } from './references.js';
import type { SubscriptionJson } from './subscription.schema.js';
import { SaveAgreement, type SubscriptionNotice } from './save-agreement.js';
import type { NewSubscriptionDto } from './subscription.dto.js';

const date = (text: string | null | undefined): Date | null => (text ? new Date(text) : null);

interface NewItems {
  readonly fromPlan: readonly SubscriptionItemRow[];
  readonly added: readonly SubscriptionItemRow[];
}

/**
 * Creates a subscription from a plan, from single items, or from both; active at once where wanted.
 * @throws DomainError `unknown_reference`, `validation_failed`, `too_many_items`, `already_exists` (externalId),
 * `customer_archived`, and what redeeming a coupon refuses
 */
@Injectable()
export class CreateSubscription {
  constructor(
    private readonly replicas: Replicas,
    private readonly save: SaveAgreement,
    private readonly discounts: ApplyDiscounts,
  ) {}

  async execute(tx: TenantTx, body: NewSubscriptionDto): Promise<SubscriptionJson> {
    const customer = await customerFor(tx, body.customer);
    const plan = body.plan ? await this.planFor(tx, body.plan) : null;
    refuse(await violationsOfCustomFields(tx, 'subscription', body.customFields ?? null));
    const group = await billingGroupFor(tx, customer.id, body.billingGroup);
    const draft = await this.draft(tx, body, customer.id, plan, group?.id ?? null);
    const wanted = await this.items(tx, draft, plan, body);
    const zones = await zonesOf(tx, this.replicas, customer);
    const prices = await loadPrices(
      tx,
      [...wanted.fromPlan, ...wanted.added].map((item) => item.pricePlanId),
    );
    const items = await this.discounted(tx, draft, wanted, body, prices.priceOf);
    const notices: SubscriptionNotice[] = [{ type: 'subscription.created' }];
    let agreement: StoredAgreement = { subscription: draft, items };
    if (body.activate) {
      agreement = activate(agreement, prices.priceOf, {
        now: tx.now,
        zone: zones.customer,
        trialDays: null,
        billingStart: null,
        group,
      });
      notices.push({ type: 'subscription.activated' });
    }
    draft.number = await nextNumber(tx, 'subscription');
    agreement = { ...agreement, subscription: { ...agreement.subscription, number: draft.number } };
    return refusingDuplicates({ subscription_external_id_unique: 'externalId' }, () =>
      this.save.execute(tx, { customer, group, prices, zones }, agreement, notices),
    );
  }

  /** The items with the discounts of the coupons that they or the subscription name. */
  private async discounted(
    tx: TenantTx,
    { id: subscriptionId, customerId }: SubscriptionRow,
    { fromPlan, added }: NewItems,
    body: NewSubscriptionDto,
    priceOf: PriceOf,
  ): Promise<SubscriptionItemRow[]> {
    const items = [...fromPlan, ...added];
    const wanted = wantedCoupons(added, body.items ?? [], (n) => `items[${n}].coupon`);
    if (wanted.length === 0 && !body.coupon) return items;
    await lockAccount(tx, customerId);
    const owner = { customerId, subscriptionId };
    const discounted = await this.discounts.couponsOfItems(tx, owner, items, wanted, priceOf);
    return body.coupon ? this.discounts.couponOfSubscription(tx, owner, discounted, body.coupon, priceOf) : discounted;
  }

  private async planFor(tx: TenantTx, id: string): Promise<PlanRow> {
    const plan = await tables.plans.get(tx, id);
    if (!plan) throw unknownReference('plan');
    if (plan.status !== 'active')
      throw validationFailed('plan', `plan must be active; its status is ${plan.status}.`, 'not_active');
    return plan;
  }

  private async items(
    tx: TenantTx,
    owner: SubscriptionRow,
    plan: PlanRow | null,
    body: NewSubscriptionDto,
  ): Promise<NewItems> {
    const bundled = plan ? await tables.planItems.find(tx, { planId: plan.id }, { orderBy: { ranking: 'asc' } }) : [];
    const wanted = body.items ?? [];
    if (bundled.length + wanted.length === 0)
      throw validationFailed(
        plan ? 'plan' : 'items',
        'A plan with prices, or at least one item, is required.',
        'required',
      );
    mustTakeItems([], bundled.length + wanted.length);
    const fromPlan = await newItems(
      tx,
      owner,
      bundled.map((item) => ({ pricePlan: item.pricePlanId, quantity: item.quantity })),
      { type: 'plan', firstRanking: 0 },
    );
    const added = await newItems(tx, owner, wanted, {
      type: plan ? 'addon' : 'product',
      firstRanking: fromPlan.length,
    });
    return { fromPlan, added };
  }

  private async draft(
    tx: TenantTx,
    body: NewSubscriptionDto,
    customerId: string,
    plan: PlanRow | null,
    billingGroupId: string | null,
  ): Promise<SubscriptionRow> {
    const terms = body.period ?? plan?.period ?? null;
    const contractStart = date(body.contractDetails?.contractStart);
    const contractEnd = date(body.contractDetails?.contractEnd);
    if (contractStart && contractEnd && contractEnd <= contractStart)
      throw validationFailed(
        'contractDetails.contractEnd',
        'contractEnd must be later than contractStart.',
        'not_later',
      );
    return Object.assign(new SubscriptionRow(), {
      tenantId: tx.tenantId,
      id: newUuid(),
      version: 0,
      number: '',
      externalId: textOrNull(body.externalId),
      customerId,
      planId: plan?.id ?? null,
      name: textOrNull(body.name),
      status: 'draft',
      billingGroupId,
      paymentMethodId: await paymentMethodFor(tx, this.replicas, customerId, body.paymentMethod, 'paymentMethod'),
      invoiceAddressId: await addressFor(tx, customerId, body.invoiceAddress),
      poNumber: textOrNull(body.poNumber),
      customFields: body.customFields ?? null,
      contractStart,
      contractEnd,
      contractPeriodCount: terms ? (terms.contractPeriodCount ?? 1) : null,
      contractPeriod: terms?.contractPeriod ?? null,
      cancellationPeriod: terms?.cancellationPeriod ?? null,
      billingStart: date(body.billingStart),
      trialDays: body.trialDays ?? 0,
      trialEndsOn: null,
      trialEndedAt: null,
      anchorOn: null,
      pauses: [],
      activatedAt: null,
      cancellationDate: null,
      cancelledAt: null,
      cancellationReason: null,
      terminatedAt: null,
      endsOn: null,
      createdAt: tx.now,
      updatedAt: tx.now,
    } satisfies SubscriptionRow);
  }
}
