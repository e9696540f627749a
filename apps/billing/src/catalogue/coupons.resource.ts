import { discountTermsOf } from './discount-input.js';
import * as tables from '../db/tables.js';
import type { CouponProductRow, CouponRow } from '../db/catalogue.row.js';
import { validationFailed } from '@kontor/kernel';
import type { TenantTx } from '@kontor/persistence';
import { textOrNull } from '../fields.js';
import type { CouponDto } from './coupon.dto.js';
import { representCoupons } from './catalogue.read.js';
import { type CatalogueResource, referenceTo } from './catalogue-resource.js';

export const coupons: CatalogueResource<CouponRow, CouponDto> = {
  kind: 'coupon',
  label: 'coupon',
  constraints: { coupon_code_unique: 'code' },
  notices: {
    key: 'coupon',
    created: 'coupon.created',
    updated: 'coupon.updated',
    archived: 'coupon.archived',
    deleted: 'coupon.deleted',
  },
  listed: {
    table: tables.coupons,
    columns: {
      status: 'status',
      code: 'code',
      name: 'name',
      type: 'type',
      frequency: 'frequency',
      isEnabled: { sql: 'is_enabled', type: 'boolean' },
      createdAt: 'created_at',
    },
    search: ['code', 'name'],
  },
  columns: async (_tx, body, before) => ({
    code: body.code.trim(),
    name: textOrNull(body.name) ?? body.code.trim(),
    ...discountTermsOf(body),
    maxRedemptions: body.maxRedemptions ?? null,
    maxRedemptionsPerCustomer: body.maxRedemptionsPerCustomer ?? null,
    validUntil: body.validUntil ? new Date(body.validUntil) : null,
    isEnabled: body.isEnabled ?? true,
    redemptions: before?.redemptions ?? 0,
  }),
  storeParts: replaceProducts,
  represent: representCoupons,
};

/** Puts the body's products in the place of the stored ones; an archived one may stay where it was. */
async function replaceProducts(tx: TenantTx, { tenantId, id: couponId }: CouponRow, body: CouponDto): Promise<void> {
  const before = new Set((await tables.couponProducts.find(tx, { couponId })).map(({ productId }) => productId));
  const rows = new Map<string, CouponProductRow>();
  for (const [list, ids] of [
    ['include', body.products?.include ?? []],
    ['exclude', body.products?.exclude ?? []],
  ] as const) {
    for (const [n, id] of ids.entries()) {
      const path = `products.${list}[${n}]`;
      const known = before.has(id.toLowerCase()) ? id.toLowerCase() : null;
      const productId = await referenceTo(tx, tables.products, id, path, { label: 'product', before: known });
      const included = list === 'include';
      if (rows.has(productId) && rows.get(productId)?.included !== included)
        throw validationFailed(path, 'A product is either included or excluded.', 'contradiction');
      rows.set(productId, { tenantId, couponId, productId, included });
    }
  }
  await tables.couponProducts.delete(tx, { couponId });
  await tables.couponProducts.insert(tx, [...rows.values()]);
}
