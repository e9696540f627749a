import { addDays, type Day, daysBetween, parseInterval } from '@kontor/kernel';
import { describe, expect, it, test } from '@jest/globals';
import fc from 'fast-check';
import type { Gap } from '../periods/service-periods.js';
import { payable } from '../rating/rate-line.js';
import type { BilledCharge } from './credit-unused.js';
import type { ChargeDraft } from './charge.js';
import type { ChargeablePrice, ItemBilling } from '../subscriptions/item-billing.js';
import { chargeItem, type ItemCharges } from './charge-item.js';
import type { ItemContext } from './item-context.js';
import type { PlannedChange } from '../subscriptions/planned-change.js';
import { describeLine } from './describe-line.js';
import { groupCharges } from './group-charges.js';

const price = (change: Partial<ChargeablePrice> = {}): ChargeablePrice => ({
  id: 'basic',
  type: 'per_unit',
  currencyCode: 'EUR',
  priceAmount: 1000n,
  pricePrecision: 2,
  tiers: [],
  packageSize: null,
  freeUnits: 0,
  minimumPriceAmount: null,
  billingInterval: '1M',
  payInAdvance: true,
  proRata: true,
  oneTime: false,
  ...change,
});

const item = (change: Partial<ItemBilling> = {}): ItemBilling => ({
  id: 'item',
  pricePlanId: 'basic',
  quantity: '1',
  startOn: '2026-01-01',
  anchorOn: '2026-01-01',
  billedTo: null,
  creditFrom: null,
  creditDueOn: null,
  plannedChanges: null,
  quantitySteps: null,
  ...change,
});

const change = (from: Day, pricePlanId: string, terms: Partial<PlannedChange> = {}): PlannedChange => ({
  id: 'change',
  kind: 'change',
  from,
  pricePlanId,
  quantity: null,
  credit: 'pro_rata',
  ...terms,
});

const context = (until: Day, change: Partial<ItemContext> & { prices?: ChargeablePrice[] } = {}): ItemContext => ({
  priceOf: (id) => (change.prices ?? [price()]).find((p) => p.id === id)!,
  gaps: [],
  endsOn: null,
  until,
  anchorFor: (day) => day,
  billed: [],
  ...change,
});

const show = ({ lines }: Pick<ItemCharges, 'lines'>): string[] =>
  lines.map((l) => `${l.kind} ${l.dueOn}: ${l.serviceFrom}..${l.serviceTo} ${l.amount.netMinor}`);

const asBilled = (line: ChargeDraft, n = 0): BilledCharge => ({
  id: `charge-${n}`,
  pricePlanId: line.pricePlanId,
  quantity: line.quantity,
  serviceFrom: line.serviceFrom,
  serviceTo: line.serviceTo,
  intervalFrom: line.intervalFrom,
  intervalTo: line.intervalTo,
  usedTo: line.serviceTo,
  usedAmount: payable(line.amount),
  discounts: line.amount.discounts,
});

describe('charging an item', () => {
  it('in advance: the period that begins, and the day of the next', () => {
    const result = chargeItem(item(), context('2026-01-01'));
    expect(show(result)).toEqual(['regular 2026-01-01: 2026-01-01..2026-02-01 1000']);
    expect([result.state.billedTo, result.nextDueOn]).toEqual(['2026-02-01', '2026-02-01']);
  });

  it('in arrears: the period that has ended', () => {
    const arrears = { prices: [price({ payInAdvance: false })] };
    expect(chargeItem(item(), context('2026-01-31', arrears))).toMatchObject({ lines: [], nextDueOn: '2026-02-01' });
    expect(show(chargeItem(item(), context('2026-02-01', arrears)))).toEqual([
      'regular 2026-02-01: 2026-01-01..2026-02-01 1000',
    ]);
  });

  it('every missed period, each on its own day', () => {
    expect(chargeItem(item(), context('2026-04-15')).lines.map((l) => l.dueOn)).toEqual([
      '2026-01-01',
      '2026-02-01',
      '2026-03-01',
      '2026-04-01',
    ]);
  });

  it('a one-time price once', () => {
    const once = { prices: [price({ oneTime: true })] };
    const first = chargeItem(item(), context('2026-01-01', once));
    expect(show(first)).toEqual(['setup 2026-01-01: 2026-01-01..2026-01-02 1000']);
    expect(chargeItem(first.state, context('2027-01-01', once))).toMatchObject({ lines: [], nextDueOn: null });
    expect(chargeItem(first.state, context('2027-01-01', { ...once, endsOn: '2026-01-01' })).lines).toEqual([]);
  });

  it('a known end prorates the last period', () => {
    const result = chargeItem(item(), context('2026-03-01', { endsOn: '2026-01-11' }));
    expect(show(result)).toEqual(['regular 2026-01-01: 2026-01-01..2026-01-11 323']);
    expect(result.nextDueOn).toBeNull();
  });

  it('an end inside a paid period gives the unused rest back on that day', () => {
    const paid = chargeItem(item(), context('2026-01-01'));
    const billed = [asBilled(paid.lines[0]!)];
    const before = chargeItem(paid.state, context('2026-01-10', { endsOn: '2026-01-11', billed }));
    expect(before).toMatchObject({ lines: [], nextDueOn: '2026-01-11' });
    const after = chargeItem(paid.state, context('2026-01-11', { endsOn: '2026-01-11', billed }));
    expect(show(after)).toEqual(['credit 2026-01-11: 2026-01-11..2026-02-01 -677']);
    expect(after.credited).toEqual([{ id: 'charge-0', itemId: 'item', usedTo: '2026-01-11', usedAmount: 323n }]);
    expect(chargeItem(after.state, context('2027-01-01', { endsOn: '2026-01-11', billed: [] }))).toMatchObject({
      lines: [],
      nextDueOn: null,
    });
  });

  it('without proRata nothing is credited on leaving', () => {
    const prices = [price({ proRata: false })];
    const paid = chargeItem(item(), context('2026-01-01', { prices }));
    const left = chargeItem(
      paid.state,
      context('2026-01-11', { prices, endsOn: '2026-01-11', billed: [asBilled(paid.lines[0]!)] }),
    );
    expect(left).toMatchObject({ lines: [], credited: [], nextDueOn: null });
  });

  it('a change inside a paid period: the rest of the old back, the rest of the new', () => {
    const prices = [price(), price({ id: 'pro', priceAmount: 3100n })];
    const paid = chargeItem(item(), context('2026-01-01', { prices }));
    const changed = {
      ...paid.state,
      plannedChanges: [change('2026-01-11', 'pro', { quantity: '2' })],
    };
    const result = chargeItem(changed, context('2026-01-11', { prices, billed: [asBilled(paid.lines[0]!)] }));
    expect(show(result)).toEqual([
      'credit 2026-01-11: 2026-01-11..2026-02-01 -677',
      'regular 2026-01-11: 2026-01-11..2026-02-01 4200',
    ]);
    expect(result.state).toMatchObject({
      pricePlanId: 'pro',
      quantity: '2',
      anchorOn: '2026-01-01',
      billedTo: '2026-02-01',
      plannedChanges: null,
    });
  });

  it('a change to another interval begins that interval on its day', () => {
    const prices = [price(), price({ id: 'year', billingInterval: '1Y', priceAmount: 10_000n })];
    const result = chargeItem(
      item({ billedTo: '2026-02-01', plannedChanges: [change('2026-02-01', 'year')] }),
      context('2026-02-01', { prices }),
    );
    expect(show(result)).toEqual(['regular 2026-02-01: 2026-02-01..2027-02-01 10000']);
    expect(result.state.anchorOn).toBe('2026-02-01');
  });

  it('a change at the end of a period in arrears: the old to that day, the new from it', () => {
    const prices = [price({ payInAdvance: false }), price({ id: 'pro', priceAmount: 3000n })];
    const result = chargeItem(
      item({ plannedChanges: [change('2026-02-01', 'pro')] }),
      context('2026-02-01', { prices }),
    );
    expect(show(result)).toEqual([
      'regular 2026-02-01: 2026-01-01..2026-02-01 1000',
      'regular 2026-02-01: 2026-02-01..2026-03-01 3000',
    ]);
  });

  it('a change in the future waits for its day', () => {
    const prices = [price(), price({ id: 'pro', priceAmount: 3000n })];
    const result = chargeItem(
      item({ plannedChanges: [change('2026-02-01', 'pro')] }),
      context('2026-01-01', { prices }),
    );
    expect(result).toMatchObject({ nextDueOn: '2026-02-01', state: { pricePlanId: 'basic' } });
  });

  const day = fc.integer({ min: 0, max: 8000 }).map((n) => addDays('2005-01-01', n));
  const anyPrice = fc
    .record({
      amount: fc.integer({ min: 1, max: 5_000_000 }),
      interval: fc.constantFrom('1M', '3M', '1Y', '14D'),
      currency: fc.constantFrom('EUR', 'JPY', 'KWD'),
    })
    .map(({ amount, interval, currency }) =>
      price({ priceAmount: BigInt(amount), billingInterval: interval, currencyCode: currency }),
    );

  it('the parts of a paid period always sum to it: used + credit = billed', () => {
    fc.assert(
      fc.property(day, anyPrice, fc.integer({ min: 1, max: 50 }), fc.nat(), (start, p, quantity, at) => {
        const prices = [p];
        const paid = chargeItem(
          item({ startOn: start, anchorOn: start, quantity: String(quantity) }),
          context(start, { prices }),
        );
        const line = paid.lines[0]!;
        const endsOn = addDays(start, at % (daysBetween(line.serviceFrom, line.serviceTo) + 1));
        const left = chargeItem(paid.state, context(endsOn, { prices, endsOn, billed: [asBilled(line)] }));
        const known = chargeItem(
          item({ startOn: start, anchorOn: start, quantity: String(quantity) }),
          context(endsOn, { prices, endsOn }),
        );
        const sum = (lines: readonly ChargeDraft[]): bigint =>
          lines.reduce((total, l) => total + payable(l.amount), 0n);
        expect(sum(paid.lines) + sum(left.lines)).toBe(sum(known.lines));
      }),
      { numRuns: 500 },
    );
  });

  it('however a time is cut into runs, the lines are the same, and tile it', () => {
    const runs = fc.array(fc.integer({ min: 0, max: 70 }), { minLength: 1, maxLength: 12 });
    const pauses = fc.array(fc.tuple(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 1, max: 60 })), {
      maxLength: 3,
    });
    fc.assert(
      fc.property(day, anyPrice, fc.boolean(), runs, pauses, (start, p, payInAdvance, steps, rests) => {
        const prices = [{ ...p, payInAdvance }];
        const gaps: Gap[] = [];
        let at = start;
        for (const [wait, rest] of rests) {
          const from = addDays(at, wait);
          at = addDays(from, rest);
          gaps.push({ from, to: at });
        }
        let state = item({ startOn: start, anchorOn: start });
        let until = addDays(start, -1);
        const lines: ChargeDraft[] = [];
        for (const step of steps) {
          until = addDays(until, step);
          const result = chargeItem(state, context(until, { prices, gaps }));
          state = result.state;
          lines.push(...result.lines);
          expect(result.nextDueOn! > until).toBe(true);
        }
        const atOnce = chargeItem(item({ startOn: start, anchorOn: start }), context(until, { prices, gaps }));
        expect(lines).toEqual(atOnce.lines);
        for (const [n, line] of lines.entries())
          if (n > 0) expect(line.serviceFrom >= lines[n - 1]!.serviceTo).toBe(true);
      }),
      { numRuns: 200 },
    );
  });
});

describe('consolidation', () => {
  const line = (dueOn: Day): ChargeDraft =>
    chargeItem(item({ startOn: dueOn, anchorOn: dueOn }), context(dueOn)).lines[0]!;
  const routed = (dueOn: Day, paymentMethodId: string | null = null, invoiceAddressId: string | null = null) => ({
    charge: line(dueOn),
    route: { paymentMethodId, invoiceAddressId },
    recipientId: 'payer',
  });

  test.each([
    ['one day is one invoice', [routed('2026-03-01'), routed('2026-03-01')], ['2026-03-01 2']],
    [
      'each missed day is one, in order',
      [routed('2026-03-01'), routed('2026-02-01')],
      ['2026-02-01 1', '2026-03-01 1'],
    ],
    [
      'another payment method splits',
      [routed('2026-03-01'), routed('2026-03-01', 'pm')],
      ['2026-03-01 1', '2026-03-01 1'],
    ],
    [
      'another address splits',
      [routed('2026-03-01', null, 'a'), routed('2026-03-01', null, 'b'), routed('2026-03-01', null, 'a')],
      ['2026-03-01 2', '2026-03-01 1'],
    ],
    [
      'another recipient splits, and comes after the payer',
      [{ ...routed('2026-03-01'), recipientId: 'former' }, routed('2026-03-01'), routed('2026-03-01')],
      ['2026-03-01 2', '2026-03-01 1'],
    ],
  ])('%s', (_name, charges, expected) => {
    expect(groupCharges(charges, 'payer').map((group) => `${group.billingDay} ${group.charges.length}`)).toEqual(
      expected,
    );
  });
});

describe('what a document says about a line', () => {
  const tiers = ['10', '50', null].map((upTo, n) => ({
    upTo,
    unitPriceAmount: String(1000 - 200 * n),
    unitPricePrecision: 2,
    flatPriceAmount: '0',
  }));
  const explain = (p: ChargeablePrice, quantity: string, endsOn: Day | null = null) =>
    chargeItem(item({ quantity }), context('2026-01-01', { prices: [p], endsOn })).lines[0]!.explanation;
  const credited = (p: ChargeablePrice, quantity: string) => {
    const { state, lines } = chargeItem(item({ quantity }), context('2026-01-01', { prices: [p] }));
    const left = { ...state, creditFrom: '2026-01-11' as Day, creditDueOn: '2026-01-11' as Day };
    const end = context('2026-01-11', { prices: [p], endsOn: '2026-01-11', billed: [asBilled(lines[0]!)] });
    return chargeItem(left, end).lines[0]!.explanation;
  };

  test.each([
    ['nothing about a plain one', explain(price(), '3'), 'de', null],
    ['a share of days', explain(price(), '1', '2026-01-11'), 'de', 'anteilig 10 von 31 Tagen'],
    [
      'how many units a share is for',
      explain(price(), '3', '2026-01-11'),
      'de',
      '3 × 10,00 EUR; anteilig 10 von 31 Tagen',
    ],
    [
      'nothing of units that a flat fee does not count',
      explain(price({ type: 'flat_fee' }), '3', '2026-01-11'),
      'en',
      'prorated, 10 of 31 days',
    ],
    [
      'how many units a minimum is for',
      explain(price({ minimumPriceAmount: 50000n }), '3'),
      'en',
      '3 × 10.00 EUR; Minimum price',
    ],
    [
      'how many units a credit is for',
      credited(price(), '3'),
      'de',
      'Gutschrift für nicht genutzte Zeit: 21 von 31 Tagen; Menge 3',
    ],
    ['nothing of a single one', credited(price(), '1'), 'en', 'Credit for unused time: 21 of 31 days'],
    [
      'nothing of units in the credit of a flat fee',
      credited(price({ type: 'flat_fee' }), '3'),
      'en',
      'Credit for unused time: 21 of 31 days',
    ],
    [
      'slices',
      explain(price({ type: 'tiered', priceAmount: null, tiers }), '60'),
      'en',
      '10 × 10.00 + 40 × 8.00 + 10 × 6.00 EUR',
    ],
    [
      'slices in German',
      explain(price({ type: 'tiered', priceAmount: null, tiers }), '12.5'),
      'de',
      '10 × 10,00 + 2,5 × 8,00 EUR',
    ],
    [
      'free units and a minimum',
      explain(price({ freeUnits: 2, minimumPriceAmount: 5000n }), '3'),
      'en',
      '2 units free; Minimum price',
    ],
  ])('%s', (_name, explanation, language, expected) => {
    expect(describeLine(explanation, 'EUR', language)).toBe(expected);
  });

  it('an aligned interval after a change follows the group', () => {
    const prices = [price(), price({ id: 'year', billingInterval: '1Y' })];
    const result = chargeItem(
      item({ billedTo: '2026-02-01', plannedChanges: [change('2026-02-01', 'year')] }),
      context('2026-02-01', { prices, anchorFor: () => '2027-01-01' }),
    );
    expect(show(result)).toEqual(['regular 2026-02-01: 2026-02-01..2027-01-01 915']);
    expect(parseInterval('1Y').unit).toBe('Y');
  });
});
