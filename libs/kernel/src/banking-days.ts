import { addDays, type Day, yearOf } from './calendar.js';

/** Easter Sunday of a year of the Gregorian calendar. @see Meeus, Astronomical Algorithms, chapter 8 */
export function easterSunday(year: number): Day {
  const a = year % 19;
  const b = Math.floor(year / 100);
  const c = year % 100;
  const g = Math.floor((b - Math.floor((b + 8) / 25) + 1) / 3);
  const h = (19 * a + b - Math.floor(b / 4) - g + 15) % 30;
  const l = (32 + 2 * (b % 4) + 2 * Math.floor(c / 4) - h - (c % 4)) % 7;
  const n = h + l - 7 * Math.floor((a + 11 * h + 22 * l) / 451) + 114;
  return `${year}-${String(Math.floor(n / 31)).padStart(2, '0')}-${String((n % 31) + 1).padStart(2, '0')}`;
}

const FIXED = new Set(['01-01', '05-01', '12-25', '12-26']);

/**
 * True on a day on which euro payments between banks are settled: Monday to Friday, but for New Year, Good Friday, Easter
 * Monday, 1 May, Christmas and the day after. @see ECB, T2 long-term calendar
 */
export function isTargetDay(day: Day): boolean {
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay();
  if (weekday === 0 || weekday === 6 || FIXED.has(day.slice(5))) return false;
  const easter = easterSunday(yearOf(day));
  return day !== addDays(easter, -2) && day !== addDays(easter, 1);
}

/** The day itself where banks work on it, else the next one. */
export function targetDayFrom(day: Day): Day {
  let found = day;
  while (!isTargetDay(found)) found = addDays(found, 1);
  return found;
}

/** The first day on which a bank debits what it gets today: it wants that one banking day earlier. */
export const earliestDebitDay = (today: Day): Day => targetDayFrom(addDays(targetDayFrom(today), 1));

/**
 * When an account is debited: on the due day, but not before the payer was notified `noticeDays` calendar days ahead, and
 * not before {@link earliestDebitDay}. Always a banking day.
 */
export function directDebitDay({ dueOn, today, noticeDays }: { dueOn: Day; today: Day; noticeDays: number }): Day {
  const [latest] = [dueOn, addDays(today, noticeDays), earliestDebitDay(today)].sort().reverse();
  return targetDayFrom(latest!);
}
