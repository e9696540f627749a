import { hasAtMost } from '@kontor/kernel';
import {
  compareDecimal,
  decimal,
  divideDecimal,
  formatDecimal,
  isDecimal,
  multiplyDecimal,
  subtractDecimal,
} from '@kontor/money';
import type { Violation } from '@kontor/kernel';

export const FEATURE_TYPES = ['switch', 'custom', 'quantity', 'range'] as const;
export type FeatureType = (typeof FEATURE_TYPES)[number];

/** The value that means "as much as you like". */
export const UNLIMITED = 'unlimited';

/** A level of a custom or quantity feature. */
export interface FeatureLevel {
  readonly value: string;
  readonly label: string | null;
}

/** Bounds of a range feature, decimal text. */
export interface FeatureRange {
  readonly min: string | null;
  readonly max: string | null;
  readonly step: string | null;
  readonly allowUnlimitedMin: boolean;
  readonly allowUnlimitedMax: boolean;
}
export type FeatureConfig = readonly FeatureLevel[] | FeatureRange;

export const MAX_LEVELS = 200;
const MAX_TEXT = 255;
const RANGE_FIELDS = ['min', 'max', 'step', 'allowUnlimitedMin', 'allowUnlimitedMax'];

type Read<T> = { readonly value: T } | { readonly violation: Violation };

const refuse = (propertyPath: string, message: string, code = 'invalid_value'): { violation: Violation } => ({
  violation: { propertyPath, message, code },
});

/** A decimal as it is kept, from a number or text; null where it is none. */
export function plainDecimal(value: unknown): string | null {
  const text = typeof value === 'number' ? String(value) : typeof value === 'string' ? value.trim() : '';
  return isDecimal(text) && text.length <= 40 ? formatDecimal(decimal(text)) : null;
}

/** The config of a feature of a type, checked and in its one form. A switch has none. */
export function readConfig(type: FeatureType, config: unknown): Read<FeatureConfig | null> {
  if (type === 'switch') {
    const isEmpty = config === undefined || config === null || (Array.isArray(config) && config.length === 0);
    return isEmpty ? { value: null } : refuse('config', 'A switch has no config.');
  }
  if (config === undefined || config === null)
    return refuse('config', `config is required for the type ${type}.`, 'required');
  if (type === 'range') return readRange(config);
  return readLevels(type, config);
}

function readLevels(type: 'custom' | 'quantity', config: unknown): Read<FeatureLevel[]> {
  if (!Array.isArray(config) || config.length === 0 || config.length > MAX_LEVELS)
    return refuse('config', `config must be a list of 1 to ${MAX_LEVELS} levels, {value, label}.`);
  const levels: FeatureLevel[] = [];
  for (const [n, level] of config.entries()) {
    const path = `config[${n}]`;
    if (typeof level !== 'object' || level === null || Array.isArray(level))
      return refuse(path, 'A level is {value, label}.', 'invalid_type');
    const { value, label = null, ...others } = level as Record<string, unknown>;
    const [unknown] = Object.keys(others);
    if (unknown !== undefined) return refuse(`${path}.${unknown}`, `The field ${unknown} is unknown.`, 'unknown_field');
    const read = levelValue(type, value);
    if (read === null)
      return refuse(
        `${path}.value`,
        type === 'quantity'
          ? 'A level of a quantity is a decimal of at least 0, or unlimited.'
          : 'A level has a text of 1 to 255 characters.',
      );
    if (label !== null && (typeof label !== 'string' || !hasAtMost(label, MAX_TEXT)))
      return refuse(`${path}.label`, 'A label has at most 255 characters.');
    if (levels.some((other) => other.value === read))
      return refuse(`${path}.value`, `The level ${read} is there twice.`, 'duplicate');
    levels.push({ value: read, label });
  }
  return { value: levels };
}

function levelValue(type: 'custom' | 'quantity', value: unknown): string | null {
  if (type === 'custom') {
    const text = typeof value === 'string' ? value.trim() : '';
    return text !== '' && hasAtMost(text, MAX_TEXT) ? text : null;
  }
  if (value === UNLIMITED) return UNLIMITED;
  const text = plainDecimal(value);
  return text === null || text.startsWith('-') ? null : text;
}

function readRange(config: unknown): Read<FeatureRange> {
  if (typeof config !== 'object' || config === null || Array.isArray(config))
    return refuse('config', 'config of a range is {min, max, step, allowUnlimitedMin, allowUnlimitedMax}.');
  const given = config as Record<string, unknown>;
  const unknown = Object.keys(given).find((field) => !RANGE_FIELDS.includes(field));
  if (unknown !== undefined) return refuse(`config.${unknown}`, `The field ${unknown} is unknown.`, 'unknown_field');
  const flags = { allowUnlimitedMin: false, allowUnlimitedMax: false };
  for (const name of ['allowUnlimitedMin', 'allowUnlimitedMax'] as const) {
    const flag = given[name] ?? false;
    if (typeof flag !== 'boolean') return refuse(`config.${name}`, `${name} is true or false.`, 'invalid_type');
    flags[name] = flag;
  }
  const bounds: Record<'min' | 'max' | 'step', string | null> = { min: null, max: null, step: null };
  for (const name of ['min', 'max', 'step'] as const) {
    if (given[name] === undefined || given[name] === null) continue;
    bounds[name] = plainDecimal(given[name]);
    if (bounds[name] === null) return refuse(`config.${name}`, `${name} must be a decimal.`);
  }
  if (bounds.min === null && !flags.allowUnlimitedMin)
    return refuse('config.min', 'min is required unless allowUnlimitedMin.', 'required');
  if (bounds.max === null && !flags.allowUnlimitedMax)
    return refuse('config.max', 'max is required unless allowUnlimitedMax.', 'required');
  if (bounds.min !== null && bounds.max !== null && compareDecimal(decimal(bounds.max), decimal(bounds.min)) < 0)
    return refuse('config.max', 'max must not be below min.');
  if (bounds.step !== null && compareDecimal(decimal(bounds.step), decimal('0')) <= 0)
    return refuse('config.step', 'step must be above 0.');
  return { value: { ...bounds, ...flags } };
}

/** The value of an entitlement to a feature, checked and as text; `true` where a switch is on because nothing else is said. */
export function readValue(type: FeatureType, config: FeatureConfig | null, value: unknown): Read<string> {
  if (type === 'switch') {
    if (value === undefined || value === null || value === true || value === 'true') return { value: 'true' };
    return value === false || value === 'false'
      ? { value: 'false' }
      : refuse('value', 'The value of a switch is true or false.');
  }
  if (value === undefined || value === null)
    return refuse('value', `value is required for a feature of the type ${type}.`, 'required');
  if (type === 'range') return valueInRange(config as FeatureRange, value);
  const levels = config as readonly FeatureLevel[];
  const text =
    typeof value === 'boolean'
      ? String(value)
      : levelValue(type, typeof value === 'number' && type === 'custom' ? String(value) : value);
  if (text !== null && levels.some((level) => level.value === text)) return { value: text };
  return refuse(
    'value',
    `value must be one of the feature's levels: ${levels.map((level) => level.value).join(', ')}.`,
  );
}

function valueInRange({ min, max, step, allowUnlimitedMax }: FeatureRange, value: unknown): Read<string> {
  if (value === UNLIMITED)
    return allowUnlimitedMax ? { value: UNLIMITED } : refuse('value', 'The feature allows no unlimited value.');
  const text = plainDecimal(value);
  if (text === null) return refuse('value', 'value must be a decimal.');
  const number = decimal(text);
  if (min !== null && compareDecimal(number, decimal(min)) < 0)
    return refuse('value', `value must be at least ${min}.`);
  if (max !== null && compareDecimal(number, decimal(max)) > 0) return refuse('value', `value must be at most ${max}.`);
  if (step !== null) {
    const above = subtractDecimal(number, decimal(min ?? '0'));
    const steps = divideDecimal(above, decimal(step), 0, 'half_up');
    if (compareDecimal(multiplyDecimal(steps, decimal(step)), above) !== 0)
      return refuse('value', `value must be ${min ?? '0'} plus a multiple of ${step}.`);
  }
  return { value: text };
}

/** The value as answers show it: yes or no for a switch, else text. */
export const shownValue = (type: FeatureType, value: string): boolean | string =>
  type === 'switch' ? value === 'true' : value;
