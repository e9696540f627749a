import type { UsageMetricState } from '@kontor/contracts';
import { DomainError, unknownReference, validationFailed, type Violation } from '@kontor/kernel';
import { exponentOf } from '@kontor/money';
import type { Replicas, TenantTx } from '@kontor/persistence';
import * as tables from '../db/tables.js';
import type { PricePlanRow } from '../db/catalogue.row.js';
import type { GroupPrice, PriceTier, PriceType } from '../domain/rating/price-terms.js';
import { textOrNull } from '../fields.js';
import { refuse } from '../settings/check-custom-fields.js';
import { planViolations } from '../domain/catalogue/price-violations.js';
import { isTieredType } from '../domain/catalogue/tiers.js';
import { QUANTITY } from './seed-catalogue.js';
import type { GroupPriceDto, PricePlanDto, TierDto } from './price-plan.dto.js';
import { pricePlansInUse, representPricePlans } from './catalogue.read.js';
import { type CatalogueResource, optionalReferenceTo, type OwnColumns, referenceTo } from './catalogue-resource.js';

type Columns = OwnColumns<PricePlanRow>;

/** `replicas` knows the usage metrics. */
export const pricePlans = (replicas: Replicas): CatalogueResource<PricePlanRow, PricePlanDto> => ({
  kind: 'price_plan',
  label: 'price plan',
  notices: { key: 'price', created: 'price.created' },
  customerOf: ({ customerId }) => customerId,
  listed: {
    table: tables.pricePlans,
    columns: {
      status: 'status',
      type: 'type',
      currencyCode: 'currency_code',
      product: { sql: 'product_id', type: 'uuid' },
      customer: { sql: 'customer_id', type: 'uuid' },
      createdAt: 'created_at',
    },
    search: ['internal_name'],
  },
  columns: async (tx, body, before) => {
    refuse([...planViolations(body), ...currencyViolations(body)]);
    const usageMetricId = await usageMetricFor(tx, replicas, body, before);
    const columns = await columnsOf(tx, body, usageMetricId, before);
    if (before) await refuseChangeInUse(tx, before, columns);
    return columns;
  },
  represent: representPricePlans,
});

async function columnsOf(
  tx: TenantTx,
  body: PricePlanDto,
  usageMetricId: string | null,
  before: PricePlanRow | null,
): Promise<Columns> {
  const { price, currencyCode } = body;
  const minor = exponentOf(currencyCode);
  const samePrice =
    before !== null &&
    before.priceAmount === (price ? BigInt(price.amount) : null) &&
    before.pricePrecision === (price ? (price.precision ?? minor) : null);
  return {
    productId: await productOf(tx, body, before),
    type: body.type,
    currencyCode,
    priceAmount: price ? BigInt(price.amount) : null,
    pricePrecision: price ? (price.precision ?? minor) : null,
    priceCreatedAt: before?.priceCreatedAt ?? (price ? tx.now : null),
    priceUpdatedAt: price ? (samePrice ? before.priceUpdatedAt : tx.now) : null,
    tiers: isTieredType(body.type) ? (body.tiers ?? []).map((tier) => storedTier(tier, minor)) : [],
    packageSize: body.type === 'package' ? (body.packageSize ?? '100') : null,
    percentage: body.percentage ?? null,
    billingInterval: body.billingInterval,
    showPricePerInterval: body.showPricePerInterval ?? null,
    payInAdvance: usageMetricId === null && (body.payInAdvance ?? true),
    proRata: body.proRata ?? true,
    applyTrial: body.applyTrial ?? true,
    freeUnits: Number(body.freeUnits ?? 0),
    minimumPriceAmount: body.minimumPrice ? BigInt(body.minimumPrice.amount) : null,
    customerId: await optionalReferenceTo(tx, tables.customers, body.customer, 'customer', {
      label: 'customer',
      before: before?.customerId,
    }),
    measurementId: await measurementOf(tx, body, before),
    usageMetricId,
    groupPrices: (body.groupPrices ?? []).map((price) => storedGroupPrice(price, body.type, minor)),
    internalName: textOrNull(body.internalName),
  };
}

const storedTier = (tier: TierDto, minor: number): PriceTier => ({
  upTo: tier.upTo ?? null,
  unitPriceAmount: String(tier.unitPrice?.amount ?? 0),
  unitPricePrecision: tier.unitPrice?.precision ?? minor,
  flatPriceAmount: String(tier.flatPrice?.amount ?? 0),
});

const storedGroupPrice = (dto: GroupPriceDto, type: PriceType, minor: number): GroupPrice => ({
  group: dto.group,
  priceAmount: dto.price ? String(dto.price.amount) : null,
  pricePrecision: dto.price ? (dto.price.precision ?? minor) : null,
  tiers: isTieredType(type) ? (dto.tiers ?? []).map((tier) => storedTier(tier, minor)) : [],
  packageSize: type === 'package' ? (dto.packageSize ?? '100') : null,
  percentage: dto.percentage ?? null,
  freeUnits: Number(dto.freeUnits ?? 0),
});

async function productOf(tx: TenantTx, body: PricePlanDto, before: PricePlanRow | null): Promise<string> {
  const id = await referenceTo(tx, tables.products, body.product, 'product', {
    label: 'product',
    before: before?.productId,
  });
  if (body.usageMetric && (await tables.products.exists(tx, { id, type: 'charge' })))
    throw validationFailed('product', 'product must be a recurring one for a price with a usageMetric.', 'not_allowed');
  return id;
}

/** A plan keeps a metric that was archived since. @throws DomainError `unknown_reference` */
async function usageMetricFor(
  tx: TenantTx,
  replicas: Replicas,
  body: PricePlanDto,
  before: PricePlanRow | null,
): Promise<string | null> {
  if (!body.usageMetric) return null;
  const id = body.usageMetric.toLowerCase();
  const metric = await replicas.get<UsageMetricState>(tx, 'usage_metric', id);
  if (!metric || (metric.status === 'archived' && before?.usageMetricId !== id))
    throw unknownReference('usageMetric', 'usage metric');
  const [wanted] = body.groupPrices ?? [];
  const unknown = Object.keys(wanted?.group ?? {}).find((property) => !metric.groupBy.includes(property));
  if (unknown !== undefined)
    throw validationFailed('groupPrices[0].group', `The usage metric is not grouped by ${unknown}.`, 'invalid_group');
  return id;
}

async function measurementOf(tx: TenantTx, body: PricePlanDto, before: PricePlanRow | null): Promise<string> {
  if (body.measurement)
    return referenceTo(tx, tables.measurements, body.measurement, 'measurement', {
      label: 'measurement',
      before: before?.measurementId,
    });
  const quantity = await tables.measurements.findOne(tx, { code: QUANTITY });
  if (!quantity)
    throw validationFailed(
      'measurement',
      `measurement is required: there is no measurement with code "${QUANTITY}".`,
      'required',
    );
  return quantity.id;
}

/** Prices may name their currency, which then is the plan's: a price plan has one. */
function currencyViolations({ currencyCode, price, minimumPrice, tiers, groupPrices }: PricePlanDto): Violation[] {
  const named: [string, string | null | undefined][] = [
    ['price.currencyCode', price?.currencyCode],
    ['minimumPrice.currencyCode', minimumPrice?.currencyCode],
    ...ofTiers(tiers, ''),
    ...(groupPrices ?? []).flatMap((group, index): [string, string | null | undefined][] => [
      [`groupPrices[${index}].price.currencyCode`, group.price?.currencyCode],
      ...ofTiers(group.tiers, `groupPrices[${index}].`),
    ]),
  ];
  return named
    .filter(([, code]) => code !== undefined && code !== null && code !== currencyCode)
    .map(([propertyPath]) => ({
      propertyPath,
      message: `The currency of the price plan is ${currencyCode}.`,
      code: 'currency_mismatch',
    }));
}

const ofTiers = (tiers: readonly TierDto[] | null | undefined, path: string): [string, string | null | undefined][] =>
  (tiers ?? []).flatMap((tier, index): [string, string | null | undefined][] => [
    [`${path}tiers[${index}].unitPrice.currencyCode`, tier.unitPrice?.currencyCode],
    [`${path}tiers[${index}].flatPrice.currencyCode`, tier.flatPrice?.currencyCode],
  ]);

/** jsonb keeps no order of keys. */
const inOrder = (_key: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort())
    : value;

/** Subscriptions refer to these terms: only the internal name may change then. */
async function refuseChangeInUse(tx: TenantTx, before: PricePlanRow, after: Columns): Promise<void> {
  const comparable = (value: unknown): string =>
    typeof value === 'bigint' ? value.toString() : JSON.stringify(value, inOrder);
  const changed = (Object.keys(after) as (keyof Columns)[]).filter(
    (key) => key !== 'internalName' && comparable(after[key]) !== comparable(before[key as keyof PricePlanRow]),
  );
  if (changed.length === 0 || !(await pricePlansInUse(tx, [before.id])).has(before.id)) return;
  throw new DomainError('price_plan_in_use', {
    detail: `Subscriptions use this price plan: only internalName may change (not ${changed.join(', ')}).`,
  });
}
