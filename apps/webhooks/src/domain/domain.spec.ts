import { describe, expect, it } from '@jest/globals';
import { isEventPattern, matchesEvent } from './endpoints/event-pattern.js';
import { FAILING_DAYS_LIMIT, healthAfter, type EndpointHealth } from './endpoints/failing-days.js';
import { errorOfStatus, verdictOf } from './deliveries/outcome.js';
import { nextDelaySeconds } from './deliveries/retry-schedule.js';

describe('event names', () => {
  it.each([
    ['*', true],
    ['invoice.*', true],
    ['invoice.finalized', true],
    ['wallet.balance.changed', true],
    ['', false],
    ['invoice.', false],
    ['*.paid', false],
    ['invoice*', false],
    ['Invoice.paid', false],
    [7, false],
  ] as const)('%s is a pattern: %s', (text, ok) => expect(isEventPattern(text)).toBe(ok));

  it.each([
    [['*'], 'offer.expired', true],
    [['invoice.*'], 'invoice.paid', true],
    [['invoice.*'], 'invoice.dunning.applied', true],
    [['invoice.*'], 'invoices.paid', false],
    [['invoice.paid'], 'invoice.paid.again', false],
    [['customer.*', 'invoice.paid'], 'invoice.paid', true],
    [[], 'invoice.paid', false],
  ] as const)('%j takes %s: %s', (patterns, type, ok) => expect(matchesEvent(patterns, type)).toBe(ok));
});

describe('repeats', () => {
  it('come after 1, 10 and 60 minutes, a fifth earlier or later, and then never again', () => {
    const schedule = [60, 600, 3600];
    expect([1, 2, 3, 4].map((round) => nextDelaySeconds(schedule, round, 0.5))).toEqual([60, 600, 3600, null]);
    expect(nextDelaySeconds(schedule, 1, 0)).toBeCloseTo(48);
    expect(nextDelaySeconds(schedule, 1, 0.999999)).toBeCloseTo(72, 2);
  });
});

describe('health of an endpoint', () => {
  const days = (...list: [string, 'ok' | 'failed' | 'both'][]): EndpointHealth =>
    list.reduce<EndpointHealth>(
      (health, [day, what]) => healthAfter(health, { succeeded: what !== 'failed', failed: what !== 'ok' }, day),
      { failingDays: 0, failingDay: null },
    );

  it('five days in a row with failures alone reach the limit', () => {
    expect(
      days(
        ['2026-02-27', 'failed'],
        ['2026-02-28', 'failed'],
        ['2026-02-28', 'failed'],
        ['2026-03-01', 'failed'],
        ['2026-03-02', 'failed'],
        ['2026-03-03', 'failed'],
      ).failingDays,
    ).toBe(FAILING_DAYS_LIMIT);
  });

  it('one success, or a day without any attempt, starts again', () => {
    expect(days(['2026-03-01', 'failed'], ['2026-03-02', 'both'])).toEqual({ failingDays: 0, failingDay: null });
    expect(days(['2026-03-01', 'failed'], ['2026-03-02', 'failed'], ['2026-03-04', 'failed']).failingDays).toBe(1);
  });
});

describe('answers', () => {
  it.each([
    [200, 'delivered'],
    [204, 'delivered'],
    [302, 'failed'],
    [404, 'failed'],
    [410, 'gone'],
    [503, 'failed'],
  ] as const)('%d: %s', (status, verdict) =>
    expect(verdictOf({ responseStatus: status, error: errorOfStatus(status) })).toBe(verdict),
  );
});
