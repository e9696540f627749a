import { describe, expect, it } from '@jest/globals';
import { tierViolations, type TierInput, type TieredType } from './tiers.js';

const unit = (upTo: string | null): TierInput => ({ upTo, hasUnitPrice: true, hasFlatPrice: false });
const flat = (upTo: string | null): TierInput => ({ upTo, hasUnitPrice: false, hasFlatPrice: true });
const both = (upTo: string | null): TierInput => ({ upTo, hasUnitPrice: true, hasFlatPrice: true });

describe('tiers', () => {
  it.each<[string, TieredType, TierInput[]]>([
    ['rising bounds and an open end', 'tiered', [unit('10'), unit('50'), unit(null)]],
    ['a single open tier', 'volume', [both(null)]],
    ['fractions', 'tiered', [unit('0.5'), unit('0.75'), flat(null)]],
    ['steps with flat prices', 'stair_step', [flat('50'), flat(null)]],
  ])('accepted: %s', (_name, type, tiers) => expect(tierViolations(type, tiers)).toEqual([]));

  it.each<[string, TieredType, TierInput[], string]>([
    ['none', 'tiered', [], 'tiers'],
    ['a closed end', 'tiered', [unit('10'), unit('50')], 'tiers[1].upTo'],
    ['an open tier in the middle', 'tiered', [unit(null), unit('50'), unit(null)], 'tiers[0].upTo'],
    ['equal bounds', 'volume', [unit('10'), unit('10.0'), unit(null)], 'tiers[1].upTo'],
    ['falling bounds', 'volume', [unit('10'), unit('9'), unit(null)], 'tiers[1].upTo'],
    ['a bound of zero', 'volume', [unit('0'), unit(null)], 'tiers[0].upTo'],
    ['a step with a unit price', 'stair_step', [both(null)], 'tiers[0].unitPrice'],
    [
      'a step without a flat price',
      'stair_step',
      [{ upTo: null, hasUnitPrice: false, hasFlatPrice: false }],
      'tiers[0].flatPrice',
    ],
    [
      'a tier without a price',
      'tiered',
      [{ upTo: null, hasUnitPrice: false, hasFlatPrice: false }],
      'tiers[0].unitPrice',
    ],
  ])('refused: %s', (_name, type, tiers, path) =>
    expect(tierViolations(type, tiers).map((v) => v.propertyPath)).toContain(path),
  );
});
