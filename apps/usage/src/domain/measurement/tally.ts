import {
  addDecimal,
  compareDecimal,
  type Decimal,
  decimal,
  decimalOf,
  divideDecimal,
  formatDecimal,
  roundDecimal,
} from '@kontor/money';
import { type MetricDefinition, QUOTIENT_SCALE } from '../metrics/metric.js';
import { isLater, ZERO } from '../rollups/rollup-state.js';
import type { Sample } from '../metrics/sample-event.js';

type Rules = Pick<MetricDefinition, 'aggregationType' | 'percentile' | 'rounding'>;

/** What part of a period adds up to. Parts of a period that do not overlap merge into the whole, in any order. */
export class Tally {
  count = 0n;
  sum: Decimal = ZERO;
  min: Decimal | null = null;
  max: Decimal | null = null;
  last: { at: number; id: string; value: Decimal } | null = null;
  /** weighted_sum: Σ level × milliseconds. */
  integral: Decimal = ZERO;
  private texts: Set<string> | null = null;
  /** How often each value was seen: exact, and small where values repeat. */
  private values: Map<string, number> | null = null;

  /** Counts one event. weighted_sum is no matter of single events: see `integral`. */
  add(metric: Rules, { number, text, at, id }: Sample): void {
    this.count += 1n;
    switch (metric.aggregationType) {
      case 'sum':
      case 'average':
        this.sum = addDecimal(this.sum, number!);
        break;
      case 'min':
      case 'max':
        this.widen(number!, number!);
        break;
      case 'last_value':
        this.follow({ at, id, value: number! });
        break;
      case 'count_unique':
        (this.texts ??= new Set()).add(text!);
        break;
      case 'percentile': {
        const value = formatDecimal(number!);
        this.values ??= new Map();
        this.values.set(value, (this.values.get(value) ?? 0) + 1);
      }
    }
  }

  widen(min: Decimal | null, max: Decimal | null): void {
    if (min && (!this.min || compareDecimal(min, this.min) < 0)) this.min = min;
    if (max && (!this.max || compareDecimal(max, this.max) > 0)) this.max = max;
  }

  follow(last: { at: number; id: string; value: Decimal } | null): void {
    if (last && (!this.last || isLater(last, this.last))) this.last = last;
  }

  merge(other: Tally): this {
    this.count += other.count;
    this.sum = addDecimal(this.sum, other.sum);
    this.integral = addDecimal(this.integral, other.integral);
    this.widen(other.min, other.max);
    this.follow(other.last);
    if (other.texts) {
      this.texts ??= new Set();
      for (const text of other.texts) this.texts.add(text);
    }
    if (other.values) {
      this.values ??= new Map();
      for (const [value, times] of other.values) this.values.set(value, (this.values.get(value) ?? 0) + times);
    }
    return this;
  }

  /** The metric's value, rounded once. A period without usage is 0. `lengthMs`: of the whole period. */
  value(metric: Rules, lengthMs: number): Decimal {
    switch (metric.aggregationType) {
      case 'count':
        return rounded(metric, decimalOf(this.count));
      case 'count_unique':
        return rounded(metric, decimalOf(this.texts?.size ?? 0));
      case 'sum':
        return rounded(metric, this.sum);
      case 'min':
        return rounded(metric, this.min ?? ZERO);
      case 'max':
        return rounded(metric, this.max ?? ZERO);
      case 'last_value':
        return rounded(metric, this.last?.value ?? ZERO);
      case 'average':
        return this.count === 0n ? ZERO : quotient(metric, this.sum, decimalOf(this.count));
      case 'weighted_sum':
        return lengthMs === 0 ? ZERO : quotient(metric, this.integral, decimalOf(lengthMs));
      case 'percentile':
        return rounded(metric, this.percentile(decimal(metric.percentile ?? '50')));
    }
  }

  /** Nearest rank: the smallest value that at least p per cent of all are not above. */
  private percentile(p: Decimal): Decimal {
    const sorted = [...(this.values ?? [])]
      .map(([text, times]) => ({ value: anyDecimal(text), times }))
      .sort((a, b) => compareDecimal(a.value, b.value));
    if (sorted.length === 0) return ZERO;
    const total = sorted.reduce((sum, { times }) => sum + times, 0);
    const rank = divideDecimal(
      { coefficient: p.coefficient * BigInt(total), scale: p.scale },
      decimalOf(100),
      0,
      'up',
    ).coefficient;
    let seen = 0n;
    for (const { value, times } of sorted) if ((seen += BigInt(times)) >= rank) return value;
    return sorted.at(-1)!.value;
  }
}

const rounded = ({ rounding }: Rules, value: Decimal): Decimal =>
  rounding ? roundDecimal(value, rounding.scale, rounding.mode) : value;

const quotient = ({ rounding }: Rules, a: Decimal, b: Decimal): Decimal =>
  divideDecimal(a, b, rounding?.scale ?? QUOTIENT_SCALE, rounding?.mode ?? 'half_up');

/** A plain decimal of any length, as PostgreSQL and `formatDecimal` write them. */
export function anyDecimal(text: string): Decimal {
  const negative = text.startsWith('-');
  const [whole = '', fraction = ''] = (negative ? text.slice(1) : text).split('.');
  const digits = BigInt(whole + fraction);
  return decimalOf(negative ? -digits : digits, fraction.length);
}
