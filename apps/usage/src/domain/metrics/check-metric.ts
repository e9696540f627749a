import { hasAtMost } from '@kontor/kernel';
import type { Violation } from '@kontor/kernel';
import { isDecimal } from '@kontor/money';
import { isScalar } from './match-filter.js';
import type { FilterScalar, MetricDefinition, MetricFilter } from './metric.js';
import { readNumber } from './read-number.js';
import { isPropertyPath } from './read-property.js';

export const MAX_FILTERS = 20;
export const MAX_GROUPS = 5;
export const MAX_FILTER_VALUES = 100;
export const MAX_FILTER_TEXT = 255;

/** Everything that is wrong with a metric whose fields have the right types; empty: nothing. */
export function checkMetric(metric: Omit<MetricDefinition, 'rounding'>): Violation[] {
  const found: Violation[] = [];
  const refuse = (propertyPath: string, message: string, code: string): void =>
    void found.push({ propertyPath, message: `The field ${propertyPath} ${message}.`, code });
  const path = (propertyPath: string, value: string): void => {
    if (!isPropertyPath(value)) refuse(propertyPath, 'must be a path such as bytes or usage.tokens', 'invalid_path');
  };
  const { aggregationType: type, property, percentile, filters, groupBy } = metric;
  if (property !== null) path('property', property);
  else if (type !== 'count') refuse('property', `is required for ${type}`, 'required');
  if (type === 'percentile' && percentile === null) refuse('percentile', 'is required for percentile', 'required');
  if (type !== 'percentile' && percentile !== null) refuse('percentile', 'goes with percentile only', 'invalid_value');
  if (percentile !== null && !isPercentile(percentile))
    refuse('percentile', 'must be more than 0 and at most 100, with at most 6 decimals', 'out_of_range');
  if (filters.length > MAX_FILTERS) refuse('filters', `must have at most ${MAX_FILTERS} items`, 'invalid_length');
  filters.slice(0, MAX_FILTERS).forEach((filter, i) => {
    path(`filters[${i}].property`, filter.property);
    const wrong = wrongValue(filter);
    if (wrong) refuse(`filters[${i}].value`, wrong, 'invalid_value');
  });
  if (groupBy.length > MAX_GROUPS) refuse('groupBy', `must have at most ${MAX_GROUPS} items`, 'invalid_length');
  groupBy.slice(0, MAX_GROUPS).forEach((group, i) => {
    path(`groupBy[${i}]`, group);
    if (groupBy.indexOf(group) !== i) refuse(`groupBy[${i}]`, 'is there twice', 'duplicate');
  });
  return found;
}

const isPercentile = (text: string): boolean =>
  isDecimal(text) && /^\d{1,3}(\.\d{1,6})?$/.test(text) && Number(text) > 0 && Number(text) <= 100;

const isValue = (value: unknown): value is FilterScalar =>
  isScalar(value) &&
  (typeof value !== 'string' || hasAtMost(value, MAX_FILTER_TEXT)) &&
  (typeof value !== 'number' || readNumber(value) !== undefined);

/** What is wrong with a condition's value, in words. */
function wrongValue({ operator, value }: MetricFilter): string | undefined {
  switch (operator) {
    case 'eq':
    case 'neq':
      return isValue(value)
        ? undefined
        : `must be a text of at most ${MAX_FILTER_TEXT} characters, a number, true or false`;
    case 'in':
    case 'not_in':
      return Array.isArray(value) && value.length >= 1 && value.length <= MAX_FILTER_VALUES && value.every(isValue)
        ? undefined
        : `must be a list of 1 to ${MAX_FILTER_VALUES} texts, numbers, true or false`;
    case 'gt':
    case 'lt':
      return isValue(value) && readNumber(value) !== undefined ? undefined : 'must be a number';
    case 'exists':
      return value === null || typeof value === 'boolean' ? undefined : 'must be true or false';
  }
}
