import { invalidRequest, isStorableText } from '@kontor/service-kit';

/** 400 `invalid_request` that names the parameter. */
export const badParameter = (parameter: string, what: string): Error => {
  const message = `The query parameter ${parameter} ${what}.`;
  return invalidRequest(message, [{ propertyPath: parameter, message, code: 'invalid_parameter' }]);
};

/**
 * The given parameters by name.
 * @throws DomainError 400 `invalid_request` for one that is unknown, given twice or cannot be read.
 */
export function readParameters<Name extends string>(
  query: Readonly<Record<string, unknown>>,
  known: Readonly<Record<Name, unknown>>,
): Partial<Record<Name, string>> {
  const values: Partial<Record<Name, string>> = {};
  for (const [name, value] of Object.entries(query)) {
    if (!Object.hasOwn(known, name)) throw badParameter(name, 'is unknown here');
    if (typeof value !== 'string' || !isStorableText(value)) throw badParameter(name, 'cannot be read');
    values[name as Name] = value;
  }
  return values;
}
