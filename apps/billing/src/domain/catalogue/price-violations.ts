import type { Violation } from '@kontor/kernel';
import { compareDecimal, decimal } from '@kontor/money';
import { isTieredType, tierViolations } from './tiers.js';

/** The prices of a request, as far as the type decides which of them are required and which are not allowed. */
export interface PriceInput {
  readonly type: string;
  readonly price?: { readonly amount: number } | null;
  readonly tiers?:
    | readonly {
        readonly upTo?: string | null;
        readonly unitPrice?: object | null;
        readonly flatPrice?: object | null;
      }[]
    | null;
  /** Decimal text. */
  readonly packageSize?: string | null;
  /** Decimal text. */
  readonly percentage?: string | null;
}

export interface PricePlanInput extends PriceInput {
  readonly usageMetric?: string | null;
  readonly groupPrices?:
    readonly (Omit<PriceInput, 'type'> & { readonly group: Readonly<Record<string, string>> })[] | null;
}

/** `priceViolations` of the plan and of each of its groups, and what is wrong with the groups themselves. */
export function planViolations(plan: PricePlanInput): Violation[] {
  const violations = priceViolations(plan);
  const refuse = (propertyPath: string, message: string, code: string) =>
    violations.push({ propertyPath, message, code });
  if (plan.usageMetric && plan.type === 'flat_fee')
    refuse('usageMetric', 'usageMetric is not allowed for a flat_fee price.', 'not_allowed');
  const groups = plan.groupPrices ?? [];
  if (groups.length > 0 && !plan.usageMetric)
    refuse('groupPrices', 'groupPrices are allowed with a usageMetric only.', 'not_allowed');
  const properties = JSON.stringify(Object.keys(groups[0]?.group ?? {}).sort());
  const seen = new Set<string>();
  groups.forEach((group, index) => {
    const path = `groupPrices[${index}]`;
    violations.push(
      ...priceViolations({ ...group, type: plan.type }).map((found) => ({
        ...found,
        propertyPath: `${path}.${found.propertyPath}`,
      })),
    );
    const names = Object.keys(group.group).sort();
    if (names.length === 0) refuse(`${path}.group`, 'group must name at least one property.', 'required');
    else if (JSON.stringify(names) !== properties)
      refuse(`${path}.group`, 'group must name the same properties as all others.', 'invalid_group');
    const key = JSON.stringify(names.map((name) => [name, group.group[name]]));
    if (seen.has(key)) refuse(`${path}.group`, 'group must be unique.', 'duplicate');
    seen.add(key);
  });
  return violations;
}

/**
 * What is wrong with the prices of a price plan: tiered types have tiers and no price, the others a price and no tiers,
 * and only packages have a size, which is above zero.
 */
export function priceViolations({ type, price, tiers, packageSize, percentage }: PriceInput): Violation[] {
  const violations: Violation[] = [];
  const refuse = (propertyPath: string, message: string, code: string) =>
    violations.push({ propertyPath, message, code });
  if (isTieredType(type)) {
    if (price) refuse('price', `price is not allowed for a ${type} price: it has tiers.`, 'not_allowed');
    violations.push(
      ...tierViolations(
        type,
        (tiers ?? []).map((tier) => ({
          upTo: tier.upTo ?? null,
          hasUnitPrice: Boolean(tier.unitPrice),
          hasFlatPrice: Boolean(tier.flatPrice),
        })),
      ),
    );
  } else if (type === 'percentage') {
    if (price) refuse('price', 'price is not allowed for a percentage price.', 'not_allowed');
    if (!percentage) refuse('percentage', 'percentage is required for a percentage price.', 'required');
    if (tiers && tiers.length > 0) refuse('tiers', 'tiers are not allowed for a percentage price.', 'not_allowed');
  } else {
    if (!price) refuse('price', `price is required for a ${type} price.`, 'required');
    if (tiers && tiers.length > 0) refuse('tiers', `tiers are not allowed for a ${type} price.`, 'not_allowed');
  }
  if (percentage && type !== 'percentage')
    refuse('percentage', 'percentage is allowed for a percentage price only.', 'not_allowed');
  if (packageSize !== undefined && packageSize !== null) {
    if (type !== 'package') refuse('packageSize', 'packageSize is allowed for a package price only.', 'not_allowed');
    else if (compareDecimal(decimal(packageSize), decimal('0')) <= 0)
      refuse('packageSize', 'packageSize must be greater than 0.', 'out_of_range');
  }
  return violations;
}
