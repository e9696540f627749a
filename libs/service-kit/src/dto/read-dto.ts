import { DomainError, type Violation } from '@kontor/kernel';
import { inTurns } from '../event-loop/loop-turn.js';
import { invalidRequest, MAX_VIOLATIONS } from '../http/problem.js';
import { describeDto, type FieldDescription } from './describe-dto.js';
import { typeOf } from './implied-types.js';
import { violationsOf } from './violations-of.js';

/** Items of all lists of a body together: lists within lists multiply, and each item is built and checked. */
export const MAX_LIST_ITEMS = 5000;

interface Findings {
  /** Not well-formed: 400. */
  readonly malformed: Violation[];
  /** Set although not built yet: 422. */
  readonly unsupported: Violation[];
  /** Lists that are too long to be looked at: 422. */
  readonly tooLong: Violation[];
  listItems: number;
}

const note = (violations: Violation[], violation: Violation): void => {
  if (violations.length < MAX_VIOLATIONS) violations.push(violation);
};

/**
 * Turns a JSON body into an instance of its DTO class.
 * @throws DomainError 400 `unknown_field` or `invalid_request` (missing, wrong JSON type), 422 `not_supported_yet` or
 * `validation_failed` (enum, length, format), with the violations of that kind; 422 `too_many_items`.
 */
export function readDto<T extends object>(dto: new () => T, body: unknown): T {
  const reading = read(dto, body);
  for (;;) {
    const step = reading.next();
    if (step.done) return step.value;
  }
}

/** The same of a body that may be large: others have their turn in between. */
export const readDtoInTurns = <T extends object>(dto: new () => T, body: unknown): Promise<T> =>
  inTurns(read(dto, body));

function* read<T extends object>(dto: new () => T, body: unknown): Generator<void, T> {
  const findings: Findings = { malformed: [], unsupported: [], tooLong: [], listItems: 0 };
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw invalidRequest('The body must be a JSON object.');
  const instance = build(dto, body as Record<string, unknown>, '', findings) as T;
  if (findings.malformed.length > 0) {
    const unknown = findings.malformed.find((violation) => violation.code === 'unknown_field');
    throw invalidRequest(
      (unknown ?? findings.malformed[0]!).message,
      findings.malformed,
      unknown ? 'unknown_field' : 'invalid_request',
    );
  }
  if (findings.unsupported.length > 0) {
    throw new DomainError('not_supported_yet', {
      detail: findings.unsupported[0]!.message,
      violations: findings.unsupported,
    });
  }
  const violations = findings.tooLong.length > 0 ? findings.tooLong : yield* violationsOf(dto, instance);
  if (violations.length > 0) throw new DomainError('validation_failed', { detail: violations[0]!.message, violations });
  return instance;
}

function build(dto: Function, body: Record<string, unknown>, path: string, findings: Findings): object {
  const fields = describeDto(dto);
  const instance = new (dto as new () => Record<string, unknown>)();
  for (const name of Object.keys(body)) {
    if (!fields.has(name))
      note(findings.malformed, {
        propertyPath: path + name,
        message: `The field ${path}${name} is unknown.`,
        code: 'unknown_field',
      });
  }
  for (const field of fields.values()) {
    if (field.readOnly) continue;
    const value = Object.hasOwn(body, field.name) ? body[field.name] : undefined;
    if (field.notSupportedYet) {
      if (value !== undefined && value !== null && !isAllowed(field.notSupportedYet.allowed, value)) {
        note(findings.unsupported, {
          propertyPath: path + field.name,
          message: `The field ${path}${field.name} is not supported yet.`,
          code: 'not_supported_yet',
        });
      }
      continue;
    }
    if (value === undefined) {
      if (instance[field.name] === undefined && field.applies(body, undefined)) {
        note(findings.malformed, {
          propertyPath: path + field.name,
          message: `The field ${path}${field.name} is required.`,
          code: 'required',
        });
      }
      continue;
    }
    instance[field.name] = field.applies(body, value) ? readField(field, value, path + field.name, findings) : value;
  }
  return instance;
}

const isAllowed = (allowed: readonly unknown[], value: unknown): boolean =>
  allowed.some((choice) => JSON.stringify(choice) === JSON.stringify(value));

function readField(field: FieldDescription, value: unknown, path: string, findings: Findings): unknown {
  if (!field.list) return readValue(field, value, path, findings);
  if (!Array.isArray(value)) return wrongType(path, 'array', findings);
  const max = field.listSchema['maxItems'] as number;
  if (value.length > max) {
    note(findings.tooLong, {
      propertyPath: path,
      message: `${path} must have at most ${max} items.`,
      code: 'invalid_length',
    });
    return undefined;
  }
  findings.listItems += value.length;
  if (findings.listItems > MAX_LIST_ITEMS)
    throw new DomainError('too_many_items', {
      detail: `The lists of a body have at most ${MAX_LIST_ITEMS} items together; send several requests.`,
    });
  return value.map((item, index) => readValue(field, item, `${path}[${index}]`, findings));
}

function readValue(field: FieldDescription, value: unknown, path: string, findings: Findings): unknown {
  if (field.types.size > 0 && (value === null || !field.types.has(typeOf(value))))
    return wrongType(path, [...field.types].join(' or '), findings);
  if (field.valueTypes) {
    for (const [name, item] of Object.entries(value as object)) {
      if (item === null || !field.valueTypes.has(typeOf(item)))
        wrongType(`${path}.${name}`, [...field.valueTypes].join(' or '), findings);
    }
  }
  if (field.canonical && typeof value === 'string') return field.canonical(value);
  return field.nested ? build(field.nested, value as Record<string, unknown>, `${path}.`, findings) : value;
}

function wrongType(path: string, expected: string, findings: Findings): undefined {
  note(findings.malformed, {
    propertyPath: path,
    message: `The field ${path} must be of type ${expected}.`,
    code: 'invalid_type',
  });
  return undefined;
}
