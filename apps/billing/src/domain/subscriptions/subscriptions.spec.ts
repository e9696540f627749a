import { describe, expect, it, test } from '@jest/globals';
import {
  addInterval,
  anchoredBoundary,
  anchoredIndex,
  type Day,
  DomainError,
  parseInterval,
  startOfDay,
} from '@kontor/kernel';
import fc from 'fast-check';
import { activate, extendTrial, revokeTrial } from './activate.js';
import { cancel, revokeCancellation, takeEffect, terminate } from './cancel.js';
import { changeItem, periodEndOf } from './change-item.js';
import { cancelItem } from './end-item.js';
import { contractTermEnd, possibleCancellationDays } from './contract-terms.js';
import { nextPassage, passTime } from './lifecycle.js';
import { pause, resume } from './pause.js';
import type { Agreement, ItemPrice, ItemTerms, SubscriptionStatus, SubscriptionTerms } from './subscription.js';

const zone = 'Europe/Berlin';
const at = (day: string): Date => new Date(`${day}T09:00:00.000Z`);

const price = (change: Partial<ItemPrice> = {}): ItemPrice => ({
  id: 'basic', type: 'per_unit', currencyCode: 'EUR', priceAmount: 1000n, pricePrecision: 2, tiers: [], packageSize: null, freeUnits: 0,
  minimumPriceAmount: null, billingInterval: '1M', payInAdvance: true, proRata: true, applyTrial: true, oneTime: false, ...change,
}); // prettier-ignore
const priceOf =
  (change: Partial<ItemPrice> = {}) =>
  () =>
    price(change);

const subscription = (change: Partial<SubscriptionTerms> = {}): SubscriptionTerms => ({
  status: 'draft', billingStart: null, trialDays: 0, trialEndsOn: null, trialEndedAt: null, anchorOn: null, pauses: [], endsOn: null,
  cancellationDate: null, cancelledAt: null, activatedAt: null, terminatedAt: null, contractStart: null, contractEnd: null,
  contractPeriodCount: null, contractPeriod: null, cancellationPeriod: null, ...change,
}); // prettier-ignore

const item = (change: Partial<ItemTerms> = {}): ItemTerms => ({
  id: 'item', pricePlanId: 'basic', quantity: '1', startOn: null, anchorOn: null, billedTo: null, creditFrom: null,
  creditDueOn: null, plannedChanges: null, quantitySteps: null, status: 'pending',
  type: 'product', startDate: null, endsOn: null, activatedAt: null, ...change,
}); // prettier-ignore

const draft = (change: Partial<SubscriptionTerms> = {}, items: ItemTerms[] = [item()]): Agreement => ({
  subscription: subscription(change),
  items,
});
const started = (
  day = '2026-01-31',
  terms: Partial<SubscriptionTerms> = {},
  prices: Partial<ItemPrice> = {},
): Agreement =>
  activate(draft(terms), priceOf(prices), { now: at(day), zone, trialDays: null, billingStart: null, group: null });
const refused = (work: () => unknown): string => {
  try {
    work();
  } catch (error) {
    return (error as DomainError).reason;
  }
  return 'accepted';
};

describe('transitions', () => {
  const moves: Record<string, (agreement: Agreement) => unknown> = {
    activate: (a) =>
      activate(a, priceOf(), { now: at('2026-03-10'), zone, trialDays: null, billingStart: null, group: null }),
    pause: (a) => pause(a, at('2026-03-10'), zone),
    resume: (a) =>
      resume(a, priceOf(), { now: at('2026-03-10'), zone, nextBillingDate: null, billMissedPeriods: false }),
    cancel: (a) =>
      cancel(a, priceOf(), { now: at('2026-03-10'), zone, cancellationDateType: 'immediate', cancellationDate: null }),
    revoke: (a) => revokeCancellation(a, priceOf(), at('2026-03-10'), zone),
    terminate: (a) => terminate(a, at('2026-03-10'), zone),
  };
  test.each<[SubscriptionStatus, string[]]>([
    ['draft', ['activate']],
    ['offer', ['activate', 'terminate']],
    ['active', ['pause', 'cancel', 'terminate']],
    ['paused', ['resume', 'cancel', 'terminate']],
    ['cancelled', ['terminate']],
    ['terminated', []],
  ])('from %s only: %j', (status, allowed) => {
    const base = started('2026-02-01');
    const from: Agreement = {
      ...base,
      subscription: {
        ...base.subscription,
        status,
        pauses: status === 'paused' ? [{ from: '2026-03-01', to: null }] : [],
      },
    };
    for (const [name, move] of Object.entries(moves)) {
      expect([name, refused(() => move(from))]).toEqual([
        name,
        allowed.includes(name) ? 'accepted' : 'invalid_status_transition',
      ]);
    }
  });
});

describe('the start', () => {
  test.each<[string, Partial<ItemPrice>, string]>([
    ['in advance: pending until billed', {}, 'pending'],
    ['in arrears: active from its start day', { payInAdvance: false }, 'active'],
    ['a price of zero: active at once', { priceAmount: 0n }, 'active'],
    ['zero with a minimum is no price of zero', { priceAmount: 0n, minimumPriceAmount: 100n }, 'pending'],
  ])('%s', (_name, prices, status) => {
    expect(started('2026-01-31', {}, prices).items[0]).toMatchObject({
      status,
      startOn: '2026-01-31',
      anchorOn: '2026-01-31',
    });
  });

  it('a price of zero is active even before its start', () => {
    const later = activate(draft({ billingStart: at('2026-06-01') }), priceOf({ priceAmount: 0n }), {
      now: at('2026-01-31'),
      zone,
      trialDays: null,
      billingStart: null,
      group: null,
    });
    expect(later.items[0]).toMatchObject({ status: 'active', startOn: '2026-06-01' });
  });

  it('a trial moves start and anchor, but not of prices that it does not apply to', () => {
    const agreement = started('2026-01-31', { trialDays: 14 });
    expect(agreement.subscription).toMatchObject({
      anchorOn: '2026-02-14',
      trialEndsOn: new Date('2026-02-13T23:00:00.000Z'),
    });
    expect(agreement.items[0]).toMatchObject({ startOn: '2026-02-14', anchorOn: '2026-02-14' });
    expect(started('2026-01-31', { trialDays: 14 }, { applyTrial: false }).items[0]).toMatchObject({
      startOn: '2026-01-31',
      anchorOn: '2026-01-31',
    });
  });

  it('an item that starts later keeps the anchor of the others', () => {
    const agreement = activate(draft({}, [item({ startDate: at('2026-02-10') })]), priceOf(), {
      now: at('2026-01-31'),
      zone,
      trialDays: null,
      billingStart: null,
      group: null,
    });
    expect(agreement.items[0]).toMatchObject({ startOn: '2026-02-10', anchorOn: '2026-01-31' });
  });

  it('a trial can be extended, not shortened, and revoked while it runs', () => {
    const agreement = started('2026-01-31', { trialDays: 14 });
    const command = { now: at('2026-02-05'), zone, group: null };
    expect(
      extendTrial(agreement, priceOf(), { ...command, trialEndsOn: new Date('2026-02-28T23:00:00.000Z') }).items[0],
    ).toMatchObject({
      startOn: '2026-03-01',
      anchorOn: '2026-03-01',
    });
    expect(refused(() => extendTrial(agreement, priceOf(), { ...command, trialEndsOn: at('2026-02-10') }))).toBe(
      'validation_failed',
    );
    const revoked = revokeTrial(agreement, priceOf(), command);
    expect([revoked.items[0]?.startOn, revoked.subscription.trialEndedAt]).toEqual(['2026-02-05', command.now]);
    expect(refused(() => revokeTrial(revoked, priceOf(), command))).toBe('trial_not_running');
    expect(refused(() => revokeTrial(agreement, priceOf(), { ...command, now: at('2026-03-01') }))).toBe(
      'trial_not_running',
    );
  });
});

it('a trial is still waited for where the price has become one that a trial does not defer', () => {
  const agreement = started('2026-02-01', { trialDays: 14 });
  const [waiting] = agreement.items;
  const other = { ...waiting!, id: 'other', startDate: startOfDay('2026-02-15', zone) };
  const changed = { ...agreement, items: [waiting!, other] };
  const command = { now: at('2026-02-05'), zone, group: null };
  const startsOf = ({ items }: Agreement): unknown[] => items.map(({ startOn }) => startOn);
  const trialEndsOn = startOfDay('2026-03-01', zone);
  const prices = priceOf({ applyTrial: false });
  expect(startsOf(extendTrial(changed, prices, { ...command, trialEndsOn }))).toEqual(['2026-03-01', '2026-02-15']);
  expect(startsOf(revokeTrial(changed, prices, command))).toEqual(['2026-02-05', '2026-02-15']);
});

/** Counts how often it is compared. */
class CountedDate extends Date {
  comparisons = 0;
  override valueOf(): number {
    this.comparisons += 1;
    return super.valueOf();
  }
}

describe('contract terms', () => {
  const days = (terms: Partial<SubscriptionTerms>, now: string, prices: Partial<ItemPrice> = {}) => {
    const agreement = started('2026-01-31', terms, prices);
    return possibleCancellationDays(agreement.subscription, agreement.items, priceOf(prices), at(now), zone);
  };
  const yearly = { contractPeriodCount: 1, contractPeriod: '1Y', cancellationPeriod: '3M' };

  test.each([
    ['a year, then years', yearly, '2026-03-01', ['2027-01-31', '2028-01-31', '2029-01-31']],
    ['after the notice period the next end counts', yearly, '2026-11-15', ['2028-01-31', '2029-01-31', '2030-01-31']],
    [
      'two years first, then renewed by one',
      { ...yearly, contractPeriodCount: 2 },
      '2026-03-01',
      ['2028-01-31', '2029-01-31', '2030-01-31'],
    ],
    [
      'months that are clipped',
      { contractPeriodCount: 1, contractPeriod: '1M', cancellationPeriod: null },
      '2026-02-10',
      ['2026-02-28', '2026-03-31', '2026-04-30'],
    ],
    [
      'an own start',
      { ...yearly, contractStart: at('2024-06-15') },
      '2026-02-01',
      ['2026-06-15', '2027-06-15', '2028-06-15'],
    ],
    [
      'an own end, then renewed',
      { ...yearly, contractEnd: at('2026-12-31') },
      '2026-02-01',
      ['2026-12-31', '2027-12-31', '2028-12-31'],
    ],
    ['an own end without renewal', { contractEnd: at('2026-12-31') }, '2026-02-01', ['2026-12-31']],
    ['without terms the billing period counts', {}, '2026-02-10', ['2026-02-28', '2026-03-31', '2026-04-30']],
  ])('%s', (_name, terms, now, expected) => {
    expect(days(terms, now)).toEqual(expected);
  });

  it('lists only ends that can be reached: now ≤ E − cancellationPeriod', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 2000 }),
        fc.constantFrom('1M', '3M', '1Y'),
        fc.constantFrom(null, '14D', '1M', '3M'),
        fc.integer({ min: 1, max: 4 }),
        (after, contractPeriod, cancellationPeriod, contractPeriodCount) => {
          const agreement = started('2026-01-31', { contractPeriod, cancellationPeriod, contractPeriodCount });
          const now = new Date(at('2026-01-31').getTime() + after * 86_400_000);
          const ends = possibleCancellationDays(agreement.subscription, agreement.items, priceOf(), now, zone);
          expect(ends).toHaveLength(3);
          expect([...ends].sort()).toEqual(ends);
          for (const end of ends) expect(new Date(`${end}T00:00:00Z`) >= now || cancellationPeriod === null).toBe(true);
        },
      ),
      { numRuns: 200 },
    );
  });

  it('leaves no end out that can be reached, and does not try all that cannot', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 2000 }),
        fc.constantFrom('1D', '7D', '1M', '3M'),
        fc.constantFrom('1D', '31D', '1M', '3M', '10Y'),
        (after, contractPeriod, cancellationPeriod) => {
          const agreement = started('2026-01-31', { contractPeriod, cancellationPeriod, contractPeriodCount: 1 });
          const now = new CountedDate(at('2026-01-31').getTime() + after * 86_400_000);
          const [first = ''] = possibleCancellationDays(agreement.subscription, agreement.items, priceOf(), now, zone);
          expect(now.comparisons).toBeLessThan(15);
          const notice = parseInterval(cancellationPeriod);
          const inTime = (end: Day): boolean => startOfDay(addInterval(end, notice, -1), zone) >= now;
          const n = anchoredIndex('2026-01-31', parseInterval(contractPeriod), first);
          expect(inTime(first)).toBe(true);
          const before = anchoredBoundary('2026-01-31', parseInterval(contractPeriod), n - 1);
          if (n > 1) expect([before, inTime(before)]).toEqual([before, false]);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('knows the end of the current term', () => {
    const agreement = started('2026-01-31', yearly);
    expect(contractTermEnd(agreement.subscription, at('2026-06-01'), zone)).toBe('2027-01-31');
    expect(contractTermEnd(agreement.subscription, at('2027-02-01'), zone)).toBe('2028-01-31');
    expect(parseInterval('1Y').count).toBe(1);
  });
});

describe('ends', () => {
  const active = started('2026-01-31');

  it('a cancellation in the future makes items cancelled and can be revoked', () => {
    const pending = cancel(active, priceOf(), {
      now: at('2026-02-05'),
      zone,
      cancellationDateType: 'next_possible',
      cancellationDate: null,
    });
    expect([pending.subscription.status, pending.subscription.endsOn, pending.items[0]?.status]).toEqual([
      'active',
      '2026-02-28',
      'cancelled',
    ]);
    const revoked = revokeCancellation(pending, priceOf(), at('2026-02-06'), zone);
    expect([revoked.subscription.endsOn, revoked.items[0]?.status]).toEqual([null, 'pending']);
    expect(passTime(pending, priceOf(), at('2026-02-28'), zone)).toMatchObject({
      subscription: { status: 'cancelled' },
      items: [{ status: 'terminated' }],
      facts: ['items_changed', 'cancelled'],
    });
  });

  test.each([
    ['custom', null, 'validation_failed'],
    ['custom', at('2026-02-01'), 'validation_failed'],
    ['custom', at('2026-03-15'), 'accepted'],
  ] as const)('%s with %s: %s', (cancellationDateType, cancellationDate, expected) => {
    expect(
      refused(() => cancel(active, priceOf(), { now: at('2026-02-05'), zone, cancellationDateType, cancellationDate })),
    ).toBe(expected);
  });

  it('what ends while paused ended when the pause began', () => {
    const paused = pause(active, at('2026-02-10'), zone);
    const ended = takeEffect({ ...paused, subscription: { ...paused.subscription, endsOn: '2026-03-15' } });
    expect(ended.subscription).toMatchObject({ status: 'cancelled', endsOn: '2026-02-10', pauses: [] });
  });

  it('one item ends alone, by default with what is paid', () => {
    const paid = {
      ...(active.items[0] as ItemTerms),
      id: 'item',
      parentId: null,
      status: 'active' as const,
      activatedAt: at('2026-01-31'),
      billedTo: '2026-02-28',
    };
    const command = { now: at('2026-02-05'), zone, cancellationDate: null };
    const ended = (cancellationDateType: 'next_possible' | 'immediate') =>
      cancelItem({ ...active, items: [paid] }, paid, priceOf(), { ...command, cancellationDateType }).items[0];
    expect(ended('next_possible')).toMatchObject({ endsOn: '2026-02-28', status: 'cancelled' });
    expect(ended('immediate')).toMatchObject({ endsOn: '2026-02-05', status: 'terminated' });
  });
});

describe('pauses and changes', () => {
  const active = started('2026-01-31');
  const paid = { ...(active.items[0] as ItemTerms), billedTo: '2026-02-28' };
  const paused = pause({ ...active, items: [paid] }, at('2026-02-10'), zone);
  const command = { now: at('2026-02-20'), zone, nextBillingDate: null, billMissedPeriods: false };

  it('the pause is a gap, and what was paid for it is credited on resuming', () => {
    expect(resume(paused, priceOf(), command)).toMatchObject({
      subscription: { status: 'active', pauses: [{ from: '2026-02-10', to: '2026-02-20' }] },
      items: [{ creditFrom: '2026-02-10', creditDueOn: '2026-02-20' }],
    });
  });

  it('nothing is credited where missed periods are billed, or of a price without proRata', () => {
    expect(resume(paused, priceOf(), { ...command, billMissedPeriods: true })).toMatchObject({
      subscription: { pauses: [] },
      items: [{ creditFrom: null }],
    });
    expect(resume(paused, priceOf({ proRata: false }), command).items[0]?.creditFrom).toBeNull();
  });

  it('a next billing date is a new anchor, and nothing is billed before it', () => {
    const resumed = resume(paused, priceOf(), { ...command, nextBillingDate: at('2026-03-10') });
    expect(resumed).toMatchObject({
      subscription: { anchorOn: '2026-03-10', pauses: [{ from: '2026-02-10', to: '2026-03-10' }] },
      items: [{ anchorOn: '2026-03-10', creditFrom: '2026-02-10' }],
    });
    expect(refused(() => resume(paused, priceOf(), { ...command, nextBillingDate: at('2026-02-19') }))).toBe(
      'validation_failed',
    );
  });

  test.each([
    ['immediately', '2026-02-10'],
    ['end_of_period', '2026-02-28'],
    ['custom', '2026-02-20'],
  ] as const)('a change %s', (timing, from) => {
    const terms = { id: 'c', kind: 'change', pricePlanId: 'pro', quantity: '2', credit: 'full' } as const;
    const change = { ...terms, timing, changeDate: at('2026-02-20'), now: at('2026-02-10'), zone, group: null };
    expect(changeItem(paid, active.subscription, priceOf(), change)).toMatchObject({
      plannedChanges: [{ ...terms, from }],
      creditFrom: null,
      pricePlanId: 'basic',
    });
    if (timing === 'custom') return;
    const unbilled = { ...paid, billedTo: null, startOn: '2026-02-10' };
    expect(changeItem(unbilled, active.subscription, priceOf(), change)).toMatchObject({
      pricePlanId: 'pro',
      quantity: '2',
      plannedChanges: null,
    });
    expect(refused(() => changeItem(paid, active.subscription, priceOf({ oneTime: true }), change))).toBe(
      'change_not_allowed',
    );
  });

  it('of the price keeps the quantity that has come on its day, and takes the place of one that is to come', () => {
    const terms = {
      kind: 'change',
      timing: 'custom',
      credit: 'pro_rata',
      now: at('2026-02-10'),
      zone,
      group: null,
    } as const;
    const more = { ...terms, id: 'q', pricePlanId: null, quantity: '5' };
    const other = { ...terms, id: 'p', pricePlanId: 'pro', quantity: null };
    const both = (day: string): unknown => {
      const first = changeItem(paid, active.subscription, priceOf(), { ...more, changeDate: at(day) });
      return changeItem(first, active.subscription, priceOf(), { ...other, changeDate: at(day) }).plannedChanges;
    };
    expect(both('2026-02-10')).toMatchObject([{ id: 'p', from: '2026-02-10', pricePlanId: 'pro', quantity: '5' }]);
    expect(both('2026-02-11')).toMatchObject([{ id: 'p', from: '2026-02-11', pricePlanId: 'pro', quantity: null }]);
  });

  it.each([
    ['the unbilled', { billedTo: null, startOn: '2026-02-25' }],
    ['the billed', {}],
  ] as const)('of the quantity takes the place of one that was asked for later, of %s', (_, billing) => {
    const terms = { kind: 'change', credit: 'pro_rata', now: at('2026-02-10'), zone, group: null } as const;
    const later = { ...terms, timing: 'custom', changeDate: at('2026-03-10') } as const;
    const asked = [
      { ...later, id: 'q', pricePlanId: null, quantity: '4' },
      { ...later, id: 'p', pricePlanId: 'pro', quantity: '5', changeDate: at('2026-04-10') },
      { ...terms, id: 'now', pricePlanId: null, quantity: '6', timing: 'immediately', changeDate: null } as const,
    ];
    const item = { ...paid, ...billing };
    const after = asked.reduce((now, change) => changeItem(now, active.subscription, priceOf(), change), item);
    const waiting = after.plannedChanges?.filter(({ id }) => id !== 'now');
    expect(waiting).toMatchObject([{ id: 'p', pricePlanId: 'pro', quantity: null }]);
  });

  it('a period in arrears ends with its interval', () => {
    expect(periodEndOf({ ...paid, billedTo: null }, price({ payInAdvance: false }), '2026-02-10')).toBe('2026-02-28');
  });
});

describe('what time will do', () => {
  it('is planned for the earliest: a trial that ends, an item that begins, a cancellation', () => {
    const agreement = started('2026-01-31', { trialDays: 14, cancellationDate: at('2026-06-01') });
    expect(nextPassage(agreement, priceOf(), at('2026-02-01'), zone)).toEqual(new Date('2026-02-13T23:00:00.000Z'));
    const passed = passTime(agreement, priceOf(), at('2026-02-14'), zone);
    expect(passed.facts).toEqual(['trial_expired']);
    expect(nextPassage(passed, priceOf(), at('2026-02-14'), zone)).toEqual(at('2026-06-01'));
    expect(nextPassage(draft(), priceOf(), at('2026-02-01'), zone)).toBeNull();
  });
});
