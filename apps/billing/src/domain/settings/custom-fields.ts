import { type Violation, isDay, hasAtMost } from '@kontor/kernel';
import { isDecimal } from '@kontor/money';

export interface CustomFieldDefinition {
  readonly key: string;
  readonly type: 'text' | 'number' | 'boolean' | 'date' | 'select';
  /** Allowed values of a `select`. */
  readonly options: readonly string[];
  readonly required: boolean;
}

const MAX_LENGTH = 1000;
const accepts: Readonly<
  Record<CustomFieldDefinition['type'], (value: string, field: CustomFieldDefinition) => string | undefined>
> = {
  text: (value) => (hasAtMost(value, MAX_LENGTH) ? undefined : `must have at most ${MAX_LENGTH} characters`),
  number: (value) => (isDecimal(value) ? undefined : 'must be a decimal such as "12.5"'),
  boolean: (value) => (value === 'true' || value === 'false' ? undefined : 'must be "true" or "false"'),
  date: (value) => (isDay(value) ? undefined : 'must be a day such as "2026-01-31"'),
  select: (value, field) => (field.options.includes(value) ? undefined : `must be one of ${field.options.join(', ')}`),
};

/**
 * What is wrong with the custom fields of an object, by its configuration: keys that are not configured, values of the
 * wrong form, required ones that are missing. Values are always strings.
 */
export function customFieldViolations(
  values: Readonly<Record<string, string>> | null,
  fields: readonly CustomFieldDefinition[],
): Violation[] {
  const given = values ?? {};
  const byKey = new Map(fields.map((field) => [field.key, field]));
  const violations: Violation[] = [];
  const refuse = (key: string, message: string, code: string) =>
    violations.push({ propertyPath: `customFields.${key}`, message, code });
  for (const [key, value] of Object.entries(given)) {
    const field = byKey.get(key);
    const problem = field ? accepts[field.type](value, field) : undefined;
    if (!field) refuse(key, `The custom field "${key}" is not configured.`, 'unknown_custom_field');
    else if (problem) refuse(key, `The custom field "${key}" ${problem}.`, 'invalid_value');
  }
  for (const field of fields) {
    if (field.required && !given[field.key])
      refuse(field.key, `The custom field "${field.key}" is required.`, 'required');
  }
  return violations;
}
