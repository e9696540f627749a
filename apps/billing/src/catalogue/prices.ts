import type { UsageMetricState } from '@kontor/contracts';
import { invariant } from '@kontor/kernel';
import type { TenantTx } from '@kontor/persistence';
import * as tables from '../db/tables.js';
import { usageMetricsById } from './catalogue.read.js';
import type { PricePlanRow, ProductRow } from '../db/catalogue.row.js';
import type { Meter } from '../domain/metering/metered.js';
import { isMeteredBy } from '../domain/measurements/measured-quantity.js';
import type { ItemPrice, PriceOf } from '../domain/subscriptions/subscription.js';

/** Price plans with their products, loaded once for a unit of work. */
export interface Prices {
  readonly priceOf: PriceOf;
  readonly planOf: (pricePlanId: string) => PricePlanRow;
  readonly productOf: (pricePlanId: string) => ProductRow;
  readonly has: (pricePlanId: string) => boolean;
}

/** What measures the quantity of items with a price; null: it is agreed. */
function meterOf(
  plan: PricePlanRow,
  metrics: ReadonlyMap<string, UsageMetricState>,
  measurements: ReadonlyMap<string, Meter>,
): Meter | null {
  const { usageMetricId, groupPrices } = plan;
  if (usageMetricId === null) return measurements.get(plan.id) ?? null;
  const metric = metrics.get(usageMetricId);
  const groupBy = Object.keys(groupPrices[0]?.group ?? {}).sort();
  return { source: 'usage', id: usageMetricId, groupBy, name: metric?.name ?? null, unit: metric?.unit ?? null };
}

/** Meters of price plans whose measurement is counted over each period, by price plan. */
async function measurementMeters(tx: TenantTx, plans: readonly PricePlanRow[]): Promise<Map<string, Meter>> {
  const rows = await tables.measurements.findByIds(
    tx,
    plans.map((plan) => plan.measurementId),
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  const metered = plans.flatMap((plan) => {
    const measurement = byId.get(plan.measurementId);
    return measurement && isMeteredBy(measurement, plan.payInAdvance) ? [{ plan, measurement }] : [];
  });
  const units = await tables.units.findByIds(
    tx,
    metered.flatMap(({ measurement }) => measurement.unitId ?? []),
  );
  const nameOf = new Map(units.map((unit) => [unit.id, unit.name]));
  return new Map(
    metered.map(({ plan, measurement: { id, code, description, unitId } }): [string, Meter] => [
      plan.id,
      {
        source: 'measurement',
        id,
        groupBy: [],
        name: description ?? code,
        unit: unitId === null ? null : (nameOf.get(unitId) ?? null),
      },
    ]),
  );
}

/** Loads the named price plans and their products in two queries. A one-time product is charged once, at its start. */
export async function loadPrices(tx: TenantTx, ids: readonly (string | null)[]): Promise<Prices> {
  const plans = await tables.pricePlans.findByIds(
    tx,
    ids.filter((id) => id !== null),
  );
  const products = await tables.products.findByIds(
    tx,
    plans.map((plan) => plan.productId),
  );
  const productById = new Map(products.map((product) => [product.id, product]));
  const metrics = await usageMetricsById(
    tx,
    plans.map((plan) => plan.usageMetricId),
  );
  const measurements = await measurementMeters(tx, plans);
  const found = new Map(
    plans.map((plan) => {
      const product = productById.get(plan.productId);
      invariant(product, `the product of price plan ${plan.id} exists`);
      return [
        plan.id,
        {
          plan,
          product,
          price: {
            ...plan,
            oneTime: product.type === 'charge',
            meter: meterOf(plan, metrics, measurements),
          } as ItemPrice,
        },
      ];
    }),
  );
  const get = (id: string) => {
    const entry = found.get(id);
    invariant(entry, `price plan ${id} is loaded`);
    return entry;
  };
  return {
    priceOf: (id) => get(id).price,
    planOf: (id) => get(id).plan,
    productOf: (id) => get(id).product,
    has: (id) => found.has(id),
  };
}
