import type { DomainError } from '@kontor/kernel';
import { invalidRequest } from './problem.js';

/** 400 `invalid_request` that names the query parameter: `must be true or false`. */
export function badParameter(parameter: string, what: string): DomainError {
  const message = `The query parameter ${parameter} ${what}.`;
  return invalidRequest(message, [{ propertyPath: parameter, message, code: 'invalid_parameter' }]);
}
