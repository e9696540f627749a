import { isUtf8 } from 'node:buffer';
import { DomainError, type Violation } from '@kontor/kernel';
import { invalidRequest, MAX_VIOLATIONS } from './problem.js';
import { isStorableText } from './storable-text.js';

const MAX_DEPTH = 32;
/** Of all objects of a body: more names than these take longer to be read than anybody else may wait. */
const MAX_FIELDS = 100_000;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const [ZERO, NINE, SMALL_E, LARGE_E] = [0x30, 0x39, 0x65, 0x45];

/** Numbers with more digits may be too large for a double. */
const MAX_DIGITS = 308;

/**
 * Looks at a JSON text before it is read; strings are skipped, so it is one pass over the bytes. Returns whether a number in it may be too
 * large: `JSON.parse` reads it as Infinity, which no JSON can say again.
 * @throws DomainError 400 `invalid_request` when it nests too deep, 422 `too_many_fields`
 */
export function requireModest(bytes: Buffer, maxDepth = MAX_DEPTH): boolean {
  let depth = 0;
  let fields = 0;
  let digits = 0;
  let mayBeTooLarge = false;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i]!;
    if (byte >= ZERO && byte <= NINE) {
      if (++digits > MAX_DIGITS) mayBeTooLarge = true;
      continue;
    }
    // An exponent.
    if (digits > 0 && (byte === SMALL_E || byte === LARGE_E)) mayBeTooLarge = true;
    digits = 0;
    if (byte === QUOTE) {
      do i = bytes.indexOf(QUOTE, i + 1);
      while (i >= 0 && isEscaped(bytes, i));
      if (i < 0) return mayBeTooLarge;
    } else if (byte === COLON) {
      if (++fields > MAX_FIELDS)
        throw new DomainError('too_many_fields', {
          detail: `The objects of a body have at most ${MAX_FIELDS} fields together; send several requests.`,
        });
    } else if (byte === 0x5b || byte === 0x7b) {
      if (++depth > maxDepth) throw invalidRequest(`The body nests deeper than ${maxDepth} levels.`);
    } else if (byte === 0x5d || byte === 0x7d) depth--;
  }
  return mayBeTooLarge;
}

function isEscaped(bytes: Buffer, at: number): boolean {
  let slashes = 0;
  while (bytes[at - 1 - slashes] === BACKSLASH) slashes++;
  return slashes % 2 === 1;
}

/**
 * Reads a request's JSON. An empty body is undefined.
 * @throws DomainError 400 `invalid_request` for unreadable or too deeply nested JSON and for null, 422 `too_many_fields`, 422
 * `validation_failed` for what cannot be stored (a NUL character, half of a surrogate pair, a number that is too large).
 */
export function parseJsonBody(bytes: Buffer): unknown {
  const { value, mayBeTooLarge } = read(bytes);
  // Such text can only come from an escape, so most bodies are done here.
  if (mayBeTooLarge || bytes.includes('\\u') || bytes.includes('__proto__')) requireStorable(value);
  return value;
}

/**
 * {@link parseJsonBody} for a list whose items fail alone: whoever reads it asks {@link requireStorable} of each.
 * @throws DomainError 400 `invalid_request`, also for bytes that are not UTF-8: they would be stored as other characters
 */
export const readJson = (bytes: Buffer): unknown => read(bytes).value;

function read(bytes: Buffer): { readonly value: unknown; readonly mayBeTooLarge: boolean } {
  if (bytes.length === 0) return { value: undefined, mayBeTooLarge: false };
  if (!isUtf8(bytes)) throw invalidRequest('The body is not UTF-8.');
  const mayBeTooLarge = requireModest(bytes);
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString('utf8'));
  } catch (error) {
    throw invalidRequest(`The body is not readable JSON${whereOf(error as Error)}.`);
  }
  // Else it would be read as "no body".
  if (value === null) throw invalidRequest('The body must not be null.');
  return { value, mayBeTooLarge };
}

/** What the parser says of the place, where it says so; never more of the body than the character. */
function whereOf({ message }: Error): string {
  const [, line, column] = /\(line (\d+) column (\d+)\)/.exec(message) ?? [];
  if (line && column) return ` at line ${line}, column ${column}`;
  if (/end of JSON/i.test(message)) return ': it ends too early';
  const [, token] = /^Unexpected token ('.'),/s.exec(message) ?? [];
  return token && isStorableText(token) ? `: ${token} is not expected` : '';
}

/** @throws DomainError 422 `validation_failed` for text and numbers that no database can store, 400 `unknown_field` for `__proto__`. */
export function requireStorable(value: unknown): void {
  const violations: Violation[] = [];
  visit(value, '', violations);
  if (violations.length > 0) throw new DomainError('validation_failed', { detail: violations[0]!.message, violations });
}

/** Of a name in the path of what is wrong. */
const MAX_NAME = 200;

function visit(value: unknown, path: string, violations: Violation[]): void {
  if (violations.length >= MAX_VIOLATIONS) return;
  if (typeof value === 'string') {
    if (!isStorableText(value))
      violations.push({
        propertyPath: path,
        message: 'The text contains a character that cannot be stored.',
        code: 'invalid_characters',
      });
  } else if (typeof value === 'number') {
    if (!Number.isFinite(value))
      violations.push({ propertyPath: path, message: 'The number is too large.', code: 'out_of_range' });
  } else if (Array.isArray(value)) value.forEach((item, index) => visit(item, `${path}[${index}]`, violations));
  else if (typeof value === 'object' && value !== null) {
    for (const [name, item] of Object.entries(value)) {
      const short = name.slice(0, MAX_NAME);
      const at = path ? `${path}.${short}` : short;
      if (name === '__proto__')
        throw invalidRequest(
          'The field __proto__ is unknown.',
          [{ propertyPath: at, message: 'This field is unknown.', code: 'unknown_field' }],
          'unknown_field',
        );
      if (!isStorableText(name))
        violations.push({
          propertyPath: path,
          message: 'A field name contains a character that cannot be stored.',
          code: 'invalid_characters',
        });
      visit(item, at, violations);
    }
  }
}
