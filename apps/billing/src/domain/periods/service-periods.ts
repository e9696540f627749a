import { type Day, type Interval } from '@kontor/kernel';
import { boundaryOf, indexOf } from '../calendar/calendar-cache.js';
import { type Share, shareOf } from '../proration/share.js';

/** Days that are not billed, half-open; `to` null: a pause that has not ended. */
export interface Gap {
  readonly from: Day;
  readonly to: Day | null;
  /** Intervals are counted anew from its end; it may have no days then. */
  readonly isNewAnchor?: boolean;
}

/** The days alone, where something else says from when intervals are counted. */
export const withoutAnchors = (gaps: readonly Gap[]): Gap[] =>
  gaps.filter(({ from, to }) => to === null || from < to).map(({ from, to }) => ({ from, to }));

export interface Schedule {
  /** Boundaries are counted from this day, in both directions; it keeps its day of the month. */
  readonly anchorOn: Day;
  readonly interval: Interval;
  /** In order, without overlap. */
  readonly gaps: readonly Gap[];
  /** First day that is no longer billed; null: open-ended. */
  readonly endsOn: Day | null;
  /** Due at the beginning of a period, else at its end. */
  readonly advance: boolean;
  /** Parts of an interval cost their share of days, else the full price. */
  readonly proRata: boolean;
}

/** One line's half-open service period inside the interval that its price is for. */
export interface ServicePeriod {
  readonly from: Day;
  readonly to: Day;
  readonly intervalFrom: Day;
  readonly intervalTo: Day;
  /** Used days of the interval's days; the whole price unless prorated. */
  readonly share: Share;
  readonly dueOn: Day;
}

const min = (a: Day, b: Day | null | undefined): Day => (b !== null && b !== undefined && b < a ? b : a);

/**
 * The periods from a day on: they tile the line but for gaps, never overlap, and never cross a boundary of the anchor.
 * Endless unless the schedule ends or a pause is open.
 */
export function* servicePeriods(start: Day, schedule: Schedule): Generator<ServicePeriod> {
  const { anchorOn, interval, gaps, endsOn } = schedule;
  let cursor = afterGaps(start, gaps);
  if (cursor === null) return;
  let n = indexOf(anchorOn, interval, cursor);
  while (endsOn === null || cursor < endsOn) {
    const intervalFrom = boundaryOf(anchorOn, interval, n);
    const intervalTo = boundaryOf(anchorOn, interval, n + 1);
    if (intervalTo <= cursor) {
      n += 1;
      continue;
    }
    const to = periodEnd(cursor, min(intervalTo, endsOn), schedule);
    yield {
      from: cursor,
      to,
      intervalFrom,
      intervalTo,
      share: shareOf({ from: cursor, to }, { from: intervalFrom, to: intervalTo }, schedule.proRata),
      dueOn: schedule.advance ? cursor : to,
    };
    const next = afterGaps(to, gaps);
    if (next === null) return;
    cursor = next;
  }
}

/** The first day on or after `day` that no gap covers; null inside an open pause. */
function afterGaps(day: Day, gaps: readonly Gap[]): Day | null {
  let at = day;
  for (const gap of gaps) {
    if (gap.from > at || (gap.to !== null && gap.to <= at)) continue;
    if (gap.to === null) return null;
    at = gap.to;
  }
  return at;
}

/**
 * Prorated periods end where a gap begins; a full price is charged once for an interval, so a gap inside it changes
 * nothing.
 */
function periodEnd(from: Day, end: Day, { gaps, proRata }: Schedule): Day {
  const gap = gaps.find(
    (candidate) =>
      candidate.from > from && candidate.from < end && (proRata || candidate.to === null || candidate.to >= end),
  );
  return gap ? gap.from : end;
}
