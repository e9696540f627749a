import { type Day, daysBetween } from '@kontor/kernel';
import {
  addDecimal,
  compareDecimal,
  type Decimal,
  decimal,
  decimalOf,
  divideDecimal,
  formatDecimal,
  multiplyDecimal,
} from '@kontor/money';

export interface Reading {
  readonly measuredAt: Date;
  /** Decimal. */
  readonly quantity: string;
}

/** How a measurement of the catalogue is billed. */
export interface MeasurementRules {
  readonly type: 'recurring' | 'metered';
  readonly aggregationType: 'count' | 'count_unique' | 'sum' | 'max' | 'last_value' | 'average';
  readonly fairBilling: boolean;
}

/** A service period: as instants, and as days of the customer with the interval that it is a part of. */
export interface MeasuredPeriod {
  readonly fromInstant: Date;
  readonly toInstant: Date;
  readonly from: Day;
  readonly to: Day;
  readonly intervalFrom: Day;
  readonly intervalTo: Day;
}

/** Decimals of a quantity that time was divided by, half away from zero. */
const SCALE = 8;
const ZERO = decimal('0');

/** A level holds until the next reading; a flow is what happened at its readings. */
const isLevel = ({ aggregationType }: MeasurementRules): boolean =>
  aggregationType === 'last_value' || aggregationType === 'max' || aggregationType === 'average';

/** Whether the quantity is measured over each period and billed at its end, and not simply changed by a reading. */
export const isMeteredBy = (rules: MeasurementRules, payInAdvance: boolean): boolean =>
  rules.type === 'metered' || (isLevel(rules) && rules.fairBilling && !payInAdvance);

/**
 * The quantity of a period. Flows are counted or added up. Levels: with fair billing the average over time, a part of
 * an interval weighing as its days; without, the last, highest or average reading. `before` held when the period began.
 */
export function measuredQuantity(
  rules: MeasurementRules,
  readings: readonly Reading[],
  period: MeasuredPeriod,
  before: string,
): string {
  const values = readings.map(({ quantity }) => decimal(quantity));
  switch (rules.aggregationType) {
    case 'count':
      return String(values.length);
    case 'count_unique':
      return String(new Set(values.map((value) => formatDecimal(value))).size);
    case 'sum':
      return formatDecimal(values.reduce(addDecimal, ZERO));
  }
  if (rules.fairBilling) return formatDecimal(averageOverTime(readings, period, decimal(before)));
  const held = [decimal(before), ...values];
  if (rules.aggregationType === 'last_value') return formatDecimal(held.at(-1)!);
  if (rules.aggregationType === 'max')
    return formatDecimal(held.reduce((highest, value) => (compareDecimal(value, highest) > 0 ? value : highest)));
  return formatDecimal(
    values.length === 0
      ? held[0]!
      : divideDecimal(values.reduce(addDecimal), decimalOf(values.length), SCALE, 'half_up'),
  );
}

function averageOverTime(readings: readonly Reading[], period: MeasuredPeriod, before: Decimal): Decimal {
  const end = period.toInstant.getTime();
  let at = period.fromInstant.getTime();
  const length = end - at;
  let level = before;
  let total = ZERO;
  for (const { measuredAt, quantity } of [...readings, { measuredAt: period.toInstant, quantity: '0' }]) {
    total = addDecimal(total, multiplyDecimal(level, decimalOf(measuredAt.getTime() - at)));
    at = measuredAt.getTime();
    level = decimal(quantity);
  }
  const days = daysBetween(period.from, period.to);
  const of = daysBetween(period.intervalFrom, period.intervalTo);
  return divideDecimal(multiplyDecimal(total, decimalOf(days)), decimalOf(length * of), SCALE, 'half_up');
}
