import type { JsonSchema } from '../http/operation.js';
import type { JsonType } from './field-extras.js';

interface Rule {
  readonly rule: string;
  readonly constraints: readonly unknown[];
}

const NUMBERS = new Set([
  'isNumber',
  'isInt',
  'min',
  'max',
  'isPositive',
  'isNegative',
  'isDivisibleBy',
  'isLatitude',
  'isLongitude',
]);
const OBJECTS = new Set(['isObject', 'isNotEmptyObject', 'nestedValidation']);
/** Say nothing about the type. */
const NEUTRAL = new Set([
  'isDefined',
  'isOptional',
  'conditionalValidation',
  'whitelistValidation',
  'isNotEmpty',
  'isEmpty',
  'equals',
  'notEquals',
  'isNotIn',
  'customValidation',
]);
const STRINGS = new RegExp(
  `^(${[
    'isString|isUuid|isEmail|isUrl|isLength|minLength|maxLength|matches|isISO\\w*|isIso\\w*|isDateString',
    'isNumberString|isDecimal|isBase64|contains|notContains|isAlpha\\w*|isLocale|isTimeZone|isIBAN|isBIC',
    'isHexColor|isLowercase|isUppercase|isJSON|isRFC3339|isIp|isFQDN|isPhoneNumber|isPostalCode',
    'isCreditCard|isCurrency|isBooleanString|isHash|isJwt|isMongoId|isMilitaryTime|isSemVer|isMimeType',
  ].join('|')})$`,
);

/** The JSON types that a property's class-validator rules imply; empty when they imply none. */
export function impliedTypes(rules: readonly Rule[]): JsonType[] {
  const types = new Set<JsonType>();
  for (const { rule, constraints } of rules) {
    if (NEUTRAL.has(rule)) continue;
    if (NUMBERS.has(rule)) types.add('number');
    else if (rule === 'isBoolean') types.add('boolean');
    else if (OBJECTS.has(rule)) types.add('object');
    else if (rule === 'isArray') types.add('array');
    else if (rule === 'isIn' || rule === 'isEnum')
      for (const value of choices(rule, constraints)) types.add(typeOf(value));
    else if (STRINGS.test(rule)) types.add('string');
  }
  return [...types];
}

export function typeOf(value: unknown): JsonType {
  if (Array.isArray(value)) return 'array';
  const type = typeof value;
  return type === 'string' || type === 'number' || type === 'boolean' ? type : 'object';
}

function choices(rule: string, constraints: readonly unknown[]): unknown[] {
  const [first, values] = constraints;
  if (rule === 'isEnum') return Array.isArray(values) ? values : Object.values(first as object);
  return typeof first === 'function' ? [...(first as () => unknown[])()] : [...(first as unknown[])];
}

const number =
  (word: string) =>
  (value: unknown): JsonSchema =>
    typeof value === 'number' && Number.isSafeInteger(value) ? { [word]: value } : {};

const SCHEMAS: Record<string, (first: unknown, second: unknown, constraints: readonly unknown[]) => JsonSchema> = {
  isUuid: () => ({ format: 'uuid' }),
  isEmail: () => ({ format: 'email' }),
  isUrl: () => ({ format: 'uri' }),
  isISO8601: () => ({ format: 'date-time' }),
  isDateString: () => ({ format: 'date-time' }),
  isInt: () => ({ type: 'integer' }),
  isLength: (min, max) => ({ ...number('minLength')(min), ...number('maxLength')(max) }),
  minLength: number('minLength'),
  maxLength: number('maxLength'),
  min: number('minimum'),
  max: number('maximum'),
  isPositive: () => ({ exclusiveMinimum: 0 }),
  matches: (pattern) => (pattern instanceof RegExp ? { pattern: pattern.source } : {}),
  isIn: (_first, _second, constraints) => ({ enum: choices('isIn', constraints) }),
  isEnum: (_first, _second, constraints) => ({ enum: choices('isEnum', constraints) }),
  arrayMinSize: number('minItems'),
  arrayMaxSize: number('maxItems'),
  arrayNotEmpty: () => ({ minItems: 1 }),
  arrayUnique: () => ({ uniqueItems: true }),
};

/** What one rule adds to the property's JSON schema. */
export const impliedSchema = (rule: string, constraints: readonly unknown[]): JsonSchema =>
  SCHEMAS[rule]?.(constraints[0], constraints[1], constraints) ?? {};
