import { describe, expect, it, test } from '@jest/globals';
import { addDays, type Day } from '@kontor/kernel';
import { howMany, testSeed } from '@kontor/testing';
import fc from 'fast-check';
import { pause, resume } from '../subscriptions/pause.js';
import { type Agreement, itemEnd, type ItemPrice, type ItemTerms } from '../subscriptions/subscription.js';
import { chargeItem } from './charge-item.js';

const ZONE = 'Europe/Berlin';
const at = (day: Day): Date => new Date(`${day}T11:00:00.000Z`);

const priceOf =
  (change: Partial<ItemPrice>) =>
  (id: string): ItemPrice => ({
    id,
    type: 'per_unit',
    currencyCode: 'EUR',
    priceAmount: 2800n,
    pricePrecision: 2,
    tiers: [],
    packageSize: null,
    freeUnits: 0,
    minimumPriceAmount: null,
    billingInterval: '1M',
    payInAdvance: false,
    proRata: true,
    applyTrial: true,
    oneTime: false,
    ...change,
  });

const item: ItemTerms = {
  id: 'item',
  pricePlanId: 'price',
  quantity: '1',
  startOn: '2026-02-01',
  anchorOn: '2026-02-01',
  billedTo: null,
  creditFrom: null,
  creditDueOn: null,
  plannedChanges: null,
  quantitySteps: null,
  status: 'active',
  type: 'product',
  startDate: null,
  endsOn: null,
  activatedAt: null,
};

const started: Agreement = {
  subscription: {
    status: 'active',
    billingStart: null,
    trialDays: 0,
    trialEndsOn: null,
    trialEndedAt: null,
    anchorOn: '2026-02-01',
    endsOn: null,
    cancellationDate: null,
    cancelledAt: null,
    activatedAt: null,
    contractStart: null,
    contractEnd: null,
    contractPeriodCount: null,
    contractPeriod: null,
    pauses: [],
    terminatedAt: null,
    cancellationPeriod: null,
  },
  items: [item],
};

/** What is billed day by day of a subscription that is paused and resumed on the given days. */
class Billing {
  readonly lines: string[] = [];
  private agreement = started;
  nextDueOn: Day | null = null;

  constructor(private readonly prices: (id: string) => ItemPrice) {}

  run(...days: Day[]): this {
    for (const day of days) {
      const { subscription } = this.agreement;
      const items = this.agreement.items.map((before) => {
        const { lines, state, nextDueOn } = chargeItem(before, {
          priceOf: this.prices,
          gaps: subscription.pauses,
          endsOn: itemEnd(subscription, before),
          until: day,
          anchorFor: (from) => from,
          billed: [],
        });
        for (const { serviceFrom, serviceTo, intervalFrom, intervalTo, amount } of lines)
          this.lines.push(`${serviceFrom}..${serviceTo} of ${intervalFrom}..${intervalTo}: ${amount.netMinor}`);
        this.nextDueOn = nextDueOn;
        return { ...before, ...state };
      });
      this.agreement = { subscription, items };
    }
    return this;
  }

  pause(day: Day): this {
    this.agreement = pause(this.agreement, at(day), ZONE);
    return this;
  }

  resume(day: Day, nextOn: Day, billMissedPeriods = false): this {
    const command = { now: at(day), zone: ZONE, nextBillingDate: at(nextOn), billMissedPeriods };
    this.agreement = resume(this.agreement, this.prices, command);
    return this;
  }
}

const FEBRUARY = '2026-02-01..2026-03-01';

describe('a next billing date after a pause', () => {
  it('leaves what was used before the pause the interval in which it was used', () => {
    const billing = new Billing(priceOf({})).pause('2026-02-25').resume('2026-03-05', '2026-03-20');
    expect(billing.run('2026-03-06').lines).toEqual([`2026-02-01..2026-02-25 of ${FEBRUARY}: 2400`]);
    expect(billing.nextDueOn).toBe('2026-04-20');
    expect(billing.run('2026-04-20', '2026-05-20').lines.slice(1)).toEqual([
      '2026-03-20..2026-04-20 of 2026-03-20..2026-04-20: 2800',
      '2026-04-20..2026-05-20 of 2026-04-20..2026-05-20: 2800',
    ]);
  });

  it('is the same for runs that come late', () => {
    const billing = new Billing(priceOf({})).pause('2026-02-25').resume('2026-03-05', '2026-03-20');
    expect(billing.run('2026-06-01').lines).toEqual([
      `2026-02-01..2026-02-25 of ${FEBRUARY}: 2400`,
      '2026-03-20..2026-04-20 of 2026-03-20..2026-04-20: 2800',
      '2026-04-20..2026-05-20 of 2026-04-20..2026-05-20: 2800',
    ]);
  });

  it('ends the last of the missed periods, which are billed as if there had been no pause', () => {
    const billing = new Billing(priceOf({})).pause('2026-02-25').resume('2026-03-05', '2026-03-20', true);
    expect(billing.run('2026-03-06', '2026-03-20', '2026-04-20').lines).toEqual([
      `${FEBRUARY} of ${FEBRUARY}: 2800`,
      '2026-03-01..2026-03-20 of 2026-03-01..2026-04-01: 1716',
      '2026-03-20..2026-04-20 of 2026-03-20..2026-04-20: 2800',
    ]);
  });

  it('is that of today where the pause had no day', () => {
    const billing = new Billing(priceOf({})).pause('2026-02-15').resume('2026-02-15', '2026-02-15');
    expect(billing.run('2026-02-16', '2026-03-15').lines).toEqual([
      `2026-02-01..2026-02-15 of ${FEBRUARY}: 1400`,
      '2026-02-15..2026-03-15 of 2026-02-15..2026-03-15: 2800',
    ]);
  });

  test.each<[string, Day, Day[]]>([
    ['after the first', '2026-03-25', []],
    ['after the first, billed between', '2026-03-25', ['2026-03-06', '2026-03-24']],
    ['on the day of the first', '2026-03-20', []],
    ['before the first', '2026-03-10', ['2026-03-06']],
  ])('is the second one where there are two: %s', (_name, again, runs) => {
    const billing = new Billing(priceOf({})).pause('2026-02-25').resume('2026-03-05', '2026-03-20');
    const { lines } = billing
      .run(...runs)
      .pause(again)
      .resume('2026-04-02', '2026-04-10')
      .run('2026-05-10');
    expect(lines).toEqual([
      `2026-02-01..2026-02-25 of ${FEBRUARY}: 2400`,
      ...(again > '2026-03-20' ? ['2026-03-20..2026-03-25 of 2026-03-20..2026-04-20: 452'] : []),
      '2026-04-10..2026-05-10 of 2026-04-10..2026-05-10: 2800',
    ]);
  });

  test.each<[string, boolean, string[]]>([
    ['in arrears', false, [`2026-02-01..2026-02-15 of ${FEBRUARY}: 1400`]],
    ['in advance', true, [`${FEBRUARY} of ${FEBRUARY}: 2800`]],
  ])('is brought forward by another resume: %s', (_name, payInAdvance, lines) => {
    const billing = new Billing(priceOf({ payInAdvance })).run('2026-02-01').pause('2026-02-15');
    billing.resume('2026-02-20', '2026-04-20').run('2026-02-21').pause('2026-03-02').resume('2026-03-05', '2026-03-15');
    expect(billing.run('2026-03-15', '2026-04-15').lines.filter((line) => !line.includes('-1400'))).toEqual([
      ...lines,
      '2026-03-15..2026-04-15 of 2026-03-15..2026-04-15: 2800',
      ...(payInAdvance ? ['2026-04-15..2026-05-15 of 2026-04-15..2026-05-15: 2800'] : []),
    ]);
  });

  it('in advance begins an interval then', () => {
    const billing = new Billing(priceOf({ payInAdvance: true })).run('2026-02-01').pause('2026-03-01');
    expect(billing.resume('2026-03-05', '2026-03-20').run('2026-03-20').lines).toEqual([
      `${FEBRUARY} of ${FEBRUARY}: 2800`,
      '2026-03-20..2026-04-20 of 2026-03-20..2026-04-20: 2800',
    ]);
  });

  it('makes the same lines, whether runs come each day or once', () => {
    const step = fc.record({
      after: fc.integer({ min: 1, max: 45 }),
      later: fc.integer({ min: 0, max: 40 }),
      isMissed: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(step, { minLength: 2, maxLength: 6 }), (steps) => {
        const [daily, late] = [new Billing(priceOf({})), new Billing(priceOf({}))];
        let day: Day = '2026-02-01';
        steps.forEach(({ after, later, isMissed }, n) => {
          for (const until = addDays(day, after); day < until; day = addDays(day, 1)) if (n % 2 === 0) daily.run(day);
          for (const life of [daily, late])
            if (n % 2 === 0) life.pause(day);
            else life.resume(day, addDays(day, later), isMissed);
        });
        if (steps.length % 2 === 1) for (const life of [daily, late]) life.resume(day, day);
        for (const until = addDays(day, 120); day < until; day = addDays(day, 1)) daily.run(day);
        expect(daily.run(day).lines).toEqual(late.run(day).lines);
      }),
      { numRuns: howMany(150, 5000), seed: testSeed },
    );
  });
});
