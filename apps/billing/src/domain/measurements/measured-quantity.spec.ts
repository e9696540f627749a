import { describe, expect, it } from '@jest/globals';
import { isMeteredBy, measuredQuantity, type MeasurementRules } from './measured-quantity.js';
import { isMeasurementError, readMeasurement } from './read-measurement.js';

const june = {
  fromInstant: new Date('2026-06-01T00:00:00Z'),
  toInstant: new Date('2026-07-01T00:00:00Z'),
  from: '2026-06-01',
  to: '2026-07-01',
  intervalFrom: '2026-06-01',
  intervalTo: '2026-07-01',
};
const at = (day: number, quantity: string, hour = 0) => ({
  measuredAt: new Date(Date.UTC(2026, 5, day, hour)),
  quantity,
});
const rules = (aggregationType: MeasurementRules['aggregationType'], fairBilling = false): MeasurementRules => ({
  type: 'metered',
  aggregationType,
  fairBilling,
});
const readings = [at(11, '8'), at(21, '2.5'), at(21, '8', 12)];

describe('the quantity of a period', () => {
  it.each([
    ['count', false, '3'],
    ['count_unique', false, '2'],
    ['sum', false, '18.5'],
    ['max', false, '8'],
    ['last_value', false, '8'],
    // (8 + 2.5 + 8) ÷ 3
    ['average', false, '6.16666667'],
    // 10 days at 5, 10 at 8, half a day at 2.5, 9.5 days at 8: (50 + 80 + 1.25 + 76) ÷ 30
    ['average', true, '6.90833333'],
    ['last_value', true, '6.90833333'],
    ['max', true, '6.90833333'],
    ['sum', true, '18.5'],
  ] as const)('%s, fair billing %s: %s', (type, fair, expected) => {
    expect(measuredQuantity(rules(type, fair), readings, june, '5')).toBe(expected);
  });

  it('without readings: what held before, and nothing of what flows', () => {
    expect(
      ['count', 'count_unique', 'sum', 'max', 'last_value', 'average'].map((type) =>
        measuredQuantity(rules(type as 'sum'), [], june, '5'),
      ),
    ).toEqual(['0', '0', '0', '5', '5', '5']);
    expect(measuredQuantity(rules('average', true), [], june, '5')).toBe('5');
  });

  it('a part of an interval weighs as its days', () => {
    const part = { ...june, fromInstant: new Date('2026-06-16T00:00:00Z'), from: '2026-06-16' };
    expect(measuredQuantity(rules('last_value', true), [], part, '10')).toBe('5');
    // 5 days at 10, 10 days at 4: (50 + 40) ÷ 30
    expect(measuredQuantity(rules('last_value', true), [at(21, '4')], part, '10')).toBe('3');
    expect(measuredQuantity(rules('last_value'), [at(21, '4')], part, '10')).toBe('4');
  });

  it('is measured over a period where the measurement is metered, or fair in arrears', () => {
    const recurring = (
      aggregationType: MeasurementRules['aggregationType'],
      fairBilling: boolean,
    ): MeasurementRules => ({ type: 'recurring', aggregationType, fairBilling });
    expect(isMeteredBy(rules('sum'), true)).toBe(true);
    expect(isMeteredBy(recurring('last_value', true), false)).toBe(true);
    expect(isMeteredBy(recurring('last_value', true), true)).toBe(false);
    expect(isMeteredBy(recurring('last_value', false), false)).toBe(false);
  });
});

describe('a reading as it is sent', () => {
  const sent = {
    subscriptionItem: '0199F000-0000-7000-8000-000000000001',
    quantity: '12.50',
    measuredAt: '2026-06-01T10:00:00+02:00',
  };
  it('is read with defaults', () => {
    expect(readMeasurement(sent)).toEqual({
      subscription: null,
      subscriptionItem: sent.subscriptionItem.toLowerCase(),
      measurement: null,
      quantity: '12.50',
      measuredAt: new Date('2026-06-01T08:00:00Z'),
      transactionId: null,
    });
  });

  it.each([
    [7, '', 'invalid_type'],
    [{ ...sent, quantity: 5 }, 'quantity', 'invalid_type'],
    [{ ...sent, quantity: undefined }, 'quantity', 'required'],
    [{ ...sent, quantity: '-1' }, 'quantity', 'invalid_value'],
    [{ ...sent, quantity: '1e5' }, 'quantity', 'invalid_value'],
    [{ ...sent, quantity: 'NaN' }, 'quantity', 'invalid_value'],
    [{ ...sent, measuredAt: '2026-06-01' }, 'measuredAt', 'invalid_value'],
    [{ ...sent, measuredAt: '2026-06-31T00:00:00Z' }, 'measuredAt', 'invalid_value'],
    [{ ...sent, measuredAt: '2026-06-01T10:00:00' }, 'measuredAt', 'invalid_value'],
    [{ ...sent, subscriptionItem: 'x' }, 'subscriptionItem', 'invalid_value'],
    [{ ...sent, subscriptionItem: null }, 'subscriptionItem', 'required'],
    [{ ...sent, measurement: '\u0000' }, 'measurement', 'invalid_value'],
    [{ ...sent, amount: '1' }, 'amount', 'unknown_field'],
  ])('%j is refused at %s', (item, field, code) => {
    const read = readMeasurement(item);
    expect(isMeasurementError(read) && [read.field, read.code]).toEqual([field, code]);
  });
});
