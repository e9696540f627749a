import type { OnSale, OnSaleRequest } from '@kontor/contracts';
import { Database } from '@kontor/persistence';
import { Injectable } from '@nestjs/common';
import type { PricePlanRow } from '../db/catalogue.row.js';
import * as tables from '../db/tables.js';

/** What anybody, or a customer, could buy of the price plans and plans that a seller names. */
@Injectable()
export class ReadOnSale {
  constructor(private readonly database: Database) {}

  execute(tenantId: string, { pricePlans, plans, ...buyer }: OnSaleRequest): Promise<OnSale[]> {
    const customerId = buyer.customerId ?? null;
    return this.database.tenant(
      tenantId,
      async (tx) => {
        const known = await tables.plans.findByIds(tx, plans);
        const planIds = known.map(({ id }) => id);
        const bundled = planIds.length === 0 ? [] : await tables.planItems.find(tx, { planId: planIds });
        const ids = [...pricePlans, ...bundled.map(({ pricePlanId }) => pricePlanId)];
        const prices = new Map((await tables.pricePlans.findByIds(tx, ids)).map((price) => [price.id, price]));
        const partsOf = Map.groupBy(bundled, ({ planId }) => planId);
        return [
          ...pricePlans.flatMap((id) => {
            const price = prices.get(id);
            return price && isFor(price, customerId) ? [saleOf(id, [price], customerId)] : [];
          }),
          ...known.map(({ id, status }) => {
            const parts = (partsOf.get(id) ?? []).flatMap(({ pricePlanId }) => prices.get(pricePlanId) ?? []);
            const sale = saleOf(id, parts, customerId);
            return { ...sale, isActive: sale.isActive && status === 'active' };
          }),
        ];
      },
      { readOnly: true },
    );
  }
}

const isFor = (price: PricePlanRow, customerId: string | null): boolean =>
  price.customerId === null || price.customerId === customerId;

const saleOf = (id: string, prices: readonly PricePlanRow[], customerId: string | null): OnSale => ({
  id,
  isActive: prices.every((price) => price.status === 'active' && isFor(price, customerId)),
  currencyCodes: [...new Set(prices.map(({ currencyCode }) => currencyCode))],
});
