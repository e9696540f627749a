import type { Violation } from '@kontor/kernel';
import { validateSync } from 'class-validator';
import { MAX_VIOLATIONS } from '../http/problem.js';
import { describeDto } from './describe-dto.js';

/** The first hundred things that are wrong with an instance and with what is nested in it; whoever asks may wait before each part. */
export function* violationsOf(dto: Function, instance: object, path = ''): Generator<void, Violation[]> {
  yield;
  const violations: Violation[] = validateSync(instance, { forbidUnknownValues: false }).flatMap(
    ({ property, constraints = {} }) =>
      Object.entries(constraints).map(([rule, message]) => ({
        propertyPath: path + property,
        message,
        code: CODES[rule] ?? snakeCase(rule),
      })),
  );
  for (const { name, list, nested, applies } of describeDto(dto).values()) {
    const value = (instance as Record<string, unknown>)[name];
    if (!nested || typeof value !== 'object' || value === null || !applies(instance, value)) continue;
    for (const [n, part] of list ? (value as object[]).entries() : [[null, value] as const]) {
      if (violations.length >= MAX_VIOLATIONS) return violations;
      const place = n === null ? name : `${name}[${n}]`;
      violations.push(...(yield* violationsOf(nested, part, `${path}${place}.`)));
    }
  }
  return violations;
}

const CODES: Record<string, string> = {
  isIn: 'invalid_choice',
  isEnum: 'invalid_choice',
  isLength: 'invalid_length',
  minLength: 'invalid_length',
  maxLength: 'invalid_length',
  arrayMinSize: 'invalid_length',
  arrayMaxSize: 'invalid_length',
  arrayNotEmpty: 'invalid_length',
  isUuid: 'invalid_uuid',
  isEmail: 'invalid_email',
  isUrl: 'invalid_url',
  min: 'out_of_range',
  max: 'out_of_range',
  isPositive: 'out_of_range',
  isInt: 'not_an_integer',
  matches: 'invalid_format',
};

const snakeCase = (word: string): string => word.replace(/([A-Z])/g, '_$1').toLowerCase();
