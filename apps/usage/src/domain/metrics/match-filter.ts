import { compareDecimal, type Decimal } from '@kontor/money';
import type { FilterScalar, MetricFilter } from './metric.js';
import { readNumber } from './read-number.js';
import { propertyReader, type ReadProperty } from './read-property.js';

type Test = (value: unknown) => boolean;

/**
 * Whether an event's properties meet a condition. A missing property meets only `neq`, `not_in` and `exists: false`.
 */
export function filterOf(filter: MetricFilter): (properties: Parameters<ReadProperty>[0]) => boolean {
  const read = propertyReader(filter.property);
  const holds = testOf(filter);
  return (properties) => holds(read(properties));
}

function testOf({ operator, value }: MetricFilter): Test {
  const values = (Array.isArray(value) ? value : [value]) as FilterScalar[];
  const tests = values.map(equals);
  const isAny: Test = (found) => tests.some((test) => test(found));
  const bound = operator === 'gt' || operator === 'lt' ? readNumber(value) : undefined;
  const compares = (sign: number): Test => {
    return (found) => {
      const number = readNumber(found);
      return number !== undefined && bound !== undefined && compareDecimal(number, bound) === sign;
    };
  };
  switch (operator) {
    case 'eq':
    case 'in':
      return isAny;
    case 'neq':
    case 'not_in':
      return (found) => !isAny(found);
    case 'gt':
      return compares(1);
    case 'lt':
      return compares(-1);
    case 'exists':
      return (found) => (found !== undefined && found !== null) === (value !== false);
  }
}

/**
 * A number equals whatever is the same number (`5`, `"5.0"`); a text equals the same text only; yes and no also as
 * text.
 */
function equals(wanted: FilterScalar): Test {
  if (typeof wanted === 'number') {
    const number = readNumber(wanted) as Decimal | undefined;
    return (found) => {
      if (found === wanted) return true;
      const other = readNumber(found);
      return number !== undefined && other !== undefined && compareDecimal(number, other) === 0;
    };
  }
  const text = String(wanted);
  return (found) => found === wanted || (isScalar(found) && String(found) === text);
}

export const isScalar = (value: unknown): value is FilterScalar =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
