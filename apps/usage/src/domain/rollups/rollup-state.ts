import { addDecimal, compareDecimal, type Decimal, multiplyDecimal } from '@kontor/money';
import type { AggregationType } from '../metrics/metric.js';
import type { Sample } from '../metrics/sample-event.js';

export const ZERO: Decimal = { coefficient: 0n, scale: 0 };

/**
 * What a bucket remembers of its events: enough to add buckets up. Fields that the aggregation does not need are null.
 */
export interface RollupState {
  readonly count: number;
  readonly sum: Decimal | null;
  readonly min: Decimal | null;
  readonly max: Decimal | null;
  readonly firstAt: number | null;
  /** Time, id and value of the latest event; of two at the same time the one with the greater id. */
  readonly lastAt: number | null;
  readonly lastId: string | null;
  readonly lastValue: Decimal | null;
  /** weighted_sum: Σ level × milliseconds from the first event to the bucket's end. */
  readonly integral: Decimal | null;
}

/** True when `a` is later than `b`; ties in time are ordered by id. */
export const isLater = (a: { at: number; id: string }, b: { at: number; id: string }): boolean =>
  a.at > b.at || (a.at === b.at && a.id > b.id);

export const inOrder = (a: Sample, b: Sample): number => (isLater(a, b) ? 1 : -1);

/** The state of one bucket from its samples in any order. `endsAt`: the bucket's end in milliseconds. */
export function rollupOf(type: AggregationType, samples: readonly Sample[], endsAt: number): RollupState {
  const state = {
    count: samples.length,
    sum: null,
    min: null,
    max: null,
    firstAt: null,
    lastAt: null,
    lastId: null,
    lastValue: null,
    integral: null,
  };
  switch (type) {
    case 'count':
    case 'count_unique':
    case 'percentile':
      return state;
    case 'sum':
    case 'average':
      return { ...state, sum: sumOf(samples) };
    case 'min':
      return { ...state, min: extreme(samples, -1) };
    case 'max':
      return { ...state, max: extreme(samples, 1) };
    case 'last_value': {
      const last = samples.reduce((latest, sample) => (isLater(sample, latest) ? sample : latest));
      return { ...state, lastAt: last.at, lastId: last.id, lastValue: last.number };
    }
    case 'weighted_sum': {
      const sorted = [...samples].sort(inOrder);
      const last = sorted.at(-1)!;
      return {
        ...state,
        firstAt: sorted[0]!.at,
        lastAt: last.at,
        lastId: last.id,
        lastValue: last.number,
        integral: integralOf(sorted, endsAt),
      };
    }
  }
}

/** Whole numbers are added as such while they fit: nearly all are. */
export function sumOf(samples: readonly Sample[]): Decimal {
  let whole = 0n;
  let rest: Decimal = ZERO;
  for (const { number } of samples) {
    if (number!.scale === 0) whole += number!.coefficient;
    else rest = addDecimal(rest, number!);
  }
  return addDecimal(rest, { coefficient: whole, scale: 0 });
}

function extreme(samples: readonly Sample[], sign: number): Decimal {
  let found = samples[0]!.number!;
  for (const { number } of samples) if (order(number!, found) === sign) found = number!;
  return found;
}

/** As `compareDecimal`, without arithmetic where both are whole or otherwise alike: nearly all are. */
function order(a: Decimal, b: Decimal): number {
  if (a.scale !== b.scale) return compareDecimal(a, b);
  return a.coefficient < b.coefficient ? -1 : a.coefficient > b.coefficient ? 1 : 0;
}

/** Σ level × milliseconds of samples in order, each held until the next one, the last until `endsAt`. */
export function integralOf(sorted: readonly Sample[], endsAt: number): Decimal {
  let integral = ZERO;
  sorted.forEach((sample, i) => {
    integral = addDecimal(integral, held(sample.number!, (sorted[i + 1]?.at ?? endsAt) - sample.at));
  });
  return integral;
}

/** level × milliseconds. */
export const held = (level: Decimal, ms: number): Decimal =>
  ms === 0 || level.coefficient === 0n ? ZERO : multiplyDecimal(level, { coefficient: BigInt(ms), scale: 0 });
