import { describe, expect, it } from '@jest/globals';
import { addDays, type Day } from '@kontor/kernel';
import { howMany, testSeed } from '@kontor/testing';
import fc from 'fast-check';
import { addDiscount, type NewDiscount, removeDiscount } from '../discounts/add-discount.js';
import { payable } from '../rating/rate-line.js';
import { activate } from '../subscriptions/activate.js';
import { cancel, endNow, revokeCancellation } from '../subscriptions/cancel.js';
import { changeItem, revokeChange } from '../subscriptions/change-item.js';
import { passTime } from '../subscriptions/lifecycle.js';
import { pause, resume } from '../subscriptions/pause.js';
import { type Agreement, itemEnd, type ItemPrice, type ItemTerms } from '../subscriptions/subscription.js';
import { chargeItem } from './charge-item.js';
import type { BilledCharge } from './credit-unused.js';

const ZONE = 'Europe/Berlin';
const START: Day = '2026-01-31';
const DAYS = 30;
/** What each day is a multiple of, so that any tenth of it is whole cents. */
const TENTHS = 10;
const noonOf = (day: Day): Date => new Date(`${day}T11:00:00.000Z`);

/** A price for thirty days at whole cents a day: what a day costs is exact, whatever parts it is billed in. */
const priceOf =
  (payInAdvance: boolean) =>
  (id: string): ItemPrice => ({
    id,
    type: 'per_unit',
    currencyCode: 'EUR',
    priceAmount: BigInt(Number(id) * DAYS),
    pricePrecision: 2,
    tiers: [],
    packageSize: null,
    freeUnits: 0,
    minimumPriceAmount: null,
    billingInterval: `${DAYS}D`,
    payInAdvance,
    proRata: true,
    applyTrial: true,
    oneTime: false,
  });

const couponOf = (percentage: number): NewDiscount => ({
  terms: {
    name: 'Coupon',
    type: 'percentage',
    percentage: String(percentage),
    fixedAmount: null,
    currencyCode: null,
    frequency: 'lifetime',
    frequencyInterval: null,
  },
  products: null,
  couponId: 'coupon',
  redemptionId: null,
  sharedId: null,
});

/** A subscription as the service keeps it, moved by the rules that the service moves it by. */
class Life {
  private agreement: Agreement;
  private charges: BilledCharge[] = [];
  private readonly prices: (id: string) => ItemPrice;
  private readonly ratesOf = new Map<string, number>();
  private ids = 0;
  private couponId: string | null = null;
  /** Per cent of tax that a line gets which is billed now; what goes back has that of the line that it is of. */
  rate = 19;
  paid = 0n;
  /** In hundredths of cents. */
  taxed = 0n;

  constructor(payInAdvance: boolean, trialDays: number, cents: number) {
    this.prices = priceOf(payInAdvance);
    const terms = { status: 'draft', billingStart: null, trialDays, trialEndsOn: null, trialEndedAt: null } as const;
    const open = {
      anchorOn: null,
      endsOn: null,
      cancellationDate: null,
      cancelledAt: null,
      activatedAt: null,
    } as const;
    const contract = {
      contractStart: null,
      contractEnd: null,
      contractPeriodCount: null,
      contractPeriod: null,
    } as const;
    const subscription = { ...terms, ...open, ...contract, pauses: [], terminatedAt: null, cancellationPeriod: null };
    const item: ItemTerms = {
      id: 'item',
      pricePlanId: String(cents),
      quantity: '1',
      startOn: null,
      anchorOn: null,
      billedTo: null,
      creditFrom: null,
      creditDueOn: null,
      plannedChanges: null,
      quantitySteps: null,
      status: 'pending',
      type: 'product',
      startDate: null,
      endsOn: null,
      activatedAt: null,
    };
    const command = { now: noonOf(START), zone: ZONE, trialDays: null, billingStart: null, group: null };
    this.agreement = activate({ subscription, items: [item] }, this.prices, command);
  }

  get status(): string {
    return this.agreement.subscription.status;
  }

  /** A run of the day, after what time alone has done. */
  run(day: Day): void {
    this.agreement = passTime(this.agreement, this.prices, noonOf(day), ZONE);
    const { subscription } = this.agreement;
    if (subscription.status !== 'active' && subscription.status !== 'cancelled') return;
    const items = this.agreement.items.map((item) => this.charge(item, day));
    this.agreement = { subscription, items };
  }

  change(day: Day, pricePlanId: string | null, quantity: string | null, later: number): void {
    this.item((item) =>
      changeItem(item, this.agreement.subscription, this.prices, {
        id: String((this.ids += 1)),
        kind: 'change',
        pricePlanId,
        quantity,
        timing: later === 0 ? 'immediately' : 'custom',
        changeDate: noonOf(addDays(day, later)),
        credit: 'pro_rata',
        now: noonOf(day),
        zone: ZONE,
        group: null,
      }),
    );
  }

  /** Whether there was one. */
  revokeChange(day: Day): boolean {
    const [item] = this.agreement.items;
    const after = item && revokeChange(item, day);
    if (after) this.item(() => after);
    return Boolean(after);
  }

  /** Null takes off what there is. */
  coupon(percentage: number | null): void {
    const { couponId } = this;
    if (couponId !== null) this.item((item) => removeDiscount(item, couponId));
    this.couponId = percentage === null ? null : `coupon-${(this.ids += 1)}`;
    const id = this.couponId;
    if (percentage !== null && id !== null)
      this.item((item) => addDiscount(item, couponOf(percentage), { id, now: noonOf(START) }));
  }

  pause(day: Day): void {
    this.agreement = pause(this.agreement, noonOf(day), ZONE);
  }

  resume(day: Day, nextOn: Day | null): void {
    const nextBillingDate = nextOn === null ? null : noonOf(nextOn);
    const command = { now: noonOf(day), zone: ZONE, nextBillingDate, billMissedPeriods: false };
    this.agreement = resume(this.agreement, this.prices, command);
  }

  cancel(day: Day, later: number): void {
    const cancellationDate = noonOf(addDays(day, later));
    const command = { now: noonOf(day), zone: ZONE, cancellationDateType: 'custom' as const, cancellationDate };
    this.agreement = cancel(this.agreement, this.prices, command);
  }

  revokeCancellation(day: Day): void {
    this.agreement = revokeCancellation(this.agreement, this.prices, noonOf(day), ZONE);
  }

  end(day: Day): void {
    this.agreement = endNow(this.agreement, this.prices, noonOf(day), ZONE);
  }

  private item(change: (item: ItemTerms) => ItemTerms): void {
    this.agreement = { subscription: this.agreement.subscription, items: this.agreement.items.map(change) };
  }

  private charge(item: ItemTerms, day: Day): ItemTerms {
    const { subscription } = this.agreement;
    const result = chargeItem(item, {
      priceOf: this.prices,
      gaps: subscription.pauses,
      endsOn: itemEnd(subscription, item),
      until: day,
      anchorFor: (from) => from,
      billed: this.charges,
    });
    for (const { id, usedTo, usedAmount } of result.credited)
      this.charges = this.charges.map((charge) => (charge.id === id ? { ...charge, usedTo, usedAmount } : charge));
    for (const { kind, amount, ...line } of result.lines) {
      const rate = line.creditedChargeId === null ? this.rate : this.ratesOf.get(line.creditedChargeId);
      this.paid += payable(amount);
      this.taxed += payable(amount) * BigInt(rate ?? Number.NaN);
      if (kind === 'credit') continue;
      const id = String((this.ids += 1));
      this.ratesOf.set(id, this.rate);
      const { discounts } = amount;
      this.charges.push({ ...line, id, usedTo: line.serviceTo, usedAmount: payable(amount), discounts });
    }
    return { ...item, ...result.state };
  }
}

const STEPS = [
  'price',
  'quantity',
  'revoke change',
  'pause',
  'resume',
  'resume from',
  'cancel',
  'revoke cancellation',
  'coupon',
  'no coupon',
  'other tax',
  'nothing',
] as const;
const step = fc.record({
  after: fc.integer({ min: 0, max: 40 }),
  what: fc.constantFrom(...STEPS),
  cents: fc.integer({ min: 1, max: 500 }),
  quantity: fc.integer({ min: 1, max: 9 }),
  /** Of a coupon. */
  tenths: fc.integer({ min: 1, max: 10 }),
  /** Of tax, after a move or when a VAT id became valid or ceased to be. */
  rate: fc.constantFrom(0, 19, 20, 25),
  /** Days until it takes effect. */
  later: fc.constantFrom(0, 0, 3, 30, 45),
  /** Whether the day's run comes before it. */
  billedFirst: fc.boolean(),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

interface Wanted {
  readonly from: Day;
  readonly cents: number | null;
  readonly quantity: number | null;
}

/** What is left of them where another quantity is asked for. */
const withoutQuantities = (wanted: readonly Wanted[]): Wanted[] =>
  wanted.filter(({ cents }) => cents !== null).map((change) => ({ ...change, quantity: null }));

/** What holds when a day is billed. */
interface Terms {
  readonly coupon: number;
  readonly rate: number;
}

/** The same life, a day after the other: what each day costs, written down without any of billing's code. */
class Diary {
  terms: Terms = { coupon: 0, rate: 19 };
  /** By what each day was billed, the last time. */
  private readonly billedBy = new Map<Day, Terms>();
  /** The first day that is not billed. */
  private paidTo: Day;
  /** Days of changes that have taken effect. */
  private readonly changes: Day[] = [];
  private pauses: { from: Day; to: Day | null }[] = [];
  /** Days from which thirty days are counted, each until the next one. */
  private anchors: Day[];
  private cents: number;
  private quantity = 1;
  private wanted: Wanted[] = [];
  private pausedSince: Day | null = null;
  private endsOn: Day | null = null;
  private readonly costs = new Map<Day, number>();
  private readonly begins: Day;

  constructor(
    private readonly payInAdvance: boolean,
    trialDays: number,
    cents: number,
  ) {
    this.cents = cents;
    this.begins = addDays(START, trialDays);
    this.anchors = [this.begins];
    this.paidTo = this.begins;
  }

  /** Bills what is due: thirty days at a time, at their beginning or their end, up to a change, a pause or the end. */
  bill(day: Day, isEnd = false): void {
    if (this.isPaused && !this.over && !isEnd) return;
    const endsOn = isEnd && (this.endsOn === null || day < this.endsOn) ? day : this.endsOn;
    for (;;) {
      const from = this.afterPauses(this.paidTo);
      if (from === null || (endsOn !== null && from >= endsOn)) return;
      let boundary = this.anchors.findLast((anchor) => anchor <= from) ?? this.begins;
      while (boundary <= from) boundary = addDays(boundary, DAYS);
      const ends = [
        boundary,
        endsOn,
        ...this.wanted.map((change) => change.from),
        ...this.changes,
        ...this.anchors,
        ...this.pauses.map((p) => p.from),
      ];
      const to = ends.filter((end) => end !== null && end > from).sort()[0] ?? boundary;
      if ((this.payInAdvance ? from : to) > day) return;
      for (let billed = from; billed < to; billed = addDays(billed, 1)) this.billedBy.set(billed, this.terms);
      this.paidTo = to;
    }
  }

  private afterPauses(day: Day): Day | null {
    let at = day;
    for (const { from, to } of this.pauses) {
      if (from > at || (to !== null && to <= at)) continue;
      if (to === null) return null;
      at = to;
    }
    return at;
  }

  /** What is paid from a day on goes back, and is billed anew. */
  private reopen(day: Day): void {
    if (this.paidTo > day) this.paidTo = day;
  }

  get isPaused(): boolean {
    return this.pausedSince !== null;
  }

  get isOver(): boolean {
    return this.over;
  }
  private over = false;

  get mayRevokeCancellation(): boolean {
    return this.endsOn !== null && !this.over;
  }

  /** The morning: what was planned for the day is there. */
  dawn(day: Day): void {
    if (this.endsOn !== null && day >= this.endsOn) this.over = true;
    for (const { from, cents, quantity } of this.wanted.filter((change) => change.from <= day)) {
      this.reopen(from);
      this.changes.push(from);
      this.cents = cents ?? this.cents;
      this.quantity = quantity ?? this.quantity;
    }
    this.wanted = this.wanted.filter(({ from }) => from > day);
  }

  /** The evening: the day costs what held on it at last. */
  dusk(day: Day): void {
    if (day >= this.begins && !this.over && this.afterPauses(day) === day)
      this.costs.set(day, this.cents * this.quantity);
  }

  change(day: Day, cents: number | null, quantity: number | null, later: number): void {
    const from = addDays(day, later);
    if (day <= this.begins && later === 0 && !this.billed) {
      this.wanted = cents !== null ? [] : withoutQuantities(this.wanted);
      this.cents = cents ?? this.cents;
      this.quantity = quantity ?? this.quantity;
      return;
    }
    const before = this.wanted.filter((change) => change.from < from);
    if (cents !== null) this.wanted = [...before, { from, cents, quantity }];
    else {
      const same = this.wanted.find((change) => change.from === from);
      const after = this.wanted.filter((change) => change.from > from);
      this.wanted = [...before, { from, cents: same?.cents ?? null, quantity }, ...withoutQuantities(after)];
    }
    this.dawn(day);
  }
  billed = false;

  revokeChange(): void {
    this.wanted.shift();
  }

  pause(day: Day): void {
    this.pausedSince = day;
    this.pauses.push({ from: day, to: null });
  }

  resume(day: Day, nextOn: Day | null): void {
    const [last, to] = [this.pauses.pop(), nextOn ?? day];
    if (nextOn !== null) {
      this.anchors = [...this.anchors.filter((anchor) => anchor < nextOn), nextOn];
      this.pauses = this.pauses
        .filter((pause) => pause.from < nextOn)
        .map((pause) => (pause.to !== null && pause.to > nextOn ? { from: pause.from, to: nextOn } : pause));
    }
    if (last && last.from < to) {
      this.pauses.push({ from: last.from, to });
      this.reopen(last.from);
    }
    this.pausedSince = null;
  }

  cancel(day: Day, later: number): void {
    this.endsOn = addDays(day, later);
  }

  revokeCancellation(): void {
    this.endsOn = null;
  }

  /** What all days cost, and their tax in hundredths of cents. */
  total(): [bigint, bigint] {
    let [net, tax] = [0n, 0n];
    for (const [day, cost] of this.costs) {
      const { coupon, rate } = this.billedBy.get(day) ?? { coupon: Number.NaN, rate: 0 };
      const due = BigInt((cost * (TENTHS - coupon)) / TENTHS);
      net += due;
      tax += due * BigInt(rate);
    }
    return [net, tax];
  }
}

function live(
  payInAdvance: boolean,
  trialDays: number,
  cents: number,
  steps: readonly Step[],
  rest: number,
): [paid: readonly bigint[], due: readonly bigint[]] {
  const life = new Life(payInAdvance, trialDays, cents * TENTHS);
  const diary = new Diary(payInAdvance, trialDays, cents * TENTHS);
  let day = START;
  const pass = (until: Day): void => {
    for (; day < until; day = addDays(day, 1)) {
      diary.dawn(day);
      life.run(day);
      diary.bill(day);
      if (day >= addDays(START, trialDays)) diary.billed = true;
      diary.dusk(day);
    }
  };
  for (const { after, what, later, billedFirst, ...to } of steps) {
    pass(addDays(day, after));
    diary.dawn(day);
    if (diary.isOver) break;
    if (billedFirst) {
      life.run(day);
      diary.bill(day);
      if (payInAdvance && day >= addDays(START, trialDays) && !diary.isPaused) diary.billed = true;
    }
    if (what === 'price' && !diary.isPaused) {
      life.change(day, String(to.cents * TENTHS), null, later);
      diary.change(day, to.cents * TENTHS, null, later);
    } else if (what === 'quantity' && !diary.isPaused) {
      life.change(day, null, String(to.quantity), later);
      diary.change(day, null, to.quantity, later);
    } else if (what === 'revoke change') {
      if (life.revokeChange(day)) diary.revokeChange();
    } else if (what === 'pause' && !diary.isPaused) {
      life.pause(day);
      diary.pause(day);
    } else if ((what === 'resume' || what === 'resume from') && diary.isPaused) {
      const nextOn = what === 'resume' ? null : addDays(day, later);
      life.resume(day, nextOn);
      diary.resume(day, nextOn);
    } else if (what === 'cancel' && later > 0) {
      life.cancel(day, later);
      diary.cancel(day, later);
    } else if (what === 'revoke cancellation' && diary.mayRevokeCancellation) {
      life.revokeCancellation(day);
      diary.revokeCancellation();
    } else if (what === 'coupon' || what === 'no coupon') {
      life.coupon(what === 'coupon' ? to.tenths * TENTHS : null);
      diary.terms = { ...diary.terms, coupon: what === 'coupon' ? to.tenths : 0 };
    } else if (what === 'other tax') {
      life.rate = to.rate;
      diary.terms = { ...diary.terms, rate: to.rate };
    }
  }
  pass(addDays(day, rest));
  life.run(day);
  diary.dawn(day);
  diary.bill(day);
  life.end(day);
  life.run(addDays(day, 400));
  diary.bill(day, true);
  return [[life.paid, life.taxed], diary.total()];
}

describe('a subscription', () => {
  it('pays for each day that it was used what held on that day, with the coupon and the tax by which it was billed', () => {
    fc.assert(
      fc.property(
        fc.boolean(),
        fc.constantFrom(0, 0, 14),
        fc.integer({ min: 1, max: 500 }),
        fc.array(step, { maxLength: 8 }),
        fc.integer({ min: 0, max: 90 }),
        (payInAdvance, trialDays, cents, steps, rest) => {
          const [paid, due] = live(payInAdvance, trialDays, cents, steps, rest);
          expect(paid).toEqual(due);
        },
      ),
      { numRuns: howMany(150, 5000), seed: testSeed },
    );
  });

  it('pays twelve days of an interval that ends after them', () => {
    const paid = [840n, 840n * 19n];
    expect(live(true, 0, 7, [], 12)).toEqual([paid, paid]);
  });
});
