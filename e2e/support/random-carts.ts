import fc from 'fast-check';
import type { Json } from './api.js';

/** A price and how much of it. */
export interface RandomItem {
  readonly isOneTime: boolean;
  /** What is measured costs its minimum price, as nothing is used. */
  readonly isMeasured: boolean;
  readonly taxGroup: 'standard' | 'reduced' | 'zero';
  readonly quantity: string;
  readonly price: Json;
}

/** A cart as anybody could fill it. */
export interface RandomCart {
  readonly place: readonly [country: string, vatId: string | null];
  readonly isCompany: boolean;
  /** A customer that is known, with an address in another country; null: the buyer becomes one. */
  readonly knownIn: string | null;
  readonly currency: 'EUR' | 'USD' | 'JPY';
  readonly trialDays: number;
  readonly coupon: Json | null;
  readonly items: readonly RandomItem[];
  /** What the first price is changed to before the order. */
  readonly changedTo: string | null;
  readonly namesTotal: boolean;
}

const amount = fc.integer({ min: 1, max: 250_000 });
const quantity = fc.oneof(
  { arbitrary: fc.integer({ min: 1, max: 60 }).map(String), weight: 3 },
  { arbitrary: fc.constantFrom('0.5', '2.75', '0.333', '17.125', '999.999'), weight: 1 },
);
const unitPrice = fc.record({ amount });

const price = fc.oneof(
  amount.map((cents) => ({ type: 'flat_fee', price: { amount: cents } })),
  amount.map((cents) => ({ type: 'per_unit', price: { amount: cents } })),
  fc.record({ amount, precision: fc.integer({ min: 3, max: 6 }) }).map((fine) => ({ type: 'per_unit', price: fine })),
  fc.tuple(fc.constantFrom('tiered', 'volume'), unitPrice, unitPrice, amount).map(([type, first, rest, flat]) => ({
    type,
    tiers: [
      { upTo: '5', unitPrice: first },
      { upTo: null, unitPrice: rest, flatPrice: { amount: flat } },
    ],
  })),
);

const terms = fc.record({
  billingInterval: fc.constantFrom('1M', '1M', '1Y', '1W'),
  payInAdvance: fc.constantFrom(true, true, true, false),
  applyTrial: fc.boolean(),
  freeUnits: fc.constantFrom(0, 0, 2),
});

const base = fc.record({
  taxGroup: fc.constantFrom<RandomItem['taxGroup']>('standard', 'standard', 'reduced', 'zero'),
  quantity,
  price,
});

const oneTime: fc.Arbitrary<RandomItem> = base.map((known) => ({ ...known, isOneTime: true, isMeasured: false }));

const recurring: fc.Arbitrary<RandomItem> = fc
  .record({ base, terms, minimum: amount, isMeasured: fc.constantFrom(false, false, false, true) })
  .map(({ base: { price: known, ...rest }, terms: { payInAdvance, ...more }, minimum, ...measured }) => {
    const isMeasured = measured.isMeasured && known.type !== 'flat_fee';
    // What is billed later is not billed so late that the whole system has to live through a year.
    const isLater = isMeasured || !payInAdvance;
    const billingInterval = isLater && more.billingInterval === '1Y' ? '1M' : more.billingInterval;
    const further = { billingInterval, ...(isMeasured ? { minimumPrice: { amount: minimum } } : { payInAdvance }) };
    return { ...rest, isOneTime: false, isMeasured, price: { ...known, ...more, ...further } };
  });

/** Euro; carts in other currencies have them in theirs. */
const coupon = fc
  .record({
    value: fc.oneof(
      fc
        .constantFrom('10', '12.5', '33.333333', '0.5', '100')
        .map((percentage) => ({ type: 'percentage', percentage })),
      fc.integer({ min: 1, max: 9_000 }).map((cents) => ({ type: 'fixed_amount', fixedAmount: { amount: cents } })),
    ),
    frequency: fc.constantFrom(
      { frequency: 'once' },
      { frequency: 'limited', frequencyInterval: 2 },
      { frequency: 'lifetime' },
    ),
  })
  .map(({ value, frequency }) => ({ ...value, ...frequency }));

export const randomCart: fc.Arbitrary<RandomCart> = fc.record({
  place: fc.constantFrom<RandomCart['place']>(
    ['DE', null],
    ['DE', 'DE123456789'],
    ['AT', null],
    ['AT', 'ATU12345675'],
    ['AT', 'ATU12345000'],
    ['FR', 'FR12345678999'],
    ['FR', 'nonsense'],
    ['CH', null],
    ['US', null],
    ['GB', 'GB123456789'],
  ),
  isCompany: fc.boolean(),
  knownIn: fc.option(fc.constantFrom('DE', 'AT', 'CH'), { nil: null, freq: 2 }),
  currency: fc.constantFrom('EUR', 'EUR', 'EUR', 'USD', 'JPY'),
  trialDays: fc.constantFrom(0, 0, 0, 10),
  coupon: fc.option(coupon, { nil: null, freq: 2 }),
  items: fc
    .tuple(fc.array(recurring, { minLength: 1, maxLength: 3 }), fc.array(oneTime, { maxLength: 2 }))
    .map(([again, once]) => [...again, ...once]),
  changedTo: fc.option(quantity, { nil: null }),
  namesTotal: fc.boolean(),
});

/** Rules of the seller that tax depends on. */
export const randomSeller = fc.record({
  now: fc.constantFrom(
    '2026-03-02T09:00:00.000Z',
    '2026-01-31T22:30:00.000Z',
    '2026-02-28T23:30:00.000Z',
    '2026-10-24T22:30:00.000Z',
  ),
  oss: fc.boolean(),
  smallBusiness: fc.constantFrom(false, false, false, true),
});
