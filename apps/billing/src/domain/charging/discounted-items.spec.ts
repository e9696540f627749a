import { describe, expect, it } from '@jest/globals';
import { addDays, type Day } from '@kontor/kernel';
import { howMany } from '@kontor/testing';
import fc from 'fast-check';
import { addDiscount, type NewDiscount } from '../discounts/add-discount.js';
import type { Gap } from '../periods/service-periods.js';
import type { BilledCharge } from './credit-unused.js';
import { payable } from '../rating/rate-line.js';
import type { ChargeablePrice, ItemBilling } from '../subscriptions/item-billing.js';
import { withChange } from '../subscriptions/planned-change.js';
import { chargeItem } from './charge-item.js';
import { correctUsage } from './correct-usage.js';

interface Terms {
  readonly percentage?: number;
  readonly fixed?: number;
  /** Billing intervals. */
  readonly limit: number;
}

const START: Day = '2026-01-31';

const discountOf = ({ percentage, fixed, limit }: Terms): NewDiscount => ({
  terms: {
    name: 'Sommer',
    type: percentage === undefined ? 'fixed_amount' : 'percentage',
    percentage: percentage === undefined ? null : String(percentage),
    fixedAmount: fixed ?? null,
    currencyCode: fixed === undefined ? null : 'EUR',
    frequency: limit === Infinity ? 'lifetime' : limit === 1 ? 'once' : 'limited',
    frequencyInterval: limit === Infinity || limit === 1 ? null : limit,
  },
  products: null,
  couponId: null,
  redemptionId: null,
  sharedId: null,
});

const priceOf = (id: string, amount: number, payInAdvance: boolean): ChargeablePrice => ({
  id,
  type: 'flat_fee',
  currencyCode: 'EUR',
  priceAmount: BigInt(amount),
  pricePrecision: 2,
  tiers: [],
  packageSize: null,
  freeUnits: 0,
  minimumPriceAmount: null,
  billingInterval: '1M',
  payInAdvance,
  proRata: true,
  oneTime: false,
});

/** An item that is billed as a run does it, day by day, with what happens to it in between. */
class Life {
  private gaps: Gap[] = [];
  private endsOn: Day | null = null;
  private charges: BilledCharge[] = [];
  private readonly prices = new Map<string, ChargeablePrice>();
  state: ItemBilling & { status: string };
  paid = 0n;

  constructor(
    amount: number,
    private readonly payInAdvance: boolean,
    terms: readonly Terms[],
    private readonly proRata = true,
  ) {
    this.prices.set('p0', { ...priceOf('p0', amount, payInAdvance), proRata });
    this.state = {
      id: 'item',
      status: 'pending',
      pricePlanId: 'p0',
      quantity: '1',
      startOn: START,
      anchorOn: START,
      billedTo: null,
      creditFrom: null,
      creditDueOn: null,
      plannedChanges: null,
      quantitySteps: null,
    };
    for (const [n, discount] of terms.entries())
      this.state = addDiscount(this.state, discountOf(discount), { id: `d${n}`, now: new Date(0) });
  }

  bill(until: Day): void {
    const result = chargeItem(this.state, {
      priceOf: (id) => this.prices.get(id) as ChargeablePrice,
      gaps: this.gaps,
      endsOn: this.endsOn,
      until,
      anchorFor: (day) => day,
      billed: this.charges,
    });
    this.state = { ...this.state, ...result.state };
    for (const { id, usedTo, usedAmount } of result.credited)
      this.charges = this.charges.map((charge) => (charge.id === id ? { ...charge, usedTo, usedAmount } : charge));
    for (const line of result.lines) {
      this.paid += payable(line.amount);
      expect(line.amount.discounts.reduce((sum, { amount }) => sum + amount, 0)).toBe(
        Number(line.amount.discountMinor),
      );
      if (line.kind === 'credit') continue;
      const { pricePlanId, quantity, serviceFrom, serviceTo, intervalFrom, intervalTo } = line;
      this.charges.push({
        id: `charge-${this.charges.length}`,
        pricePlanId,
        quantity,
        serviceFrom,
        serviceTo,
        intervalFrom,
        intervalTo,
        usedTo: serviceTo,
        usedAmount: payable(line.amount),
        discounts: line.amount.discounts,
      });
    }
  }

  get isPaused(): boolean {
    return this.gaps.at(-1)?.to === null;
  }

  pause(day: Day): void {
    this.gaps.push({ from: day, to: null });
  }

  resume(day: Day): void {
    const { from } = this.gaps.pop() as Gap;
    this.gaps.push({ from, to: day });
    if (this.state.billedTo !== null && this.state.billedTo > from)
      this.state = { ...this.state, creditFrom: from, creditDueOn: day };
  }

  change(day: Day, amount: number): void {
    const id = `p${this.prices.size}`;
    this.prices.set(id, { ...priceOf(id, amount, this.payInAdvance), proRata: this.proRata });
    if (this.state.billedTo === null && START >= day) {
      this.state = { ...this.state, pricePlanId: id };
      return;
    }
    const change = { id, kind: 'change', from: day, pricePlanId: id, quantity: null, credit: 'pro_rata' } as const;
    this.state = { ...this.state, plannedChanges: withChange(this.state.plannedChanges, change) };
  }

  end(day: Day): void {
    const open = this.gaps.at(-1);
    this.endsOn = open?.to === null ? open.from : day;
    if (open?.to === null) this.gaps.pop();
  }
}

/** The month's boundary, counted from the start: the 31st where there is one. */
function boundary(n: number): Day {
  const last = new Date(Date.UTC(2026, n + 1, 0)).getUTCDate();
  return new Date(Date.UTC(2026, n, Math.min(31, last))).toISOString().slice(0, 10) as Day;
}
const daysFrom = (from: Day, to: Day): number => (Date.parse(to) - Date.parse(from)) / 86_400_000;
const rounded = (numerator: bigint, denominator: bigint): bigint => (2n * numerator + denominator) / (2n * denominator);

/** A day of an item: what it costs for a month, and from which day on it has been used without a break. */
interface UsedDay {
  readonly day: Day;
  readonly amount: number;
  readonly since: Day;
}

/**
 * What used days cost, counted without any of billing's code: of each month the runs of days at one price, each with
 * its part of the discounts, which a month has once.
 */
function modelled(days: readonly UsedDay[], terms: readonly Terms[], payInAdvance: boolean): bigint {
  const used = terms.map(() => 0);
  let total = 0n;
  for (let month = 0; boundary(month) <= (days.at(-1)?.day ?? ''); month++) {
    const [from, to] = [boundary(month), boundary(month + 1)];
    const ofMonth = days.filter(({ day }) => day >= from && day < to);
    if (ofMonth.length === 0) continue;
    const counts = terms.map(({ limit }, n) => (used[n] as number) < limit);
    const left = terms.map(({ fixed }) => fixed ?? 0);
    const length = daysFrom(from, to);
    const runs = Map.groupBy(ofMonth, ({ since, amount }) => `${since} ${amount}`);
    for (const run of runs.values()) {
      const [{ day: first, amount }] = run as [UsedDay];
      // In advance a line reaches to the end of its month; what is not used of it is credited.
      const line = payInAdvance ? daysFrom(first, to) : run.length;
      let [numerator, denominator] = [BigInt(amount) * BigInt(run.length), BigInt(length)];
      let whole = BigInt(amount) * BigInt(line);
      for (const [n, { fixed }] of terms.entries()) {
        if (fixed === undefined || !counts[n]) continue;
        const available = BigInt(left[n] as number);
        numerator = numerator * BigInt(line) - available * BigInt(run.length) * denominator;
        denominator *= BigInt(line);
        if (numerator < 0n) numerator = 0n;
        // What the whole line cannot bear is left for the next one, and what its used days did not take.
        const before = rounded(whole, BigInt(length));
        whole = whole > available * BigInt(length) ? whole - available * BigInt(length) : 0n;
        const taken = before - rounded(whole, BigInt(length));
        (left[n] as number) -= Number(rounded(taken * BigInt(run.length), BigInt(line)));
      }
      for (const [n, { percentage }] of terms.entries()) {
        if (percentage === undefined || !counts[n]) continue;
        numerator *= BigInt(100 - percentage);
        denominator *= 100n;
      }
      total += rounded(numerator, denominator);
    }
    for (const n of terms.keys()) if (counts[n]) used[n] = (used[n] as number) + 1;
  }
  return total;
}

const limit = fc.constantFrom(1, 2, 3, Infinity);
const terms = fc.oneof(
  fc.record({ percentage: fc.integer({ min: 1, max: 100 }), limit }),
  fc.record({ fixed: fc.integer({ min: 1, max: 3000 }), limit }),
);
const step = fc.record({
  after: fc.integer({ min: 0, max: 50 }),
  what: fc.constantFrom('pause or resume', 'change'),
  amount: fc.integer({ min: 1, max: 9999 }),
  /** Whether the day's run comes before what happens on it. */
  billedFirst: fc.boolean(),
});

describe('discounted items', () => {
  it('pay for each used day once, with its discounts once, to the minor unit', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 9999 }),
        fc.boolean(),
        fc.array(terms, { maxLength: 3 }),
        fc.array(step, { maxLength: 6 }),
        fc.integer({ min: 0, max: 100 }),
        (firstAmount, payInAdvance, discounts, steps, rest) => {
          const life = new Life(firstAmount, payInAdvance, discounts);
          const days: UsedDay[] = [];
          let [day, amount, since]: [Day, number, Day] = [START, firstAmount, START];
          const pass = (until: Day): void => {
            for (; day < until; day = addDays(day, 1)) {
              life.bill(day);
              if (!life.isPaused) days.push({ day, amount, since });
            }
          };
          for (const { after, what, amount: next, billedFirst } of steps) {
            pass(addDays(day, after));
            if (what === 'change' && life.isPaused) continue;
            if (billedFirst) life.bill(day);
            if (what === 'change') {
              life.change(day, next);
              amount = next;
            } else if (life.isPaused) life.resume(day);
            else life.pause(day);
            since = day;
            life.bill(day);
          }
          pass(addDays(day, rest));
          life.end(day);
          life.bill(addDays(day, 400));
          expect(life.paid).toBe(modelled(days, discounts, payInAdvance));
        },
      ),
      { numRuns: howMany(300, 5000) },
    );
  });
});

describe('a discounted item whose price is not prorated', () => {
  it('has a fixed amount once in an interval: a change credits nothing, and releases nothing of it', () => {
    const life = new Life(10_000, true, [{ fixed: 3000, limit: 2 }], false);
    life.bill(START);
    for (const [day, paid] of [
      ['2026-02-10', 7000n + 20_000n],
      ['2026-02-20', 7000n + 40_000n],
    ] as const) {
      life.change(day, 20_000);
      life.bill(day);
      expect(life.paid).toBe(paid);
    }
    life.bill('2026-02-28');
    expect(life.paid).toBe(7000n + 40_000n + 17_000n);
  });
});

describe('discounted usage', () => {
  it('is corrected at the discounts that its period was billed with', () => {
    const meter = { source: 'usage' as const, id: 'm', groupBy: [], name: 'Calls', unit: null };
    const price: ChargeablePrice = { ...priceOf('p', 100, false), type: 'per_unit', meter };
    let item: ItemBilling & { status: string } = {
      id: 'item',
      status: 'active',
      pricePlanId: 'p',
      quantity: '1',
      startOn: START,
      anchorOn: START,
      billedTo: null,
      creditFrom: null,
      creditDueOn: null,
      plannedChanges: null,
      quantitySteps: null,
    };
    for (const [n, terms] of [
      { percentage: 10, limit: 1 },
      { fixed: 300, limit: 1 },
    ].entries())
      item = addDiscount(item, discountOf(terms), { id: `d${n}`, now: new Date(0) });
    const used = (quantity: string) => ({ quantity, groups: [], closingId: 'c' });
    const { lines } = chargeItem(item, {
      priceOf: () => price,
      gaps: [],
      endsOn: null,
      until: '2026-02-28',
      anchorFor: (day) => day,
      billed: [],
      measured: () => used('20'),
    });
    const [line] = lines;
    if (!line) throw new Error('a period is billed');
    // (20.00 - 3.00) × 0.9
    expect(payable(line.amount)).toBe(1530n);
    const corrected = correctUsage(
      {
        chargeId: 'charge',
        closingId: 'c',
        itemId: 'item',
        itemRevision: 0,
        pricePlanId: 'p',
        serviceFrom: line.serviceFrom,
        serviceTo: line.serviceTo,
        intervalFrom: line.intervalFrom,
        intervalTo: line.intervalTo,
        quantity: '20',
        charged: 1530n,
        corrections: 0,
        discounts: line.explanation.discounts,
      },
      price,
      meter,
      used('25'),
      '2026-03-31',
    );
    expect(corrected.amount.netMinor).toBe(450n);
    expect(corrected.explanation.discounts).toMatchObject([
      { id: 'd1', amount: 300 },
      { id: 'd0', amount: 220 },
    ]);
  });
});
