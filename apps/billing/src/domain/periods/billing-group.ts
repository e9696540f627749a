import { addDays, addInterval, type Day, dayOfMonth, endOfMonth, type Interval } from '@kontor/kernel';

/** The common date of a billing group; the stored row fits as it is. */
export interface BillingGroupDate {
  readonly type: 'start_of_month' | 'end_of_month' | 'start_of_year' | 'end_of_year' | 'custom';
  /** 1..31, clipped to the month's end. */
  readonly customDay: number | null;
  /** 1..12; null: every month. */
  readonly customMonth: number | null;
}

/** The day of the month, and the month where it is not every month. */
interface Target {
  readonly day: number;
  readonly month: number | null;
}

function targetOf(group: BillingGroupDate): Target {
  switch (group.type) {
    case 'start_of_month':
      return { day: 1, month: null };
    case 'end_of_month':
      return { day: 31, month: null };
    case 'start_of_year':
      return { day: 1, month: 1 };
    case 'end_of_year':
      return { day: 31, month: 12 };
    case 'custom':
      return { day: group.customDay ?? 1, month: group.customMonth };
  }
}

/** The wanted day in the month of `day`, clipped to its end. */
const inMonthOf = (day: Day, wanted: number): Day => {
  const last = endOfMonth(day);
  return dayOfMonth(last) <= wanted ? last : addDays(`${day.slice(0, 8)}01`, wanted - 1);
};

/** The first common date on or after a day. */
export function firstGroupDate(group: BillingGroupDate, from: Day): Day {
  const { day, month } = targetOf(group);
  const thisMonth: Day = `${from.slice(0, 8)}01`;
  for (let i = 0; ; i++) {
    const first = addInterval(thisMonth, { count: 1, unit: 'M' }, i);
    const candidate = inMonthOf(first, day);
    if (candidate >= from && (month === null || Number(first.slice(5, 7)) === month)) return candidate;
  }
}

const MONTHS_TO_LOOK_BACK = 48;

/**
 * The anchor that makes intervals begin on the group's date: the boundary after `from` is the earliest that lies on the
 * grid of the group's date and whole intervals, so the first, partial one is never longer than an interval. An anchor
 * on a clipped day (28 February for the 31st) is moved back by whole intervals to a month that has the day.
 */
export function alignToGroup(group: BillingGroupDate, from: Day, interval: Interval): Day {
  const { day } = targetOf(group);
  const calendar = interval.unit === 'M' || interval.unit === 'Y';
  const step = (at: Day, times: number): Day => {
    const moved = addInterval(at, interval, times);
    return calendar ? inMonthOf(moved, day) : moved;
  };
  let boundary = firstGroupDate(group, from);
  for (let earlier = step(boundary, -1); earlier >= from; earlier = step(boundary, -1)) boundary = earlier;
  let anchor = boundary;
  for (let n = 1; calendar && dayOfMonth(anchor) < day && n <= MONTHS_TO_LOOK_BACK; n++) {
    const candidate = step(boundary, -n);
    if (dayOfMonth(candidate) > dayOfMonth(anchor)) anchor = candidate;
  }
  return anchor;
}

/** Anchor of an interval that begins on a day: the day, unless a billing group aligns it. */
export const anchorFor =
  (group: BillingGroupDate | null) =>
  (day: Day, interval: Interval): Day =>
    group ? alignToGroup(group, day, interval) : day;
