import { invariant } from '@kontor/kernel';
import type { TenantTx } from '@kontor/persistence';
import { In } from 'typeorm';
import { PricePlanRow, ProductRow } from '../db/catalogue.row.js';
import type { ItemPrice, PriceOf } from '../domain/subscriptions/subscription.js';

/** Price plans with their products, loaded once for a unit of work. */
export interface Prices {
  readonly priceOf: PriceOf;
  readonly planOf: (pricePlanId: string) => PricePlanRow;
  readonly productOf: (pricePlanId: string) => ProductRow;
  readonly has: (pricePlanId: string) => boolean;
}

/** Loads the named price plans and their products in two queries. A one-time product is charged once, at its start. */
export async function loadPrices(tx: TenantTx, ids: readonly (string | null)[]): Promise<Prices> {
  const wanted = [...new Set(ids.filter((id): id is string => id !== null))];
  const plans = wanted.length === 0 ? [] : await tx.manager.findBy(PricePlanRow, { tenantId: tx.tenantId, id: In(wanted) });
  const productIds = [...new Set(plans.map((plan) => plan.productId))];
  const products = productIds.length === 0 ? [] : await tx.manager.findBy(ProductRow, { tenantId: tx.tenantId, id: In(productIds) });
  const productById = new Map(products.map((product) => [product.id, product]));
  const found = new Map(
    plans.map((plan) => {
      const product = productById.get(plan.productId);
      invariant(product, `the product of price plan ${plan.id} exists`);
      return [plan.id, { plan, product, price: { ...plan, oneTime: product.type === 'charge' } as ItemPrice }];
    }),
  );
  const get = (id: string) => {
    const entry = found.get(id);
    invariant(entry, `price plan ${id} is loaded`);
    return entry;
  };
  return { priceOf: (id) => get(id).price, planOf: (id) => get(id).plan, productOf: (id) => get(id).product, has: (id) => found.has(id) };
}
