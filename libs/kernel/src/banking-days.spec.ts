import { describe, expect, it } from '@jest/globals';
import { directDebitDay, easterSunday, isTargetDay, targetDayFrom } from './banking-days.js';

describe('banking days of the euro', () => {
  it.each([
    [2024, '2024-03-31'],
    [2025, '2025-04-20'],
    [2026, '2026-04-05'],
    [2027, '2027-03-28'],
    [2038, '2038-04-25'],
  ])('Easter of %d is %s', (year, day) => expect(easterSunday(year)).toBe(day));

  it.each(['2026-01-01', '2026-04-03', '2026-04-06', '2026-05-01', '2026-12-25', '2026-11-21', '2026-11-22'])(
    '%s is none',
    (day) => expect(isTargetDay(day)).toBe(false),
  );

  it.each(['2026-10-03', '2026-05-14', '2026-10-31'].map((day) => [day]))(
    'a national holiday counts like any other day: %s',
    (day) => expect(isTargetDay(day)).toBe(![0, 6].includes(new Date(day).getUTCDay())),
  );

  it('moves over a long weekend', () => {
    expect(targetDayFrom('2026-04-03')).toBe('2026-04-07');
    expect(targetDayFrom('2026-12-25')).toBe('2026-12-28');
    expect(targetDayFrom('2026-11-23')).toBe('2026-11-23');
  });
});

describe('the day of a direct debit', () => {
  it.each([
    ['the due day, when it is far enough', '2026-12-07', '2026-11-23', 2, '2026-12-07'],
    ['not before the notice is over', '2026-11-23', '2026-11-23', 2, '2026-11-25'],
    ['the next banking day where that is none', '2026-12-05', '2026-11-23', 2, '2026-12-07'],
    ['never the same day', '2026-11-23', '2026-11-23', 0, '2026-11-24'],
    ['one banking day after the bank gets it on Monday', '2026-11-21', '2026-11-21', 2, '2026-11-24'],
    ['the next banking day of a Friday', '2026-11-20', '2026-11-20', 0, '2026-11-23'],
    ['a notice of fourteen days', '2026-11-24', '2026-11-23', 14, '2026-12-07'],
  ])('is %s', (_name, dueOn, today, noticeDays, expected) =>
    expect(directDebitDay({ dueOn, today, noticeDays })).toBe(expected),
  );
});
