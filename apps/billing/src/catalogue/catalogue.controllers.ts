import {
  BILLING_GROUP_TYPES,
  BillingGroupDto,
  MeasurementDto,
  PRODUCT_TYPES,
  ProductDto,
  ProductFamilyDto,
  TAX_GROUP_TYPES,
  TaxGroupDto,
  UnitDto,
} from './catalogue.dto.js';
import { CouponDto, DISCOUNT_FREQUENCIES, DISCOUNT_TYPES } from './coupon.dto.js';
import {
  billingGroupSchema,
  couponSchema,
  measurementSchema,
  planSchema,
  pricePlanSchema,
  productFamilySchema,
  productSchema,
  taxGroupSchema,
  unitSchema,
} from './catalogue.schema.js';
import { catalogueController } from './catalogue-controller.js';
import { PLAN_STATUSES, PlanDto } from './plan.dto.js';
import { PRICE_PLAN_TYPES, PricePlanDto } from './price-plan.dto.js';
import { coupons } from './coupons.resource.js';
import { plans } from './plans.resource.js';
import { pricePlans } from './price-plans.resource.js';
import { products } from './products.resource.js';
import { billingGroups, measurements, productFamilies, taxGroups, units } from './resources.js';

const STATUSES = ['active', 'archived'] as const;

/** One controller for each kind of object, in the order of the API document. */
export const catalogueControllers = [
  catalogueController({
    path: 'product-families',
    tag: 'Catalogue',
    permission: 'product-family',
    names: ['ProductFamily', 'ProductFamilies'],
    labels: ['product family', 'product families'],
    body: ProductFamilyDto,
    response: productFamilySchema,
    list: { filters: { status: STATUSES, name: 'text' }, order: ['name', 'createdAt'], search: true },
    resource: () => productFamilies,
  }),
  catalogueController({
    path: 'catalogue/products',
    tag: 'Catalogue',
    permission: 'product',
    names: ['Product', 'Products'],
    labels: ['product', 'products'],
    body: ProductDto,
    response: productSchema,
    list: {
      filters: {
        status: STATUSES,
        type: PRODUCT_TYPES,
        name: 'text',
        productNumber: 'text',
        productFamily: 'uuid',
        taxGroup: 'uuid',
      },
      order: ['name', 'productNumber', 'createdAt'],
      search: true,
    },
    resource: () => products,
  }),
  catalogueController({
    path: 'catalogue/units',
    tag: 'Catalogue',
    permission: 'product',
    names: ['Unit', 'Units'],
    labels: ['unit', 'units'],
    body: UnitDto,
    response: unitSchema,
    list: { filters: { status: STATUSES, name: 'text' }, order: ['name', 'createdAt'], search: true },
    resource: () => units,
  }),
  catalogueController({
    path: 'catalogue/measurements',
    tag: 'Catalogue',
    permission: 'measurement',
    names: ['Measurement', 'Measurements'],
    labels: ['measurement', 'measurements'],
    body: MeasurementDto,
    response: measurementSchema,
    list: {
      filters: { status: STATUSES, code: 'text', type: ['recurring', 'metered'] },
      order: ['code', 'createdAt'],
      search: true,
    },
    resource: () => measurements,
  }),
  catalogueController({
    path: 'plans',
    tag: 'Catalogue',
    permission: 'product',
    names: ['Plan', 'Plans'],
    labels: ['plan', 'plans'],
    body: PlanDto,
    response: planSchema,
    list: {
      filters: { status: PLAN_STATUSES, code: 'text', family: 'uuid', allowCheckout: 'boolean' },
      order: ['name', 'code', 'createdAt'],
      search: true,
    },
    resource: () => plans,
  }),
  catalogueController({
    path: 'price-plans',
    tag: 'Catalogue',
    permission: 'price-plan',
    names: ['PricePlan', 'PricePlans'],
    labels: ['price plan', 'price plans'],
    body: PricePlanDto,
    response: pricePlanSchema,
    list: {
      filters: { status: STATUSES, type: PRICE_PLAN_TYPES, currencyCode: 'text', product: 'uuid', customer: 'uuid' },
      order: ['createdAt'],
      search: true,
    },
    resource: pricePlans,
  }),
  catalogueController({
    path: 'tax-groups',
    tag: 'Catalogue',
    permission: 'tax-group',
    names: ['TaxGroup', 'TaxGroups'],
    labels: ['tax group', 'tax groups'],
    body: TaxGroupDto,
    response: taxGroupSchema,
    list: { filters: { status: STATUSES, type: TAX_GROUP_TYPES }, order: ['createdAt'], search: true },
    resource: () => taxGroups,
  }),
  catalogueController({
    path: 'coupons',
    tag: 'Coupons',
    permission: 'coupon',
    names: ['Coupon', 'Coupons'],
    labels: ['coupon', 'coupons'],
    body: CouponDto,
    response: couponSchema,
    list: {
      filters: {
        status: STATUSES,
        code: 'text',
        type: DISCOUNT_TYPES,
        frequency: DISCOUNT_FREQUENCIES,
        isEnabled: 'boolean',
      },
      order: ['code', 'name', 'createdAt'],
      search: true,
    },
    resource: () => coupons,
  }),
  catalogueController({
    path: 'billing-groups',
    tag: 'Billing groups',
    permission: 'billing-group',
    names: ['BillingGroup', 'BillingGroups'],
    labels: ['billing group', 'billing groups'],
    body: BillingGroupDto,
    response: billingGroupSchema,
    list: {
      filters: { status: STATUSES, type: BILLING_GROUP_TYPES, customer: 'uuid' },
      order: ['name', 'createdAt'],
      search: true,
    },
    resource: () => billingGroups,
  }),
];
