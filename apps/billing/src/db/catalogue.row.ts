import type { Day } from '@kontor/kernel';
import { BigintColumn, InstantColumn, JsonColumn } from '@kontor/persistence';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { GroupPrice, PriceTerms, PriceTier, PriceType } from '../domain/rating/price-terms.js';

export type CatalogueStatus = 'active' | 'archived';

@Entity('product_family')
export class ProductFamilyRow {
  @PrimaryColumn('uuid') tenantId!: string;
  @PrimaryColumn('uuid') id!: string;
  @Column('int') version!: number;
  @Column('text') status!: CatalogueStatus;
  @Column('text') name!: string;
  @InstantColumn() createdAt!: Date;
  @InstantColumn() updatedAt!: Date;
}

/** What a quantity is counted in: seat, hour, gigabyte. */
@Entity('unit')
export class UnitRow {
  @PrimaryColumn('uuid') tenantId!: string;
  @PrimaryColumn('uuid') id!: string;
  @Column('int') version!: number;
  @Column('text') status!: CatalogueStatus;
  @Column('text') name!: string;
  @InstantColumn() createdAt!: Date;
  @InstantColumn() updatedAt!: Date;
}

export type AggregationType = 'count' | 'count_unique' | 'sum' | 'max' | 'last_value' | 'average';

/** How the billed quantity of an item is measured; the seeded one has code `quantity`. */
@Entity('measurement')
export class MeasurementRow {
  @PrimaryColumn('uuid') tenantId!: string;
  @PrimaryColumn('uuid') id!: string;
  @Column('int') version!: number;
  @Column('text') status!: CatalogueStatus;
  @Column('text') code!: string;
  @Column('text', { nullable: true }) description!: string | null;
  @Column('uuid', { nullable: true }) unitId!: string | null;
  @Column('text') aggregationType!: AggregationType;
  @Column('boolean') fairBilling!: boolean;
  @Column('text') type!: 'recurring' | 'metered';
  @InstantColumn() createdAt!: Date;
  @InstantColumn() updatedAt!: Date;
}

export type TaxGroupType = 'standard' | 'reduced' | 'zero' | 'exempt';
export type ReverseChargeType = 'REVERSE_CHARGE_DEACTIVATED' | 'REVERSE_CHARGE' | 'REVERSE_CHARGE_INTRA_EU_SUPPLY';

/** Which rates a product is taxed with; the dated rates themselves follow from the type. */
/** A rate that a tenant has added to a tax group. */
export interface OwnTaxRate {
  readonly countryCode: string;
  /** Percent, decimal text. */
  readonly rate: string;
  readonly validFrom: Day;
  readonly code: string | null;
  readonly description: string | null;
}

@Entity('tax_group')
export class TaxGroupRow {
  @PrimaryColumn('uuid') tenantId!: string;
  @PrimaryColumn('uuid') id!: string;
  @Column('int') version!: number;
  @Column('text') status!: CatalogueStatus;
  @Column('text') internalDescription!: string;
  @Column('text') type!: TaxGroupType;
  @Column('text') reverseChargeType!: ReverseChargeType;
  /** Rates of countries in which the tenant is registered; those of member states follow from the type. */
  @Column('json') taxes!: readonly OwnTaxRate[];
  /** True for the four that every tenant starts with; `standard` of them is the default of products. */
  @Column('boolean') seeded!: boolean;
  @InstantColumn() createdAt!: Date;
  @InstantColumn() updatedAt!: Date;
}

export type ProductType = 'product' | 'charge' | 'plan';

@Entity('product')
export class ProductRow {
  @PrimaryColumn('uuid') tenantId!: string;
  @PrimaryColumn('uuid') id!: string;
  @Column('int') version!: number;
  @Column('text') status!: CatalogueStatus;
  @Column('text') name!: string;
  /** `product` recurs, `charge` is billed once, `plan` is what a plan was made from. */
  @Column('text') type!: ProductType;
  @Column('uuid') taxGroupId!: string;
  @Column('uuid', { nullable: true }) productFamilyId!: string | null;
  @Column('uuid', { nullable: true }) unitId!: string | null;
  @Column('uuid', { nullable: true }) measurementId!: string | null;
  @Column('text', { nullable: true }) productNumber!: string | null;
  @Column('text', { nullable: true }) description!: string | null;
  @Column('text', { nullable: true }) internalName!: string | null;
  @Column('text') invoiceVisibility!: 'always' | 'only_if_charged';
  /** Goods are taxed otherwise than services when they leave the EU. */
  @Column('boolean') isGood!: boolean;
  @JsonColumn({ nullable: true }) customFields!: Record<string, string> | null;
  /** By language (`de`, `en`): the texts of documents in that language. */
  @JsonColumn({ nullable: true }) translations!: Record<
    string,
    { name?: string | null; description?: string | null }
  > | null;
  @InstantColumn() createdAt!: Date;
  @InstantColumn() updatedAt!: Date;
}

export type PlanStatus = 'draft' | 'active' | 'archived';

/** Terms of the contract: `contractPeriodCount × contractPeriod` first, then renewed by `contractPeriod`. */
export interface PlanPeriod {
  readonly contractPeriodCount: number;
  readonly contractPeriod: string | null;
  readonly cancellationPeriod: string | null;
}

@Entity('plan')
export class PlanRow {
  @PrimaryColumn('uuid') tenantId!: string;
  @PrimaryColumn('uuid') id!: string;
  @Column('int') version!: number;
  @Column('text') status!: PlanStatus;
  @Column('text') code!: string;
  @Column('text') name!: string;
  @Column('text', { nullable: true }) description!: string | null;
  @Column('uuid', { nullable: true }) familyId!: string | null;
  @Column('uuid', { nullable: true }) originProductId!: string | null;
  @Column('boolean') allowCheckout!: boolean;
  @Column('text') changeBehaviour!:
    'upgradeable_and_downgradeable' | 'upgradeable' | 'downgradeable' | 'not_changeable';
  @Column('text') changeApplyBehaviour!: 'end_of_period' | 'immediately';
  /** Its place among the plans of its family, the higher the better; null: its price says. */
  @Column('int', { nullable: true }) rank!: number | null;
  @JsonColumn({ nullable: true }) period!: PlanPeriod | null;
  @InstantColumn() createdAt!: Date;
  @InstantColumn() updatedAt!: Date;
}

/** A price plan that a plan brings along, with the quantity a subscription to it starts with. */
@Entity('plan_item')
export class PlanItemRow {
  @PrimaryColumn('uuid') tenantId!: string;
  @PrimaryColumn('uuid') planId!: string;
  /** Order inside the plan, from 0. */
  @PrimaryColumn('int') ranking!: number;
  @Column('uuid') pricePlanId!: string;
  /** Decimal text. */
  @Column('text') quantity!: string;
}

@Entity('price_plan')
export class PricePlanRow implements PriceTerms {
  @PrimaryColumn('uuid') tenantId!: string;
  @PrimaryColumn('uuid') id!: string;
  @Column('int') version!: number;
  @Column('text') status!: CatalogueStatus;
  @Column('uuid') productId!: string;
  @Column('text') type!: PriceType;
  @Column('text') currencyCode!: string;
  /**
   * Price of one unit (per_unit), one package (package) or one interval (flat_fee) in `10^-pricePrecision` of the
   * currency; null with tiers and percentages.
   */
  @BigintColumn({ nullable: true }) priceAmount!: bigint | null;
  @Column('int', { nullable: true }) pricePrecision!: number | null;
  @InstantColumn({ nullable: true }) priceCreatedAt!: Date | null;
  @InstantColumn({ nullable: true }) priceUpdatedAt!: Date | null;
  /** Empty unless tiered, volume or stair_step. */
  @JsonColumn() tiers!: PriceTier[];
  /** Units in one package, decimal text; null for other types. */
  @Column('text', { nullable: true }) packageSize!: string | null;
  /** Per cent, decimal text; null for other types. */
  @Column('text', { nullable: true }) percentage!: string | null;
  @Column('text') billingInterval!: string;
  @Column('text', { nullable: true }) showPricePerInterval!: string | null;
  @Column('boolean') payInAdvance!: boolean;
  @Column('boolean') proRata!: boolean;
  @Column('boolean') applyTrial!: boolean;
  @Column('int') freeUnits!: number;
  /** Minor units; the line is never below it. */
  @BigintColumn({ nullable: true }) minimumPriceAmount!: bigint | null;
  /** Set when only this customer may have it (`custom`). */
  @Column('uuid', { nullable: true }) customerId!: string | null;
  @Column('uuid') measurementId!: string;
  /** What measures the quantity; null: it is agreed. */
  @Column('uuid', { nullable: true }) usageMetricId!: string | null;
  @JsonColumn() groupPrices!: GroupPrice[];
  @Column('text', { nullable: true }) internalName!: string | null;
  @InstantColumn() createdAt!: Date;
  @InstantColumn() updatedAt!: Date;
}

export type DiscountType = 'percentage' | 'fixed_amount';
export type DiscountFrequency = 'once' | 'limited' | 'lifetime';

/** What a discount takes off; redeeming copies its terms, so that later changes concern later redemptions only. */
@Entity('coupon')
export class CouponRow {
  @PrimaryColumn('uuid') tenantId!: string;
  @PrimaryColumn('uuid') id!: string;
  /** Rises with redemptions, too. */
  @Column('int') version!: number;
  @Column('text') status!: CatalogueStatus;
  /** Unique whatever its case. */
  @Column('text') code!: string;
  @Column('text') name!: string;
  @Column('text') type!: DiscountType;
  /** Per cent, decimal text; null for fixed amounts. */
  @Column('text', { nullable: true }) percentage!: string | null;
  /** Minor units of `currencyCode`; null for percentages. */
  @BigintColumn({ nullable: true }) fixedAmountMinor!: bigint | null;
  @Column('text', { nullable: true }) currencyCode!: string | null;
  @Column('text') frequency!: DiscountFrequency;
  /** Billing intervals, for `limited`. */
  @Column('int', { nullable: true }) frequencyInterval!: number | null;
  @Column('int', { nullable: true }) maxRedemptions!: number | null;
  @Column('int', { nullable: true }) maxRedemptionsPerCustomer!: number | null;
  @InstantColumn({ nullable: true }) validUntil!: Date | null;
  @Column('boolean') isEnabled!: boolean;
  /** How often it is redeemed, without what was released. */
  @Column('int') redemptions!: number;
  @InstantColumn() createdAt!: Date;
  @InstantColumn() updatedAt!: Date;
}

/** A product that a coupon is limited to, or is not for. */
@Entity('coupon_product')
export class CouponProductRow {
  @PrimaryColumn('uuid') tenantId!: string;
  @PrimaryColumn('uuid') couponId!: string;
  @PrimaryColumn('uuid') productId!: string;
  @Column('boolean') included!: boolean;
}

/** One use of a coupon by a customer, for one or several lines. */
@Entity('coupon_redemption')
export class CouponRedemptionRow {
  @PrimaryColumn('uuid') tenantId!: string;
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid') couponId!: string;
  @Column('uuid') customerId!: string;
  /** Null: reserved for what is not a subscription yet. */
  @Column('uuid', { nullable: true }) subscriptionId!: string | null;
  @InstantColumn() createdAt!: Date;
}

export type BillingGroupType = 'start_of_month' | 'end_of_month' | 'start_of_year' | 'end_of_year' | 'custom';

/** Aligns the billing intervals of its subscriptions to common dates. */
@Entity('billing_group')
export class BillingGroupRow {
  @PrimaryColumn('uuid') tenantId!: string;
  @PrimaryColumn('uuid') id!: string;
  @Column('int') version!: number;
  @Column('text') status!: CatalogueStatus;
  @Column('text') name!: string;
  @Column('text') type!: BillingGroupType;
  /** Null: usable by every customer. */
  @Column('uuid', { nullable: true }) customerId!: string | null;
  /** 1..31, clipped to the month's end. */
  @Column('int', { nullable: true }) customDay!: number | null;
  /** 1..12; null: every month. */
  @Column('int', { nullable: true }) customMonth!: number | null;
  @InstantColumn() createdAt!: Date;
  @InstantColumn() updatedAt!: Date;
}
