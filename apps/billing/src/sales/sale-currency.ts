import type { SaleRequest } from '@kontor/contracts';
import type { TenantTx } from '@kontor/persistence';
import * as tables from '../db/tables.js';

/** What all that is sold is priced in; null where it is several: then nothing says which one the buyer wants. */
export async function currencyOf(
  tx: TenantTx,
  { plan, items }: Pick<SaleRequest, 'plan' | 'items'>,
): Promise<string | null> {
  const bundled = plan === null ? [] : await tables.planItems.find(tx, { planId: plan });
  const prices = await tables.pricePlans.findByIds(tx, [
    ...items.map(({ pricePlan }) => pricePlan),
    ...bundled.map(({ pricePlanId }) => pricePlanId),
  ]);
  const [currencyCode, ...others] = new Set(prices.map((price) => price.currencyCode));
  return others.length === 0 ? (currencyCode ?? null) : null;
}
