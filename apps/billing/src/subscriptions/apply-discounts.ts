import { DomainError, invariant, newUuid, validationFailed } from '@kontor/kernel';
import type { TenantTx } from '@kontor/persistence';
import { Injectable } from '@nestjs/common';
import { discountTermsOf } from '../catalogue/discount-input.js';
import { type NamedCoupon, RedeemCoupons } from '../coupons/redeem-coupons.js';
import type { SubscriptionItemRow } from '../db/subscription-item.row.js';
import { addDiscount, canHave, hasCoupon, type NewDiscount } from '../domain/discounts/add-discount.js';
import type { PriceOf } from '../domain/subscriptions/subscription.js';
import { textOrNull } from '../fields.js';
import type { NewDiscountDto } from './subscription.dto.js';

export interface DiscountOwner {
  readonly customerId: string;
  readonly subscriptionId: string;
}

/** An item that names a coupon, and where the request does so. */
export interface WantedCoupon extends NamedCoupon {
  readonly itemId: string;
}

/** Gives items their discounts: with coupons, which are redeemed, and by hand. */
@Injectable()
export class ApplyDiscounts {
  constructor(private readonly coupons: RedeemCoupons) {}

  /**
   * Coupons that items name. One that several of them name is redeemed once.
   * @throws DomainError what redeeming refuses; `already_exists` for a coupon that an item has
   */
  async couponsOfItems(
    tx: TenantTx,
    owner: DiscountOwner,
    items: readonly SubscriptionItemRow[],
    wanted: readonly WantedCoupon[],
    priceOf: PriceOf,
  ): Promise<SubscriptionItemRow[]> {
    if (wanted.length === 0) return [...items];
    const couponIds = await this.coupons.find(tx, wanted);
    const byCoupon = Map.groupBy(wanted.keys(), (n) => couponIds[n] as string);
    const after = new Map(items.map((item) => [item.id, item]));
    // Always in the same order, so that requests do not wait for each other in a circle.
    for (const [couponId, places] of [...byCoupon].sort(([a], [b]) => (a < b ? -1 : 1))) {
      const wants = places.map((n) => wanted[n] as WantedCoupon);
      const [{ propertyPath }] = wants as [WantedCoupon];
      const named = wants.map(({ itemId }) => after.get(itemId) as SubscriptionItemRow);
      const prices = named.map((item) => priceOf(item.pricePlanId));
      const discount = await this.coupons.redeem(tx, { ...owner, couponId, prices });
      for (const item of named) {
        if (hasCoupon(item, couponId)) throw hasItAlready(propertyPath);
        if (!canHave(item, discount, priceOf(item.pricePlanId))) throw notForItem(propertyPath);
        after.set(item.id, addDiscount(item, { ...discount, sharedId: null }, { id: newUuid(), now: tx.now }));
      }
    }
    return [...after.values()];
  }

  /** A coupon for all lines of a subscription that it is for, redeemed once. */
  async couponOfSubscription(
    tx: TenantTx,
    owner: DiscountOwner,
    items: readonly SubscriptionItemRow[],
    coupon: string,
    priceOf: PriceOf,
  ): Promise<SubscriptionItemRow[]> {
    const [couponId = ''] = await this.coupons.find(tx, [{ coupon, propertyPath: 'coupon' }]);
    const without = items.filter((item) => item.status !== 'terminated' && !hasCoupon(item, couponId));
    if (without.length === 0 && items.length > 0) throw hasItAlready('coupon');
    const prices = without.map((item) => priceOf(item.pricePlanId));
    const discount = await this.coupons.redeem(tx, { ...owner, couponId, prices });
    const chosen = new Set(without.map(({ id }) => id));
    return shared(
      tx,
      items,
      discount,
      (item) => chosen.has(item.id) && canHave(item, discount, priceOf(item.pricePlanId)),
    );
  }

  /** What an operation names, a coupon or a discount by hand, on one item. */
  async toItem(
    tx: TenantTx,
    owner: DiscountOwner,
    item: SubscriptionItemRow,
    body: NewDiscountDto,
    priceOf: PriceOf,
  ): Promise<SubscriptionItemRow> {
    if (item.status === 'terminated')
      throw new DomainError('invalid_status_transition', { detail: 'An item that has ended gets no discounts.' });
    if (body.coupon) {
      refuseTermsBesideCoupon(body);
      const wanted = [{ itemId: item.id, coupon: body.coupon, propertyPath: 'coupon' }];
      const [after] = await this.couponsOfItems(tx, owner, [item], wanted, priceOf);
      invariant(after, 'an item stays');
      return after;
    }
    const discount = byHand(body);
    if (!canHave(item, discount, priceOf(item.pricePlanId))) throw otherCurrency();
    return addDiscount(item, discount, { id: newUuid(), now: tx.now });
  }

  /** The same on all items of a subscription that it is for. */
  async toSubscription(
    tx: TenantTx,
    owner: DiscountOwner,
    items: readonly SubscriptionItemRow[],
    body: NewDiscountDto,
    priceOf: PriceOf,
  ): Promise<SubscriptionItemRow[]> {
    if (body.coupon) {
      refuseTermsBesideCoupon(body);
      return this.couponOfSubscription(tx, owner, items, body.coupon, priceOf);
    }
    const discount = byHand(body);
    const isFor = (item: SubscriptionItemRow): boolean => canHave(item, discount, priceOf(item.pricePlanId));
    if (!items.some(isFor)) throw otherCurrency();
    return shared(tx, items, discount, isFor);
  }
}

/** Lines that got a discount together share it: a line that is added later joins them. */
function shared(
  tx: TenantTx,
  items: readonly SubscriptionItemRow[],
  discount: Omit<NewDiscount, 'sharedId'>,
  isFor: (item: SubscriptionItemRow) => boolean,
): SubscriptionItemRow[] {
  const sharedId = discount.redemptionId ?? newUuid();
  return items.map((item) =>
    isFor(item) ? addDiscount(item, { ...discount, sharedId }, { id: newUuid(), now: tx.now }) : item,
  );
}

/** A discount without a coupon. @throws DomainError `validation_failed` */
function byHand(body: NewDiscountDto): NewDiscount {
  const { type, frequency } = body;
  const name = textOrNull(body.name);
  if (!type || name === null) {
    const missing = type ? 'name' : 'coupon';
    const message = type ? 'name is required.' : 'A coupon, or name, type and frequency, are required.';
    throw validationFailed(missing, message, 'required');
  }
  if (!frequency) throw validationFailed('frequency', 'frequency is required.', 'required');
  const { fixedAmountMinor, percentage, currencyCode, frequencyInterval } = discountTermsOf({
    ...body,
    type,
    frequency,
  });
  return {
    terms: {
      name,
      type,
      percentage,
      fixedAmount: fixedAmountMinor === null ? null : Number(fixedAmountMinor),
      currencyCode,
      frequency,
      frequencyInterval,
    },
    products: null,
    couponId: null,
    redemptionId: null,
    sharedId: null,
  };
}

function refuseTermsBesideCoupon({ coupon: _coupon, ...terms }: NewDiscountDto): void {
  const [given] = Object.entries(terms).find(([, value]) => value !== undefined && value !== null) ?? [];
  if (given) throw validationFailed(given, `${given} is not allowed beside a coupon: its terms count.`, 'not_allowed');
}

const notForItem = (propertyPath: string): DomainError =>
  new DomainError('coupon_not_applicable', {
    detail: 'The coupon is not for this item.',
    violations: [{ propertyPath, message: 'The coupon is not for this item.', code: 'coupon_not_applicable' }],
  });

const hasItAlready = (propertyPath: string): DomainError => {
  const message = 'The coupon is applied already.';
  return new DomainError('already_exists', {
    detail: message,
    violations: [{ propertyPath, message, code: 'already_exists' }],
  });
};

const otherCurrency = (): DomainError =>
  validationFailed(
    'fixedAmount.currencyCode',
    'fixedAmount must have the currency of the price plan.',
    'currency_mismatch',
  );
