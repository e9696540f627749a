import { type Static, type TProperties, Type } from '@sinclair/typebox';
import { customerSchema } from '../customers/customer.schema.js';
import { CustomFields, Instant, oneOf, orNull, TextOrNull, Uuid } from '../schema.js';
import {
  AGGREGATION_TYPES,
  BILLING_GROUP_TYPES,
  PRODUCT_TYPES,
  REVERSE_CHARGE_TYPES,
  TAX_GROUP_TYPES,
} from './catalogue.dto.js';
import { CHANGE_BEHAVIOURS, PLAN_STATUSES } from './plan.dto.js';
import { PRICE_PLAN_TYPES } from './price-plan.dto.js';
import { DISCOUNT_FREQUENCIES, DISCOUNT_TYPES } from './coupon.dto.js';

const ofCatalogue = <P extends TProperties>($id: string, properties: P) =>
  Type.Object({ id: Uuid, ...properties, createdAt: Instant, updatedAt: Instant }, { $id });
const Status = oneOf(['active', 'archived']);

export const unitSchema = ofCatalogue('Unit', { name: Type.String(), status: Status });
const familyReferenceSchema = ofCatalogue('ProductFamilyReference', { name: Type.String() });

export const productFamilySchema = ofCatalogue('ProductFamily', {
  name: Type.String({ maxLength: 255 }),
  status: Status,
  products: Type.Array(Type.Object({ id: Uuid, name: Type.String(), type: oneOf(PRODUCT_TYPES), status: Status })),
});

export const measurementSchema = ofCatalogue('Measurement', {
  code: Type.String(),
  description: TextOrNull,
  unit: orNull(unitSchema),
  aggregationType: oneOf(AGGREGATION_TYPES),
  fairBilling: Type.Boolean(),
  type: oneOf(['recurring', 'metered']),
  status: Status,
});

const taxGroupFields = {
  internalDescription: Type.String(),
  reverseChargeType: oneOf(REVERSE_CHARGE_TYPES),
  type: oneOf(TAX_GROUP_TYPES),
};

export const taxGroupSchema = ofCatalogue('TaxGroup', {
  ...taxGroupFields,
  status: Status,
  taxes: Type.Array(
    Type.Object({
      id: Uuid,
      code: Type.String(),
      rate: Type.String({ description: 'Percent, decimal text.' }),
      description: TextOrNull,
      countryCode: Type.String(),
      validFrom: Type.String({ format: 'date' }),
    }),
  ),
});

export const productSchema = ofCatalogue('Product', {
  name: Type.String(),
  type: oneOf(PRODUCT_TYPES),
  status: Status,
  taxGroup: Type.Object({ id: Uuid, ...taxGroupFields }),
  productFamily: orNull(familyReferenceSchema),
  unit: orNull(unitSchema),
  measurement: orNull(measurementSchema),
  productNumber: TextOrNull,
  description: TextOrNull,
  internalName: TextOrNull,
  invoiceVisibility: oneOf(['always', 'only_if_charged']),
  isGood: Type.Boolean(),
  customFields: CustomFields,
  translations: orNull(
    Type.Record(
      Type.String(),
      Type.Object({ name: Type.Optional(TextOrNull), description: Type.Optional(TextOrNull) }),
    ),
  ),
});

const priceFields = { amount: Type.Integer(), currencyCode: Type.String(), precision: Type.Optional(Type.Integer()) };
const Price = Type.Object(priceFields);

export const pricePlanSchema = ofCatalogue('PricePlan', {
  type: oneOf(PRICE_PLAN_TYPES),
  currencyCode: Type.String(),
  product: productSchema,
  price: orNull(Type.Object({ ...priceFields, createdAt: Instant, updatedAt: Instant, tenantId: Uuid })),
  tiers: Type.Array(Type.Object({ upTo: TextOrNull, unitPrice: Price, flatPrice: Price })),
  packageSize: TextOrNull,
  percentage: TextOrNull,
  minimumPrice: orNull(Price),
  internalName: TextOrNull,
  status: Status,
  applyTrial: Type.Boolean(),
  payInAdvance: Type.Boolean(),
  proRata: Type.Boolean(),
  freeUnits: Type.Integer(),
  billingInterval: Type.String(),
  showPricePerInterval: TextOrNull,
  measurement: measurementSchema,
  usageMetric: orNull(
    Type.Object({
      id: Uuid,
      code: Type.String(),
      name: Type.String(),
      aggregationType: Type.String(),
      unit: TextOrNull,
      groupBy: Type.Array(Type.String()),
    }),
  ),
  groupPrices: Type.Array(
    Type.Object({
      group: Type.Record(Type.String(), Type.String()),
      price: orNull(Price),
      tiers: Type.Array(Type.Object({ upTo: TextOrNull, unitPrice: Price, flatPrice: Price })),
      packageSize: TextOrNull,
      percentage: TextOrNull,
      freeUnits: Type.Integer(),
    }),
  ),
  custom: Type.Boolean(),
  customer: orNull(customerSchema),
  charge: Type.Null(),
  productSetOption: Type.Null(),
  inUse: Type.Boolean(),
});

export const planSchema = ofCatalogue('Plan', {
  code: Type.String(),
  name: Type.String(),
  description: TextOrNull,
  family: orNull(familyReferenceSchema),
  originProduct: orNull(productSchema),
  allowCheckout: Type.Boolean(),
  status: oneOf(PLAN_STATUSES),
  changeBehaviour: oneOf(CHANGE_BEHAVIOURS),
  changeApplyBehaviour: oneOf(['end_of_period', 'immediately']),
  rank: orNull(Type.Integer()),
  items: Type.Array(Type.Object({ pricePlan: pricePlanSchema, quantity: Type.String() })),
  period: orNull(
    Type.Object({ contractPeriodCount: Type.Integer(), contractPeriod: TextOrNull, cancellationPeriod: TextOrNull }),
  ),
});

/** The terms of a discount as answers show them. */
export const discountTerms = {
  name: Type.String(),
  type: oneOf(DISCOUNT_TYPES),
  percentage: TextOrNull,
  fixedAmount: orNull(Type.Object({ amount: Type.Integer(), currencyCode: Type.String() })),
  frequency: oneOf(DISCOUNT_FREQUENCIES),
  frequencyInterval: orNull(Type.Integer({ description: 'Billing intervals, for limited.' })),
};

const CouponProducts = Type.Array(
  Type.Object({ id: Uuid, name: Type.String(), type: oneOf(PRODUCT_TYPES), status: Status }),
);

export const couponSchema = ofCatalogue('Coupon', {
  code: Type.String(),
  ...discountTerms,
  status: Status,
  maxRedemptions: orNull(Type.Integer()),
  maxRedemptionsPerCustomer: orNull(Type.Integer()),
  redemptions: Type.Integer({ description: 'How often it is redeemed.' }),
  validUntil: orNull(Instant),
  products: Type.Object({ include: CouponProducts, exclude: CouponProducts }),
  isEnabled: Type.Boolean(),
});

export const billingGroupSchema = ofCatalogue('BillingGroup', {
  name: Type.String(),
  type: oneOf(BILLING_GROUP_TYPES),
  status: Status,
  customer: orNull(customerSchema),
  customDay: orNull(Type.Integer()),
  customMonth: orNull(Type.Integer()),
});

export type UnitJson = Static<typeof unitSchema>;
export type ProductFamilyJson = Static<typeof productFamilySchema>;
export type MeasurementJson = Static<typeof measurementSchema>;
export type TaxGroupJson = Static<typeof taxGroupSchema>;
export type ProductJson = Static<typeof productSchema>;
export type PricePlanJson = Static<typeof pricePlanSchema>;
export type PlanJson = Static<typeof planSchema>;
export type CouponJson = Static<typeof couponSchema>;
export type BillingGroupJson = Static<typeof billingGroupSchema>;
