import type { UsageMetricState } from '@kontor/contracts';
import { exponentOf } from '@kontor/money';
import { invariant } from '@kontor/kernel';
import type { TenantTx } from '@kontor/persistence';
import { In } from 'typeorm';
import {
  type BillingGroupRow,
  MeasurementRow,
  PlanItemRow,
  type PlanRow,
  PricePlanRow,
  ProductFamilyRow,
  ProductRow,
  TaxGroupRow,
  UnitRow,
} from '../db/catalogue.row.js';
import { representCustomersById } from '../customers/customer.read.js';
import {
  type BillingGroupJson,
  type MeasurementJson,
  type PlanJson,
  type PricePlanJson,
  type ProductJson,
  representBillingGroup,
  representFamily,
  representMeasurement,
  representPlan,
  representPricePlan,
  representProduct,
} from './represent-catalogue.js';

type Id = string | null | undefined;
type WithId = { id: string };
type RowClass<R> = new () => R;

/** The named rows of one table by id, in one query; none when no id is given. */
async function byId<R extends WithId>(tx: TenantTx, row: RowClass<R>, ids: readonly Id[]): Promise<Map<string, R>> {
  const wanted = [...new Set(ids.filter((id): id is string => typeof id === 'string'))];
  if (wanted.length === 0) return new Map();
  const rows = await tx.manager.find(row, { where: { tenantId: tx.tenantId, id: In(wanted) } as never });
  return new Map(rows.map((found) => [found.id, found]));
}

const needed = <V>(map: Map<string, V>, id: string, what: string): V => {
  const value = map.get(id);
  invariant(value !== undefined, `${what} ${id} exists`);
  return value;
};
const optional = <V>(map: Map<string, V>, id: string | null): V | undefined => (id === null ? undefined : map.get(id));

export async function representMeasurements(tx: TenantTx, rows: readonly MeasurementRow[]): Promise<MeasurementJson[]> {
  const units = await byId(tx, UnitRow, rows.map((row) => row.unitId)); // prettier-ignore
  return rows.map((row) => representMeasurement(row, optional(units, row.unitId)));
}

const measurementsById = async (tx: TenantTx, ids: readonly Id[]): Promise<Map<string, MeasurementJson>> => {
  const rows = [...(await byId(tx, MeasurementRow, ids)).values()];
  return new Map((await representMeasurements(tx, rows)).map((json) => [json.id, json]));
};

/** Products with what they reference, in a constant number of queries. */
export async function representProducts(tx: TenantTx, rows: readonly ProductRow[]): Promise<ProductJson[]> {
  const taxGroups = await byId(tx, TaxGroupRow, rows.map((row) => row.taxGroupId)); // prettier-ignore
  const families = await byId(tx, ProductFamilyRow, rows.map((row) => row.productFamilyId)); // prettier-ignore
  const units = await byId(tx, UnitRow, rows.map((row) => row.unitId)); // prettier-ignore
  const measurements = await measurementsById(tx, rows.map((row) => row.measurementId)); // prettier-ignore
  return rows.map((row) =>
    representProduct(row, {
      taxGroup: needed(taxGroups, row.taxGroupId, 'tax group'),
      family: optional(families, row.productFamilyId),
      unit: optional(units, row.unitId),
      measurement: optional(measurements, row.measurementId),
    }),
  );
}

const productsById = async (tx: TenantTx, ids: readonly Id[]): Promise<Map<string, ProductJson>> => {
  const rows = [...(await byId(tx, ProductRow, ids)).values()];
  return new Map((await representProducts(tx, rows)).map((json) => [json.id, json]));
};

/** Those of the given price plans that a subscription refers to: they can no longer change. */
export async function pricePlansInUse(tx: TenantTx, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await tx.query<{ id: string }>(
    `select p.id from unnest($2::uuid[]) as p (id)
      where exists (select 1 from subscription_item i where i.tenant_id = $1 and i.price_plan_id = p.id)`,
    [tx.tenantId, ids],
  );
  return new Set(rows.map((row) => row.id));
}

/** Copies of usage metrics: whatever has one of them was made when it was there. */
export async function usageMetricsById(tx: TenantTx, ids: readonly Id[]): Promise<Map<string, UsageMetricState>> {
  const wanted = [...new Set(ids.filter((id) => id !== null))];
  if (wanted.length === 0) return new Map();
  const rows = await tx.query<{ id: string; data: UsageMetricState }>(
    `select id, data from replica where tenant_id = $1 and kind = 'usage_metric' and id = any($2::text[]) and data is not null`,
    [tx.tenantId, wanted],
  );
  return new Map(rows.map((row) => [row.id, row.data]));
}

/** Price plans with product, measurement, customer and `inUse`, in a constant number of queries. */
export async function representPricePlans(tx: TenantTx, rows: readonly PricePlanRow[]): Promise<PricePlanJson[]> {
  const products = await productsById(tx, rows.map((row) => row.productId)); // prettier-ignore
  const measurements = await measurementsById(tx, rows.map((row) => row.measurementId)); // prettier-ignore
  const customers = await representCustomersById(tx, rows.map((row) => row.customerId)); // prettier-ignore
  const inUse = await pricePlansInUse(tx, rows.map((row) => row.id)); // prettier-ignore
  const metrics = await usageMetricsById(tx, rows.map((row) => row.usageMetricId)); // prettier-ignore
  return rows.map((row) =>
    representPricePlan(row, {
      product: needed(products, row.productId, 'product'),
      measurement: needed(measurements, row.measurementId, 'measurement'),
      customer: optional(customers, row.customerId) ?? null,
      usageMetric: optional(metrics, row.usageMetricId),
      inUse: inUse.has(row.id),
      minorPrecision: exponentOf(row.currencyCode),
    }),
  );
}

/** Price plans by id as answers embed them. */
export async function representPricePlansById(tx: TenantTx, ids: readonly Id[]): Promise<Map<string, PricePlanJson>> {
  const rows = [...(await byId(tx, PricePlanRow, ids)).values()];
  return new Map((await representPricePlans(tx, rows)).map((json) => [json.id, json]));
}

/** Plans with family, origin product and priced items, in a constant number of queries. */
export async function representPlans(tx: TenantTx, rows: readonly PlanRow[]): Promise<PlanJson[]> {
  if (rows.length === 0) return [];
  const items = await tx.manager.find(PlanItemRow, {
    where: { tenantId: tx.tenantId, planId: In(rows.map((row) => row.id)) },
    order: { planId: 'ASC', ranking: 'ASC' },
  });
  const families = await byId(tx, ProductFamilyRow, rows.map((row) => row.familyId)); // prettier-ignore
  const origins = await productsById(tx, rows.map((row) => row.originProductId)); // prettier-ignore
  const pricePlans = await representPricePlansById(tx, items.map((item) => item.pricePlanId)); // prettier-ignore
  return rows.map((row) =>
    representPlan(row, {
      family: optional(families, row.familyId),
      originProduct: optional(origins, row.originProductId),
      items: items
        .filter((item) => item.planId === row.id)
        .map((item) => ({ item, pricePlan: needed(pricePlans, item.pricePlanId, 'price plan') })),
    }),
  );
}

/** Families with references to their products, which are listed by name. */
export async function representFamilies(tx: TenantTx, rows: readonly ProductFamilyRow[]): Promise<ReturnType<typeof representFamily>[]> {
  if (rows.length === 0) return [];
  const products = await tx.manager.find(ProductRow, {
    where: { tenantId: tx.tenantId, productFamilyId: In(rows.map((row) => row.id)) },
    order: { name: 'ASC', id: 'ASC' },
  });
  return rows.map((row) => representFamily(row, products.filter((product) => product.productFamilyId === row.id))); // prettier-ignore
}

export async function representBillingGroups(tx: TenantTx, rows: readonly BillingGroupRow[]): Promise<BillingGroupJson[]> {
  const customers = await representCustomersById(tx, rows.map((row) => row.customerId)); // prettier-ignore
  return rows.map((row) => representBillingGroup(row, optional(customers, row.customerId) ?? null));
}
