import { describe, expect, it } from '@jest/globals';
import type { ClockProgress } from '@kontor/contracts';
import { isQuiescent, nextInstant, parkedIn, type Snapshot, blockers } from './quiescence.js';

const at = new Date('2026-02-01T02:00:00.000Z');
const calm: ClockProgress = {
  now: at.toISOString(),
  nextDue: null,
  claimed: 0,
  unpublished: 0,
  published: {},
  applied: {},
  parked: 0,
};
const snapshotOf = (service: string, progress: Partial<ClockProgress>, rest: Snapshot = {}): Snapshot => ({
  ...rest,
  [service]: { ...calm, ...progress },
});
const published = snapshotOf('billing', { published: { 'billing.charges.due.v1': 7 } });
const applied = (n: number): Snapshot =>
  snapshotOf('invoicing', { applied: { Drafts: { 'billing.charges.due.v1': n } } }, published);

describe('quiescence', () => {
  it.each([
    ['work that is due now', snapshotOf('billing', { nextDue: at.toISOString() }), 1],
    ['work that is due later', snapshotOf('billing', { nextDue: '2026-02-01T02:00:00.001Z' }), 0],
    ['work under a lease', snapshotOf('billing', { claimed: 1 }), 1],
    ['an event that is not published', snapshotOf('billing', { unpublished: 1 }), 1],
    ['an event that is not applied', applied(6), 1],
    ['all events applied', applied(7), 0],
    [
      'a consumer of events that were never published',
      snapshotOf('invoicing', { applied: { Drafts: { 'billing.charges.due.v1': 0 } } }, snapshotOf('billing', {})),
      0,
    ],
  ])('%s', (_name, snapshot, reasons) => {
    expect(blockers(snapshot, at)).toHaveLength(reasons);
  });

  it('is believed only when two looks in a row agree', () => {
    expect(isQuiescent(undefined, applied(7), at)).toBe(false);
    expect(isQuiescent(applied(7), applied(7), at)).toBe(true);
    const before = snapshotOf(
      'invoicing',
      { applied: { Drafts: { 'billing.charges.due.v1': 6 } } },
      snapshotOf('billing', { published: { 'billing.charges.due.v1': 6 } }),
    );
    expect(isQuiescent(before, applied(7), at)).toBe(false);
    expect(isQuiescent(applied(6), applied(6), at)).toBe(false);
  });

  it('the clock goes to the earliest due time, and not past its target', () => {
    const target = new Date('2026-03-01T00:00:00Z');
    expect(nextInstant({}, target)).toEqual(target);
    const due = snapshotOf(
      'billing',
      { nextDue: '2026-02-15T00:00:00.000Z' },
      snapshotOf('offers', { nextDue: '2026-02-10T00:00:00.000Z' }),
    );
    expect(nextInstant(due, target)).toEqual(new Date('2026-02-10T00:00:00.000Z'));
    expect(nextInstant(snapshotOf('billing', { nextDue: '2027-01-01T00:00:00.000Z' }), target)).toEqual(target);
  });

  it('parked messages are counted over all services', () => {
    expect(parkedIn(snapshotOf('billing', { parked: 2 }, snapshotOf('offers', { parked: 1 })))).toBe(3);
  });
});
