import type { Decimal, UnitPrice } from '@kontor/money';

export type PriceType = 'flat_fee' | 'per_unit' | 'tiered' | 'volume' | 'stair_step' | 'package' | 'percentage';

export interface PriceTier {
  /** Last unit of the tier, inclusive, decimal text; null: without end. */
  readonly upTo: string | null;
  /** Decimal integer of `10^-unitPricePrecision` of the currency. */
  readonly unitPriceAmount: string;
  readonly unitPricePrecision: number;
  /** Decimal integer of minor units, charged once when the tier is reached. */
  readonly flatPriceAmount: string;
}

/** Another price of the same type for usage with certain properties; it fits as it is stored. */
export interface GroupPrice {
  /** Value by property; all prices of one plan name the same properties. */
  readonly group: Readonly<Record<string, string>>;
  /** Decimal integer in `10^-pricePrecision`; null with tiers and percentages. */
  readonly priceAmount: string | null;
  readonly pricePrecision: number | null;
  readonly tiers: readonly PriceTier[];
  readonly packageSize: string | null;
  readonly percentage: string | null;
  readonly freeUnits: number;
}

/** What rating needs of a price plan; the stored row fits as it is. */
export interface PriceTerms {
  readonly type: PriceType;
  readonly currencyCode: string;
  /**
   * Of one unit (per_unit), one package (package) or one interval (flat_fee), in `10^-pricePrecision`; null with tiers
   * and percentages.
   */
  readonly priceAmount: bigint | null;
  readonly pricePrecision: number | null;
  readonly tiers: readonly PriceTier[];
  readonly packageSize: string | null;
  /** Per cent, decimal text; only for `percentage`. */
  readonly percentage?: string | null;
  /** Prices by group; what matches none has the price above. */
  readonly groupPrices?: readonly GroupPrice[];
  /** Units of each interval that cost nothing; a flat fee has none. */
  readonly freeUnits: number;
  /** Minor units; the line is never below it. */
  readonly minimumPriceAmount: bigint | null;
}

/** A part of the quantity at one price, for people: texts are decimals, amounts in major units. */
export interface PriceSlice {
  readonly quantity: string;
  readonly unitPrice: string | null;
  readonly flatPrice: string | null;
  readonly amount: string;
  /** Whose price it is, where prices depend on groups; absent for the plan's own. */
  readonly group?: Readonly<Record<string, string>>;
}

/** The exact price of a quantity for one whole interval, in major units and not rounded. */
export interface PricedUnits {
  readonly amount: Decimal;
  readonly slices: readonly PriceSlice[];
  /** Set when `amount` is exactly `quantity × unitPrice` of one price. */
  readonly simple: { readonly quantity: Decimal; readonly unitPrice: UnitPrice } | null;
}
