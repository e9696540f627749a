import { DomainError, isUuid, newUuid, unknownReference } from '@kontor/kernel';
import type { TenantTx } from '@kontor/persistence';
import { Injectable } from '@nestjs/common';
import { representCoupons } from '../catalogue/catalogue.read.js';
import { publishCatalogue } from '../catalogue/publish-catalogue.js';
import type { CouponRow } from '../db/catalogue.row.js';
import * as tables from '../db/tables.js';
import type { NewDiscount } from '../domain/discounts/add-discount.js';
import { type DiscountablePrice, isForPrice } from '../domain/discounts/applied-discount.js';
import { refuseUnredeemable } from '../domain/discounts/redeemable.js';
import { isWithoutEffect } from '../db/without-effect.js';

export interface NamedCoupon {
  /** Code or id. */
  readonly coupon: string;
  /** Where the request names it. */
  readonly propertyPath: string;
}

export interface Redemption {
  readonly couponId: string;
  readonly customerId: string;
  /** Null: reserved for what is not a subscription yet. */
  readonly subscriptionId: string | null;
  /** What it is for: at least one of them must be a price that the coupon is for. */
  readonly prices: readonly DiscountablePrice[];
}

/** Redeems coupons and releases them: whoever sells something asks here, inside the transaction of the sale. */
@Injectable()
export class RedeemCoupons {
  /**
   * Ids of coupons that a request names, by code, whatever its case, else by id; in the order of the names.
   * @throws DomainError `unknown_reference`
   */
  async find(tx: TenantTx, named: readonly NamedCoupon[]): Promise<string[]> {
    const texts = named.map(({ coupon }) => coupon.trim());
    const rows = await tx.query<{ text: string; id: string }>(
      `SELECT x.text, c.id FROM unnest($2::text[]) AS x (text)
       JOIN coupon c ON c.tenant_id = $1 AND upper(c.code) = upper(x.text)`,
      [tx.tenantId, [...new Set(texts)]],
    );
    const byCode = new Map(rows.map(({ text, id }) => [text, id]));
    const ids = texts.filter((text) => !byCode.has(text) && isUuid(text)).map((text) => text.toLowerCase());
    const byId = new Set((await tables.coupons.findByIds(tx, ids)).map(({ id }) => id));
    return texts.map((text, n) => {
      const id = byCode.get(text) ?? text.toLowerCase();
      if (!byCode.has(text) && !byId.has(id)) throw unknownReference(named[n]?.propertyPath ?? 'coupon', 'coupon');
      return id;
    });
  }

  /**
   * Counts one redemption, for one or several lines. The coupon stays locked until the transaction ends, so that
   * nobody exceeds its limits; what is only quoted counts nothing, and waits for nobody who redeems it.
   * @throws DomainError `coupon_disabled`, `coupon_expired`, `coupon_exhausted`, `coupon_not_applicable`
   */
  async redeem(tx: TenantTx, redemption: Redemption): Promise<Omit<NewDiscount, 'sharedId'>> {
    const { customerId, subscriptionId } = redemption;
    const isQuoted = isWithoutEffect(tx);
    const coupon = await tables.coupons.get(tx, redemption.couponId, isQuoted ? {} : { lock: 'update' });
    if (!coupon) throw unknownReference('coupon');
    const byCustomer = await tables.couponRedemptions.count(tx, { couponId: coupon.id, customerId });
    refuseUnredeemable(coupon, byCustomer, tx.now);
    const discount = { ...(await discountOf(tx, coupon)), couponId: coupon.id, redemptionId: newUuid() };
    if (!redemption.prices.some((price) => isForPrice(discount, price)))
      throw new DomainError('coupon_not_applicable', { detail: 'The coupon is not for what is sold here.' });
    if (isQuoted) return discount;
    await tables.couponRedemptions.insert(tx, {
      tenantId: tx.tenantId,
      id: discount.redemptionId,
      couponId: coupon.id,
      customerId,
      subscriptionId,
      createdAt: tx.now,
    });
    await count(tx, coupon, 1, { type: 'coupon.redeemed', customerId, metadata: { subscriptionId } });
    return discount;
  }

  /** Redemptions of which nothing was used vanish. */
  async release(tx: TenantTx, redemptionIds: readonly string[]): Promise<void> {
    if (redemptionIds.length === 0) return;
    const rows = await tables.couponRedemptions.where(tx, 't.id = ANY($2::uuid[]) ORDER BY t.coupon_id', [
      redemptionIds,
    ]);
    for (const { id, couponId, customerId, subscriptionId } of rows) {
      const coupon = await tables.coupons.findOneOrFail(tx, { id: couponId }, { lock: 'update' });
      const there = await tables.couponRedemptions.delete(tx, { id });
      if (there > 0) await count(tx, coupon, -1, { type: 'coupon.released', customerId, metadata: { subscriptionId } });
    }
  }

  /** Those of a draft that is deleted. */
  async releaseSubscription(tx: TenantTx, subscriptionId: string): Promise<void> {
    const rows = await tables.couponRedemptions.find(tx, { subscriptionId });
    await this.release(
      tx,
      rows.map(({ id }) => id),
    );
  }
}

/** The coupon's terms as they are today. */
async function discountOf(tx: TenantTx, coupon: CouponRow): Promise<Pick<NewDiscount, 'terms' | 'products'>> {
  const products = await tables.couponProducts.find(tx, { couponId: coupon.id });
  const named = (wanted: boolean): string[] =>
    products.filter(({ included }) => included === wanted).map(({ productId }) => productId);
  return {
    terms: {
      name: coupon.name,
      type: coupon.type,
      percentage: coupon.percentage,
      fixedAmount: coupon.fixedAmountMinor === null ? null : Number(coupon.fixedAmountMinor),
      currencyCode: coupon.currencyCode,
      frequency: coupon.frequency,
      frequencyInterval: coupon.frequencyInterval,
    },
    products: products.length === 0 ? null : { include: named(true), exclude: named(false) },
  };
}

interface Counted {
  readonly type: 'coupon.redeemed' | 'coupon.released';
  readonly customerId: string;
  readonly metadata: Record<string, unknown>;
}

async function count(tx: TenantTx, before: CouponRow, by: 1 | -1, notice: Counted): Promise<void> {
  const coupon = { ...before, redemptions: before.redemptions + by, version: before.version + 1 };
  await tables.coupons.update(tx, coupon, ['redemptions', 'version']);
  const [object = {}] = await representCoupons(tx, [coupon]);
  const { code } = coupon;
  const isLast = by > 0 && coupon.redemptions === coupon.maxRedemptions;
  await publishCatalogue(
    tx,
    'coupon',
    coupon,
    object,
    { ...notice, key: 'coupon', metadata: { code, ...notice.metadata } },
    isLast ? { type: 'coupon.exhausted', key: 'coupon', metadata: { code } } : undefined,
  );
}
