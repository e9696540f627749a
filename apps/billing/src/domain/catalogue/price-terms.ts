import type { Violation } from '@kontor/kernel';
import { compareDecimal, decimal } from '@kontor/money';
import { isTieredType, tierViolations } from './tiers.js';

/** The priced part of a price plan, as far as its type decides what must and must not be there. */
export interface PriceTerms {
  readonly type: string;
  readonly price?: { readonly amount: number } | null;
  readonly tiers?:
    readonly { readonly upTo?: string | null; readonly unitPrice?: object | null; readonly flatPrice?: object | null }[] | null;
  /** Decimal text. */
  readonly packageSize?: string | null;
}

/**
 * What is wrong with the prices of a price plan: tiered types have tiers and no price, the others a price and no tiers,
 * and only packages have a size, which is above zero.
 */
export function priceViolations({ type, price, tiers, packageSize }: PriceTerms): Violation[] {
  const violations: Violation[] = [];
  const refuse = (propertyPath: string, message: string, code: string) => violations.push({ propertyPath, message, code });
  if (isTieredType(type)) {
    if (price) refuse('price', `A ${type} price has tiers, not one price.`, 'not_allowed');
    violations.push(
      ...tierViolations(type, (tiers ?? []).map((tier) => ({ upTo: tier.upTo ?? null, hasUnitPrice: Boolean(tier.unitPrice), hasFlatPrice: Boolean(tier.flatPrice) }))), // prettier-ignore
    );
  } else {
    if (!price) refuse('price', `A ${type} price needs its price.`, 'required');
    if (tiers && tiers.length > 0) refuse('tiers', `A ${type} price has no tiers.`, 'not_allowed');
  }
  if (packageSize !== undefined && packageSize !== null) {
    if (type !== 'package') refuse('packageSize', 'Only a package price has a packageSize.', 'not_allowed');
    else if (compareDecimal(decimal(packageSize), decimal('0')) <= 0)
      refuse('packageSize', 'A package holds more than nothing.', 'out_of_range');
  }
  return violations;
}
