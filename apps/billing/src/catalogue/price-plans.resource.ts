import { DomainError, validationFailed, type Violation } from '@kontor/kernel';
import { exponentOf } from '@kontor/money';
import type { TenantTx } from '@kontor/persistence';
import { MeasurementRow, PricePlanRow, type PricePlanType, ProductRow, type StoredTier } from '../db/catalogue.row.js';
import { CustomerRow } from '../db/customer.row.js';
import { refuse, textOrNull } from '../customers/customer-input.js';
import { priceViolations } from '../domain/catalogue/price-terms.js';
import { isTieredType } from '../domain/catalogue/tiers.js';
import { QUANTITY } from '../settings/tenant-setup.js';
import type { PricePlanDto, TierDto } from './catalogue.dto.js';
import { pricePlansInUse, representPricePlans } from './catalogue.read.js';
import { type CatalogueResource, optionalReferenceTo, type OwnColumns, referenceTo } from './catalogue-resource.js';

type Columns = OwnColumns<PricePlanRow>;

export const pricePlans: CatalogueResource<PricePlanRow, PricePlanDto> = {
  kind: 'price_plan',
  label: 'price plan',
  notices: { key: 'price', created: 'price.created' },
  listed: {
    row: PricePlanRow,
    table: 'price_plan',
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
    if (body.type === 'percentage') {
      throw new DomainError('not_supported_yet', {
        violations: [{ propertyPath: 'type', message: 'Percentage prices are not supported yet.', code: 'not_supported_yet' }],
      });
    }
    refuse([...priceViolations(body), ...currencyViolations(body)]);
    const columns = await columnsOf(tx, { ...body, type: body.type }, before);
    if (before) await refuseChangeInUse(tx, before, columns);
    return columns;
  },
  represent: representPricePlans,
};

async function columnsOf(tx: TenantTx, body: PricePlanDto & { type: PricePlanType }, before: PricePlanRow | null): Promise<Columns> {
  const { price, currencyCode } = body;
  const minor = exponentOf(currencyCode);
  const samePrice =
    before !== null &&
    before.priceAmount === (price ? BigInt(price.amount) : null) &&
    before.pricePrecision === (price ? (price.precision ?? minor) : null);
  return {
    productId: await referenceTo(tx, ProductRow, body.product, 'product', { label: 'product', before: before?.productId }),
    type: body.type,
    currencyCode,
    priceAmount: price ? BigInt(price.amount) : null,
    pricePrecision: price ? (price.precision ?? minor) : null,
    priceCreatedAt: before?.priceCreatedAt ?? (price ? tx.now : null),
    priceUpdatedAt: price ? (samePrice ? before.priceUpdatedAt : tx.now) : null,
    tiers: isTieredType(body.type) ? (body.tiers ?? []).map((tier) => storedTier(tier, minor)) : [],
    packageSize: body.type === 'package' ? (body.packageSize ?? '100') : null,
    billingInterval: body.billingInterval,
    showPricePerInterval: body.showPricePerInterval ?? null,
    payInAdvance: body.payInAdvance ?? true,
    proRata: body.proRata ?? true,
    applyTrial: body.applyTrial ?? true,
    freeUnits: body.freeUnits ?? 0,
    minimumPriceAmount: body.minimumPrice ? BigInt(body.minimumPrice.amount) : null,
    customerId: await optionalReferenceTo(tx, CustomerRow, body.customer, 'customer', { label: 'customer', before: before?.customerId }),
    measurementId: await measurementOf(tx, body, before),
    internalName: textOrNull(body.internalName),
  };
}

const storedTier = (tier: TierDto, minor: number): StoredTier => ({
  upTo: tier.upTo ?? null,
  unitPriceAmount: String(tier.unitPrice?.amount ?? 0),
  unitPricePrecision: tier.unitPrice?.precision ?? minor,
  flatPriceAmount: String(tier.flatPrice?.amount ?? 0),
});

async function measurementOf(tx: TenantTx, body: PricePlanDto, before: PricePlanRow | null): Promise<string> {
  if (body.measurement)
    return referenceTo(tx, MeasurementRow, body.measurement, 'measurement', { label: 'measurement', before: before?.measurementId });
  const quantity = await tx.manager.findOneBy(MeasurementRow, { tenantId: tx.tenantId, code: QUANTITY });
  if (!quantity) throw validationFailed('measurement', `The measurement with code "${QUANTITY}" is gone: name another one.`, 'required');
  return quantity.id;
}

/** Prices may name their currency, which then is the plan's: a price plan has one. */
function currencyViolations({ currencyCode, price, minimumPrice, tiers }: PricePlanDto): Violation[] {
  const named: [string, string | null | undefined][] = [
    ['price.currencyCode', price?.currencyCode],
    ['minimumPrice.currencyCode', minimumPrice?.currencyCode],
    ...(tiers ?? []).flatMap((tier, index): [string, string | null | undefined][] => [
      [`tiers[${index}].unitPrice.currencyCode`, tier.unitPrice?.currencyCode],
      [`tiers[${index}].flatPrice.currencyCode`, tier.flatPrice?.currencyCode],
    ]),
  ];
  return named
    .filter(([, code]) => code !== undefined && code !== null && code !== currencyCode)
    .map(([propertyPath]) => ({ propertyPath, message: `The currency of the price plan is ${currencyCode}.`, code: 'currency_mismatch' }));
}

/** Whoever subscribed did so to these terms: only the internal name may change then. */
async function refuseChangeInUse(tx: TenantTx, before: PricePlanRow, after: Columns): Promise<void> {
  const comparable = (value: unknown): string => (typeof value === 'bigint' ? value.toString() : (JSON.stringify(value) ?? ''));
  const changed = (Object.keys(after) as (keyof Columns)[]).filter(
    (key) => key !== 'internalName' && comparable(after[key]) !== comparable(before[key as keyof PricePlanRow]),
  );
  if (changed.length === 0 || !(await pricePlansInUse(tx, [before.id])).has(before.id)) return;
  throw new DomainError('price_plan_in_use', {
    detail: `Subscriptions use this price plan: only internalName may change (not ${changed.join(', ')}).`,
  });
}
