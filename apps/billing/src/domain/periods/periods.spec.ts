import { addDays, type Day, daysBetween, parseInterval } from '@kontor/kernel';
import { describe, expect, it, test } from '@jest/globals';
import fc from 'fast-check';
import { alignToGroup, type BillingGroupDate, firstGroupDate } from './billing-group.js';
import { accountDueAt, lastDayOfRequest, lastDayOfRun, nextRunTime, runTimeOf } from './due-time.js';
import { type Gap, type Schedule, type ServicePeriod, servicePeriods } from './service-periods.js';

const schedule = (change: Partial<Schedule> = {}): Schedule => ({
  anchorOn: '2026-01-31',
  interval: parseInterval('1M'),
  gaps: [],
  endsOn: null,
  advance: true,
  proRata: true,
  ...change,
});

function take(start: Day, plan: Schedule, count = 4): ServicePeriod[] {
  const list: ServicePeriod[] = [];
  for (const period of servicePeriods(start, plan)) if (list.push(period) === count) break;
  return list;
}
const show = (periods: ServicePeriod[]): string[] =>
  periods.map(({ from, to, share }) => `${from} ${to} ${share.days}/${share.of}`);

describe('service periods', () => {
  it('an anchor on the 31st is clipped and comes back', () => {
    expect(show(take('2026-01-31', schedule()))).toEqual([
      '2026-01-31 2026-02-28 1/1',
      '2026-02-28 2026-03-31 1/1',
      '2026-03-31 2026-04-30 1/1',
      '2026-04-30 2026-05-31 1/1',
    ]);
  });

  it('a start between boundaries is a prorated stub', () => {
    expect(show(take('2026-02-10', schedule({ anchorOn: '2026-03-01' }), 2))).toEqual([
      '2026-02-10 2026-03-01 19/28',
      '2026-03-01 2026-04-01 1/1',
    ]);
  });

  it('an end inside an interval is prorated over the whole interval', () => {
    expect(show(take('2026-03-01', schedule({ anchorOn: '2026-03-01', endsOn: '2026-03-11' })))).toEqual([
      '2026-03-01 2026-03-11 10/31',
    ]);
  });

  it('without proRata a part costs the full price', () => {
    expect(
      show(take('2026-03-05', schedule({ anchorOn: '2026-03-01', endsOn: '2026-03-11', proRata: false }))),
    ).toEqual(['2026-03-05 2026-03-11 1/1']);
  });

  it('in advance falls due at its beginning, in arrears at its end', () => {
    expect(take('2026-01-31', schedule(), 1)[0]?.dueOn).toBe('2026-01-31');
    expect(take('2026-01-31', schedule({ advance: false }), 1)[0]?.dueOn).toBe('2026-02-28');
  });

  it('a pause is left out and splits its interval', () => {
    const gaps = [{ from: '2026-02-05', to: '2026-02-10' }];
    expect(show(take('2026-02-01', schedule({ anchorOn: '2026-02-01', gaps }), 3))).toEqual([
      '2026-02-01 2026-02-05 4/28',
      '2026-02-10 2026-03-01 19/28',
      '2026-03-01 2026-04-01 1/1',
    ]);
  });

  it('without proRata a pause inside an interval changes nothing, a longer one skips intervals', () => {
    const plan = schedule({
      anchorOn: '2026-02-01',
      proRata: false,
      gaps: [
        { from: '2026-02-05', to: '2026-02-10' },
        { from: '2026-03-20', to: '2026-05-02' },
      ],
    });
    expect(show(take('2026-02-01', plan, 3))).toEqual([
      '2026-02-01 2026-03-01 1/1',
      '2026-03-01 2026-03-20 1/1',
      '2026-05-02 2026-06-01 1/1',
    ]);
  });

  it('nothing follows an open pause', () => {
    expect(
      show(take('2026-02-01', schedule({ anchorOn: '2026-02-01', gaps: [{ from: '2026-02-15', to: null }] }))),
    ).toEqual(['2026-02-01 2026-02-15 14/28']);
    expect(take('2026-02-20', schedule({ anchorOn: '2026-02-01', gaps: [{ from: '2026-02-15', to: null }] }))).toEqual(
      [],
    );
  });

  const day = fc.integer({ min: 0, max: 12_000 }).map((n) => addDays('1999-12-01', n));
  const interval = fc.constantFrom('1D', '7D', '2W', '1M', '3M', '6M', '1Y', '2Y').map(parseInterval);
  const gapList = fc.array(fc.tuple(fc.integer({ min: 1, max: 90 }), fc.integer({ min: 1, max: 200 })), {
    maxLength: 4,
  });

  it('tiles the line without gap or overlap, whatever the anchor (31st, leap day)', () => {
    fc.assert(
      fc.property(day, day, interval, fc.boolean(), (anchorOn, start, every, advance) => {
        let expected = start;
        for (const period of take(start, schedule({ anchorOn, interval: every, advance }), 30)) {
          expect(period.from).toBe(expected);
          expect(period.to > period.from && period.intervalFrom <= period.from && period.to <= period.intervalTo).toBe(
            true,
          );
          expect(period.dueOn).toBe(advance ? period.from : period.to);
          expected = period.to;
        }
      }),
    );
  });

  it('covers each day outside of the pauses exactly once', () => {
    fc.assert(
      fc.property(
        day,
        day,
        interval,
        gapList,
        fc.integer({ min: 0, max: 900 }),
        (anchorOn, start, every, pauses, length) => {
          const gaps: Gap[] = [];
          let at = start;
          for (const [wait, pause] of pauses) {
            const from = addDays(at, wait);
            at = addDays(from, pause);
            gaps.push({ from, to: at });
          }
          const endsOn = addDays(start, length);
          const covered = new Map<Day, number>();
          let sharedDays = 0;
          for (const period of servicePeriods(start, schedule({ anchorOn, interval: every, gaps, endsOn }))) {
            for (let d = period.from; d < period.to; d = addDays(d, 1)) covered.set(d, (covered.get(d) ?? 0) + 1);
            sharedDays += period.share.of === 1 ? daysBetween(period.from, period.to) : period.share.days;
          }
          let expected = 0;
          for (let d = start; d < endsOn; d = addDays(d, 1)) {
            const paused = gaps.some((gap) => gap.from <= d && d < gap.to!);
            expect(covered.get(d) ?? 0).toBe(paused ? 0 : 1);
            if (!paused) expected += 1;
          }
          expect([covered.size, sharedDays]).toEqual([expected, expected]);
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe('billing groups', () => {
  const group = (
    type: BillingGroupDate['type'],
    customDay: number | null = null,
    customMonth: number | null = null,
  ): BillingGroupDate => ({
    type,
    customDay,
    customMonth,
  });

  test.each([
    [group('start_of_month'), '2026-01-15', '2026-02-01'],
    [group('start_of_month'), '2026-02-01', '2026-02-01'],
    [group('end_of_month'), '2026-02-10', '2026-02-28'],
    [group('end_of_month'), '2026-01-31', '2026-01-31'],
    [group('start_of_year'), '2026-03-02', '2027-01-01'],
    [group('end_of_year'), '2026-03-02', '2026-12-31'],
    [group('custom', 31), '2026-04-02', '2026-04-30'],
    [group('custom', 15, 6), '2026-06-16', '2027-06-15'],
    [group('custom', 30, 2), '2026-01-01', '2026-02-28'],
  ])('%j on or after %s is %s', (date, from, expected) => {
    expect(firstGroupDate(date, from)).toBe(expected);
  });

  test.each([
    [
      'monthly on the 1st',
      group('start_of_month'),
      '2026-01-15',
      '1M',
      ['2026-01-15 2026-02-01 17/31', '2026-02-01 2026-03-01 1/1'],
    ],
    [
      'monthly at month end from February',
      group('end_of_month'),
      '2026-02-10',
      '1M',
      ['2026-02-10 2026-02-28 18/28', '2026-02-28 2026-03-31 1/1', '2026-03-31 2026-04-30 1/1'],
    ],
    [
      'quarterly at the next month end',
      group('end_of_month'),
      '2026-02-10',
      '3M',
      ['2026-02-10 2026-02-28 18/90', '2026-02-28 2026-05-31 1/1'],
    ],
    [
      'monthly under a yearly date: the stub is no longer than an interval',
      group('start_of_year'),
      '2026-03-10',
      '1M',
      ['2026-03-10 2026-04-01 22/31', '2026-04-01 2026-05-01 1/1'],
    ],
    [
      'yearly on 1 January',
      group('start_of_year'),
      '2026-03-10',
      '1Y',
      ['2026-03-10 2027-01-01 297/365', '2027-01-01 2028-01-01 1/1'],
    ],
    ['started on the date: no stub', group('start_of_month'), '2026-03-01', '1M', ['2026-03-01 2026-04-01 1/1']],
  ])('%s', (_name, date, from, text, expected) => {
    const every = parseInterval(text);
    expect(
      show(take(from, schedule({ anchorOn: alignToGroup(date, from, every), interval: every }), expected.length)),
    ).toEqual(expected);
  });
});

describe('when a run bills', () => {
  const berlin = { tenant: 'Europe/Berlin', customer: 'Europe/Berlin' };
  const iso = (at: Date): string => at.toISOString();

  test.each([
    ['2026-01-31', berlin, '2026-01-31T02:00:00.000Z'],
    ['2026-03-29', berlin, '2026-03-29T01:00:00.000Z'],
    ['2026-10-25', berlin, '2026-10-25T02:00:00.000Z'],
    ['2026-01-31', { tenant: 'Europe/Berlin', customer: 'Asia/Tokyo' }, '2026-01-31T02:00:00.000Z'],
    ['2026-01-31', { tenant: 'Europe/Berlin', customer: 'America/Los_Angeles' }, '2026-02-01T02:00:00.000Z'],
  ])('due %s in %j: %s', (day, zones, at) => {
    expect(iso(runTimeOf(day, zones))).toBe(at);
    expect(lastDayOfRun(new Date(at), zones)).toBe(day);
    expect(lastDayOfRun(new Date(Date.parse(at) - 1), zones) < day).toBe(true);
  });

  it('what becomes due after the run has begun waits for the next day', () => {
    expect(iso(accountDueAt('2026-01-31', new Date('2026-01-31T02:00:00.000Z'), berlin))).toBe(
      '2026-02-01T02:00:00.000Z',
    );
    expect(iso(accountDueAt('2026-01-31', new Date('2026-01-31T01:59:59.999Z'), berlin))).toBe(
      '2026-01-31T02:00:00.000Z',
    );
    expect(iso(nextRunTime(new Date('2026-01-31T02:00:00.000Z'), 'Europe/Berlin'))).toBe('2026-02-01T02:00:00.000Z');
  });

  it('a request bills all that begins until the end of the tenant day', () => {
    expect(lastDayOfRequest('2026-01-31', berlin)).toBe('2026-01-31');
    expect(lastDayOfRequest('2026-01-31', { tenant: 'Europe/Berlin', customer: 'Asia/Tokyo' })).toBe('2026-02-01');
    expect(lastDayOfRequest('2026-01-31', { tenant: 'Europe/Berlin', customer: 'America/Los_Angeles' })).toBe(
      '2026-01-31',
    );
  });
});
