import { isDay, type Violation, hasAtMost } from '@kontor/kernel';
import { isDecimal } from '@kontor/money';

/** A configured custom field, as copied with the billing settings. */
export interface CustomFieldDefinition {
  readonly object: string;
  readonly key: string;
  readonly type: 'text' | 'number' | 'boolean' | 'date' | 'select';
  readonly options: readonly string[];
  readonly required: boolean;
}

const MAX_LENGTH = 1000;

function problemOf(value: string, field: CustomFieldDefinition): string | undefined {
  switch (field.type) {
    case 'number':
      return isDecimal(value) ? undefined : 'must be a decimal such as "12.5"';
    case 'boolean':
      return value === 'true' || value === 'false' ? undefined : 'must be "true" or "false"';
    case 'date':
      return isDay(value) ? undefined : 'must be a day such as "2026-01-31"';
    case 'select':
      return field.options.includes(value) ? undefined : `must be one of ${field.options.join(', ')}`;
    default:
      return hasAtMost(value, MAX_LENGTH) ? undefined : `must have at most ${MAX_LENGTH} characters`;
  }
}

/**
 * What is wrong with a document's custom fields: keys that are not configured, values of the wrong form, missing ones.
 */
export function customFieldViolations(
  values: Readonly<Record<string, string>> | null,
  definitions: readonly CustomFieldDefinition[],
): Violation[] {
  const given = values ?? {};
  const fields = new Map(definitions.filter((field) => field.object === 'invoice').map((field) => [field.key, field]));
  const violation = (key: string, message: string, code: string): Violation => ({
    propertyPath: `customFields.${key}`,
    message,
    code,
  });
  const wrong = Object.entries(given).flatMap(([key, value]) => {
    const field = fields.get(key);
    if (!field) return [violation(key, `The custom field "${key}" is not configured.`, 'unknown_custom_field')];
    const problem = problemOf(value, field);
    return problem ? [violation(key, `The custom field "${key}" ${problem}.`, 'invalid_value')] : [];
  });
  const missing = [...fields.values()].filter((field) => field.required && !given[field.key]);
  return [...wrong, ...missing.map(({ key }) => violation(key, `The custom field "${key}" is required.`, 'required'))];
}
