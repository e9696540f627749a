import { hasAtMost } from '@kontor/kernel';

/**
 * `bytes`, `usage.tokens`: up to eight names of letters, digits, `_`, `-`, `$` and `@`, joined by dots. `$.bytes` is
 * another language's.
 */
export const PROPERTY_PATH = /^[\p{L}\p{N}_$@-]{1,100}(\.[\p{L}\p{N}_$@-]{1,100}){0,7}$/u;
const FORBIDDEN = new Set(['__proto__', 'prototype', 'constructor', '$', '@']);

export const MAX_PATH = 255;

/** True for a path that a metric may name. */
export const isPropertyPath = (text: unknown): text is string =>
  typeof text === 'string' &&
  hasAtMost(text, MAX_PATH) &&
  PROPERTY_PATH.test(text) &&
  !text.split('.').some((name) => FORBIDDEN.has(name));

export type ReadProperty = (properties: Readonly<Record<string, unknown>>) => unknown;

/**
 * Reads the value at a path, undefined when there is none. A property whose own name holds the dots goes before the
 * nested one; lists are not entered, and nothing is inherited.
 */
export function propertyReader(path: string): ReadProperty {
  const names = path.split('.');
  const readOwn = (object: unknown, name: string): unknown =>
    typeof object === 'object' && object !== null && !Array.isArray(object) && Object.hasOwn(object, name)
      ? (object as Record<string, unknown>)[name]
      : undefined;
  if (names.length === 1) return (properties) => readOwn(properties, path);
  return (properties) => {
    const flat = readOwn(properties, path);
    return flat !== undefined ? flat : names.reduce<unknown>(readOwn, properties);
  };
}
