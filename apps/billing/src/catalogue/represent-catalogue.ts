import type { UsageMetricState } from '@kontor/contracts';
import { money, toMoneyJson, toUnitPriceJson } from '@kontor/money';
import type { CustomerJson } from '../customers/customer.schema.js';
import type {
  BillingGroupRow,
  CouponRow,
  MeasurementRow,
  PlanItemRow,
  PlanRow,
  PricePlanRow,
  ProductFamilyRow,
  ProductRow,
  TaxGroupRow,
  UnitRow,
} from '../db/catalogue.row.js';
import type { GroupPrice, PriceTier } from '../domain/rating/price-terms.js';
import type {
  BillingGroupJson,
  CouponJson,
  MeasurementJson,
  PlanJson,
  PricePlanJson,
  ProductFamilyJson,
  ProductJson,
  UnitJson,
} from './catalogue.schema.js';

type Times = { createdAt: Date; updatedAt: Date };
const times = ({ createdAt, updatedAt }: Times) => ({
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString(),
});

export const representUnit = (unit: UnitRow): UnitJson => ({
  id: unit.id,
  name: unit.name,
  status: unit.status,
  ...times(unit),
});

/** A family where it is embedded; its own answer adds its products. */
export const representFamilyReference = (family: ProductFamilyRow) => ({
  id: family.id,
  name: family.name,
  ...times(family),
});

export const representFamily = (
  family: ProductFamilyRow,
  products: readonly Pick<ProductRow, 'id' | 'name' | 'type' | 'status'>[],
): ProductFamilyJson => ({
  id: family.id,
  name: family.name,
  status: family.status,
  products: products.map(({ id, name, type, status }) => ({ id, name, type, status })),
  ...times(family),
});

export const representMeasurement = (measurement: MeasurementRow, unit: UnitRow | undefined): MeasurementJson => ({
  id: measurement.id,
  code: measurement.code,
  description: measurement.description,
  unit: unit ? representUnit(unit) : null,
  aggregationType: measurement.aggregationType,
  fairBilling: measurement.fairBilling,
  type: measurement.type,
  status: measurement.status,
  ...times(measurement),
});

/** A tax group where it is embedded: the rate follows from customer and group. */
export const representTaxGroupReference = (group: TaxGroupRow) => ({
  id: group.id,
  internalDescription: group.internalDescription,
  reverseChargeType: group.reverseChargeType,
  type: group.type,
});

export interface ProductParts {
  readonly taxGroup: TaxGroupRow;
  readonly family: ProductFamilyRow | undefined;
  readonly unit: UnitRow | undefined;
  readonly measurement: MeasurementJson | undefined;
}

export const representProduct = (product: ProductRow, parts: ProductParts): ProductJson => ({
  id: product.id,
  name: product.name,
  type: product.type,
  status: product.status,
  taxGroup: representTaxGroupReference(parts.taxGroup),
  productFamily: parts.family ? representFamilyReference(parts.family) : null,
  unit: parts.unit ? representUnit(parts.unit) : null,
  measurement: parts.measurement ?? null,
  productNumber: product.productNumber,
  description: product.description,
  internalName: product.internalName,
  invoiceVisibility: product.invoiceVisibility,
  isGood: product.isGood,
  customFields: product.customFields,
  translations: product.translations,
  ...times(product),
});

const price = (amount: bigint, precision: number, currencyCode: string) =>
  toUnitPriceJson({ amount, precision, currencyCode });

const representTier = (tier: PriceTier, currencyCode: string, minorPrecision: number) => ({
  upTo: tier.upTo,
  unitPrice: price(BigInt(tier.unitPriceAmount), tier.unitPricePrecision, currencyCode),
  flatPrice: price(BigInt(tier.flatPriceAmount), minorPrecision, currencyCode),
});

const representGroupPrice = (stored: GroupPrice, currencyCode: string, minorPrecision: number) => ({
  group: stored.group,
  price:
    stored.priceAmount === null
      ? null
      : price(BigInt(stored.priceAmount), stored.pricePrecision ?? minorPrecision, currencyCode),
  tiers: stored.tiers.map((tier) => representTier(tier, currencyCode, minorPrecision)),
  packageSize: stored.packageSize,
  percentage: stored.percentage,
  freeUnits: stored.freeUnits,
});

const representUsageMetric = (id: string, metric: UsageMetricState | undefined) => ({
  id,
  code: metric?.code ?? '',
  name: metric?.name ?? '',
  aggregationType: metric?.aggregationType ?? '',
  unit: metric?.unit ?? null,
  groupBy: metric?.groupBy ?? [],
});

export interface PricePlanParts {
  readonly product: ProductJson;
  readonly measurement: MeasurementJson;
  readonly customer: CustomerJson | null;
  readonly usageMetric: UsageMetricState | undefined;
  readonly inUse: boolean;
  /** Decimals of the currency's minor unit. */
  readonly minorPrecision: number;
}

export function representPricePlan(
  plan: PricePlanRow,
  { product, measurement, customer, usageMetric, inUse, minorPrecision }: PricePlanParts,
): PricePlanJson {
  const { currencyCode } = plan;
  return {
    id: plan.id,
    type: plan.type,
    currencyCode,
    product,
    price:
      plan.priceAmount === null
        ? null
        : {
            ...price(plan.priceAmount, plan.pricePrecision ?? minorPrecision, currencyCode),
            createdAt: (plan.priceCreatedAt ?? plan.createdAt).toISOString(),
            updatedAt: (plan.priceUpdatedAt ?? plan.updatedAt).toISOString(),
            tenantId: plan.tenantId,
          },
    tiers: plan.tiers.map((tier) => representTier(tier, currencyCode, minorPrecision)),
    packageSize: plan.packageSize,
    percentage: plan.percentage,
    minimumPrice:
      plan.minimumPriceAmount === null ? null : price(plan.minimumPriceAmount, minorPrecision, currencyCode),
    internalName: plan.internalName,
    status: plan.status,
    applyTrial: plan.applyTrial,
    payInAdvance: plan.payInAdvance,
    proRata: plan.proRata,
    freeUnits: plan.freeUnits,
    billingInterval: plan.billingInterval,
    showPricePerInterval: plan.showPricePerInterval,
    measurement,
    usageMetric: plan.usageMetricId === null ? null : representUsageMetric(plan.usageMetricId, usageMetric),
    groupPrices: plan.groupPrices.map((group) => representGroupPrice(group, currencyCode, minorPrecision)),
    custom: plan.customerId !== null,
    customer,
    charge: null,
    productSetOption: null,
    inUse,
    ...times(plan),
  };
}

export interface PlanParts {
  readonly family: ProductFamilyRow | undefined;
  readonly originProduct: ProductJson | undefined;
  readonly items: readonly { readonly item: PlanItemRow; readonly pricePlan: PricePlanJson }[];
}

export const representPlan = (plan: PlanRow, { family, originProduct, items }: PlanParts): PlanJson => ({
  id: plan.id,
  code: plan.code,
  name: plan.name,
  description: plan.description,
  family: family ? representFamilyReference(family) : null,
  originProduct: originProduct ?? null,
  allowCheckout: plan.allowCheckout,
  status: plan.status,
  changeBehaviour: plan.changeBehaviour,
  changeApplyBehaviour: plan.changeApplyBehaviour,
  rank: plan.rank,
  items: items.map(({ item, pricePlan }) => ({ pricePlan, quantity: item.quantity })),
  period: plan.period,
  ...times(plan),
});

type ProductReference = Pick<ProductRow, 'id' | 'name' | 'type' | 'status'>;

export interface CouponProducts {
  readonly include: readonly ProductReference[];
  readonly exclude: readonly ProductReference[];
}

const productReferences = (products: readonly ProductReference[]) =>
  products.map(({ id, name, type, status }) => ({ id, name, type, status }));

/** A coupon as other objects show it: what it grants, without what remains of it. */
export const embedCoupon = (coupon: CouponRow) => ({
  id: coupon.id,
  code: coupon.code,
  name: coupon.name,
  type: coupon.type,
  percentage: coupon.percentage,
  fixedAmount:
    coupon.fixedAmountMinor === null || coupon.currencyCode === null
      ? null
      : toMoneyJson(money(coupon.fixedAmountMinor, coupon.currencyCode)),
  frequency: coupon.frequency,
  frequencyInterval: coupon.frequencyInterval,
  isEnabled: coupon.isEnabled,
  ...times(coupon),
});

export const representCoupon = (coupon: CouponRow, { include, exclude }: CouponProducts): CouponJson => ({
  ...embedCoupon(coupon),
  status: coupon.status,
  maxRedemptions: coupon.maxRedemptions,
  maxRedemptionsPerCustomer: coupon.maxRedemptionsPerCustomer,
  redemptions: coupon.redemptions,
  validUntil: coupon.validUntil?.toISOString() ?? null,
  products: { include: productReferences(include), exclude: productReferences(exclude) },
});

export const representBillingGroup = (group: BillingGroupRow, customer: CustomerJson | null): BillingGroupJson => ({
  id: group.id,
  name: group.name,
  type: group.type,
  status: group.status,
  customer,
  customDay: group.customDay,
  customMonth: group.customMonth,
  ...times(group),
});
