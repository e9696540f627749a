import type { UsageMetricState } from '@kontor/contracts';
import { exponentOf } from '@kontor/money';
import { invariant } from '@kontor/kernel';
import { ReplicaReader, type RowTable, type TenantTx } from '@kontor/persistence';
import * as tables from '../db/tables.js';
import type {
  BillingGroupRow,
  CouponRow,
  MeasurementRow,
  PlanRow,
  PricePlanRow,
  ProductFamilyRow,
  ProductRow,
} from '../db/catalogue.row.js';
import { representCustomersById } from '../customers/customer.read.js';
import {
  representBillingGroup,
  representCoupon,
  representFamily,
  representMeasurement,
  representPlan,
  representPricePlan,
  representProduct,
} from './represent-catalogue.js';
import type {
  BillingGroupJson,
  CouponJson,
  MeasurementJson,
  PlanJson,
  PricePlanJson,
  ProductFamilyJson,
  ProductJson,
} from './catalogue.schema.js';

type Id = string | null | undefined;

/** The named rows of one table by id, in one query; none when no id is given. */
async function byId<R extends { id: string }>(
  tx: TenantTx,
  table: RowTable<R>,
  ids: readonly Id[],
): Promise<Map<string, R>> {
  const rows = await table.findByIds(
    tx,
    ids.filter((id) => typeof id === 'string'),
  );
  return new Map(rows.map((found) => [found.id, found]));
}

const needed = <V>(map: Map<string, V>, id: string, what: string): V => {
  const value = map.get(id);
  invariant(value !== undefined, `${what} ${id} exists`);
  return value;
};
const optional = <V>(map: Map<string, V>, id: string | null): V | undefined => (id === null ? undefined : map.get(id));

export async function representMeasurements(tx: TenantTx, rows: readonly MeasurementRow[]): Promise<MeasurementJson[]> {
  const units = await byId(
    tx,
    tables.units,
    rows.map((row) => row.unitId),
  );
  return rows.map((row) => representMeasurement(row, optional(units, row.unitId)));
}

const measurementsById = async (tx: TenantTx, ids: readonly Id[]): Promise<Map<string, MeasurementJson>> => {
  const rows = [...(await byId(tx, tables.measurements, ids)).values()];
  return new Map((await representMeasurements(tx, rows)).map((json) => [json.id, json]));
};

/** Products with what they reference, in a constant number of queries. */
export async function representProducts(tx: TenantTx, rows: readonly ProductRow[]): Promise<ProductJson[]> {
  const taxGroups = await byId(
    tx,
    tables.taxGroups,
    rows.map((row) => row.taxGroupId),
  );
  const families = await byId(
    tx,
    tables.productFamilies,
    rows.map((row) => row.productFamilyId),
  );
  const units = await byId(
    tx,
    tables.units,
    rows.map((row) => row.unitId),
  );
  const measurements = await measurementsById(
    tx,
    rows.map((row) => row.measurementId),
  );
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
  const rows = [...(await byId(tx, tables.products, ids)).values()];
  return new Map((await representProducts(tx, rows)).map((json) => [json.id, json]));
};

/** Those of the given price plans that a subscription refers to: they can no longer change. */
export async function pricePlansInUse(tx: TenantTx, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await tx.query<{ id: string }>(
    `SELECT p.id FROM unnest($2::uuid[]) AS p (id)
     WHERE EXISTS (SELECT 1 FROM subscription_item i WHERE i.tenant_id = $1 AND i.price_plan_id = p.id)
       OR EXISTS (SELECT 1 FROM planned_price i WHERE i.tenant_id = $1 AND i.price_plan_id = p.id)
       OR EXISTS (SELECT 1 FROM offered_price i WHERE i.tenant_id = $1 AND i.price_plan_id = p.id)`,
    [tx.tenantId, ids],
  );
  return new Set(rows.map((row) => row.id));
}

/** Copies of usage metrics: a price plan that refers to a metric was created when its copy was there. */
export async function usageMetricsById(tx: TenantTx, ids: readonly Id[]): Promise<Map<string, UsageMetricState>> {
  const wanted = ids.filter((id) => typeof id === 'string');
  const copies = await new ReplicaReader().copies<UsageMetricState>(tx, 'usage_metric', wanted);
  return new Map([...copies].flatMap(([id, { data }]) => (data === null ? [] : [[id, data] as const])));
}

/** Price plans with product, measurement, customer and `inUse`, in a constant number of queries. */
export async function representPricePlans(tx: TenantTx, rows: readonly PricePlanRow[]): Promise<PricePlanJson[]> {
  const products = await productsById(
    tx,
    rows.map((row) => row.productId),
  );
  const measurements = await measurementsById(
    tx,
    rows.map((row) => row.measurementId),
  );
  const customers = await representCustomersById(
    tx,
    rows.map((row) => row.customerId),
  );
  const inUse = await pricePlansInUse(
    tx,
    rows.map((row) => row.id),
  );
  const metrics = await usageMetricsById(
    tx,
    rows.map((row) => row.usageMetricId),
  );
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
  const rows = [...(await byId(tx, tables.pricePlans, ids)).values()];
  return new Map((await representPricePlans(tx, rows)).map((json) => [json.id, json]));
}

/** Plans with family, origin product and priced items, in a constant number of queries. */
export async function representPlans(tx: TenantTx, rows: readonly PlanRow[]): Promise<PlanJson[]> {
  if (rows.length === 0) return [];
  const items = await tables.planItems.find(
    tx,
    { planId: rows.map((row) => row.id) },
    { orderBy: { planId: 'asc', ranking: 'asc' } },
  );
  const families = await byId(
    tx,
    tables.productFamilies,
    rows.map((row) => row.familyId),
  );
  const origins = await productsById(
    tx,
    rows.map((row) => row.originProductId),
  );
  const pricePlans = await representPricePlansById(
    tx,
    items.map((item) => item.pricePlanId),
  );
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
export async function representFamilies(tx: TenantTx, rows: readonly ProductFamilyRow[]): Promise<ProductFamilyJson[]> {
  if (rows.length === 0) return [];
  const products = await tables.products.find(
    tx,
    { productFamilyId: rows.map((row) => row.id) },
    { orderBy: { name: 'asc', id: 'asc' } },
  );
  return rows.map((row) =>
    representFamily(
      row,
      products.filter((product) => product.productFamilyId === row.id),
    ),
  );
}

/** Coupons with the products that they are limited to, in a constant number of queries. */
export async function representCoupons(tx: TenantTx, rows: readonly CouponRow[]): Promise<CouponJson[]> {
  if (rows.length === 0) return [];
  const parts = await tables.couponProducts.find(tx, { couponId: rows.map((row) => row.id) });
  const products = await byId(
    tx,
    tables.products,
    parts.map(({ productId }) => productId),
  );
  const partsOf = Map.groupBy(parts, ({ couponId }) => couponId);
  const named = (couponId: string, wanted: boolean): ProductRow[] =>
    (partsOf.get(couponId) ?? [])
      .filter(({ included }) => included === wanted)
      .map(({ productId }) => needed(products, productId, 'product'))
      .sort((a, b) => (a.name === b.name ? (a.id < b.id ? -1 : 1) : a.name < b.name ? -1 : 1));
  return rows.map((row) => representCoupon(row, { include: named(row.id, true), exclude: named(row.id, false) }));
}

export async function representBillingGroups(
  tx: TenantTx,
  rows: readonly BillingGroupRow[],
): Promise<BillingGroupJson[]> {
  const customers = await representCustomersById(
    tx,
    rows.map((row) => row.customerId),
  );
  return rows.map((row) => representBillingGroup(row, optional(customers, row.customerId) ?? null));
}
