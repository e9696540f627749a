import type { Violation } from '@kontor/kernel';
import { compareDecimal, decimal } from '@kontor/money';

export interface TierInput {
  /** Last unit of the tier, inclusive, decimal text; null: without end. */
  readonly upTo: string | null;
  readonly hasUnitPrice: boolean;
  readonly hasFlatPrice: boolean;
}

export type TieredType = 'tiered' | 'volume' | 'stair_step';
export const TIERED_TYPES: readonly string[] = ['tiered', 'volume', 'stair_step'];
export const isTieredType = (type: string): type is TieredType => TIERED_TYPES.includes(type);

/**
 * What is wrong with the tiers of a price plan: bounds rise from above zero, only the last is open (null), each tier
 * has a price of the kind that its type uses.
 */
export function tierViolations(type: TieredType, tiers: readonly TierInput[]): Violation[] {
  if (tiers.length === 0)
    return [
      { propertyPath: 'tiers', message: `tiers must have at least one entry for a ${type} price.`, code: 'required' },
    ];
  const violations: Violation[] = [];
  let previous = decimal('0');
  tiers.forEach((tier, index) => {
    const refuse = (field: string, message: string) =>
      violations.push({ propertyPath: `tiers[${index}].${field}`, message, code: 'invalid_tiers' });
    const isLast = index === tiers.length - 1;
    if (tier.upTo === null) {
      if (!isLast) refuse('upTo', 'Only the last tier is open (null).');
    } else if (isLast) refuse('upTo', 'The last tier must be open (null).');
    else {
      const bound = decimal(tier.upTo);
      if (compareDecimal(bound, previous) <= 0) refuse('upTo', 'Bounds must rise from tier to tier and be above zero.');
      previous = bound;
    }
    if (type === 'stair_step' && tier.hasUnitPrice) refuse('unitPrice', 'A stair step has a flatPrice only.');
    if (type === 'stair_step' ? !tier.hasFlatPrice : !tier.hasUnitPrice && !tier.hasFlatPrice) {
      refuse(type === 'stair_step' ? 'flatPrice' : 'unitPrice', 'The tier has no price.');
    }
  });
  return violations;
}
