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
  /** Decimal text. */
  readonly percentage?: string | null;
}

export interface GroupedPriceTerms extends PriceTerms {
  readonly usageMetric?: string | null;
  readonly groupPrices?: readonly (Omit<PriceTerms, 'type'> & { readonly group: Readonly<Record<string, string>> })[] | null;
}

/** `priceViolations` of the plan and of each of its groups, and what is wrong with the groups themselves. */
export function planViolations(plan: GroupedPriceTerms): Violation[] {
  const violations = priceViolations(plan);
  const refuse = (propertyPath: string, message: string, code: string) => violations.push({ propertyPath, message, code });
  if (plan.usageMetric && plan.type === 'flat_fee') refuse('usageMetric', 'A flat fee does not depend on usage.', 'not_allowed');
  const groups = plan.groupPrices ?? [];
  if (groups.length > 0 && !plan.usageMetric) refuse('groupPrices', 'Groups are those of a usageMetric.', 'not_allowed');
  const properties = JSON.stringify(Object.keys(groups[0]?.group ?? {}).sort());
  const seen = new Set<string>();
  groups.forEach((one, index) => {
    const path = `groupPrices[${index}]`;
    violations.push(
      ...priceViolations({ ...one, type: plan.type }).map((found) => ({ ...found, propertyPath: `${path}.${found.propertyPath}` })),
    );
    const names = Object.keys(one.group).sort();
    if (names.length === 0) refuse(`${path}.group`, 'The group names no property.', 'required');
    else if (JSON.stringify(names) !== properties) refuse(`${path}.group`, 'All groups name the same properties.', 'invalid_group');
    const key = JSON.stringify(names.map((name) => [name, one.group[name]]));
    if (seen.has(key)) refuse(`${path}.group`, 'The group has a price already.', 'duplicate');
    seen.add(key);
  });
  return violations;
}

/**
 * What is wrong with the prices of a price plan: tiered types have tiers and no price, the others a price and no tiers,
 * and only packages have a size, which is above zero.
 */
export function priceViolations({ type, price, tiers, packageSize, percentage }: PriceTerms): Violation[] {
  const violations: Violation[] = [];
  const refuse = (propertyPath: string, message: string, code: string) => violations.push({ propertyPath, message, code });
  if (isTieredType(type)) {
    if (price) refuse('price', `A ${type} price has tiers, not one price.`, 'not_allowed');
    violations.push(
      ...tierViolations(type, (tiers ?? []).map((tier) => ({ upTo: tier.upTo ?? null, hasUnitPrice: Boolean(tier.unitPrice), hasFlatPrice: Boolean(tier.flatPrice) }))), // prettier-ignore
    );
  } else if (type === 'percentage') {
    if (price) refuse('price', 'A percentage price has a percentage, not a price.', 'not_allowed');
    if (!percentage) refuse('percentage', 'A percentage price needs its percentage.', 'required');
    if (tiers && tiers.length > 0) refuse('tiers', 'A percentage price has no tiers.', 'not_allowed');
  } else {
    if (!price) refuse('price', `A ${type} price needs its price.`, 'required');
    if (tiers && tiers.length > 0) refuse('tiers', `A ${type} price has no tiers.`, 'not_allowed');
  }
  if (percentage && type !== 'percentage') refuse('percentage', 'Only a percentage price has a percentage.', 'not_allowed');
  if (packageSize !== undefined && packageSize !== null) {
    if (type !== 'package') refuse('packageSize', 'Only a package price has a packageSize.', 'not_allowed');
    else if (compareDecimal(decimal(packageSize), decimal('0')) <= 0)
      refuse('packageSize', 'A package holds more than nothing.', 'out_of_range');
  }
  return violations;
}
