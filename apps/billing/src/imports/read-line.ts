import { DomainError } from '@kontor/kernel';
import { describeDto, requireModest, requireStorable } from '@kontor/service-kit';
import { pathOf } from './import-header.js';
import type { Importer } from './importers.js';

/**
 * The body that the cells of a line stand for: a column is a field, `price.amount` a field of a field, `customFields.region` an entry of an
 * object. An empty cell is no value; lists and objects may be written as JSON.
 * @throws DomainError `validation_failed` for a cell that is not of its field's type
 */
export function bodyOfCells(importer: Importer, cells: Readonly<Record<string, string>>): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const [column, text] of Object.entries(cells)) {
    if (text === '') continue;
    const path = pathOf(importer, column);
    set(result, path, valueOf(importer.body, path, text, column));
  }
  return result;
}

/** Into what is the owner's own: a name such as `constructor` means an entry of it, and nothing that it has from elsewhere. */
function set(owner: Record<string, unknown>, [name = '', ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) {
    owner[name] = value;
    return;
  }
  if (!Object.hasOwn(owner, name)) owner[name] = /^\d+$/.test(rest[0]!) ? [] : {};
  set(owner[name] as Record<string, unknown>, rest, value);
}

function valueOf(dto: Function, path: readonly string[], text: string, column: string): unknown {
  const [name = '', ...rest] = path;
  const field = describeDto(dto).get(name);
  if (!field) return text;
  if (rest.length > 0) {
    const inside = rest.filter((part) => !/^\d+$/.test(part));
    return field.nested && inside.length > 0 ? valueOf(field.nested, inside, text, column) : text;
  }
  if (field.list || field.nested || field.valueTypes) return json(text, column);
  if (field.types.has('string') || field.types.size === 0) return text;
  if (field.types.has('boolean')) {
    if (/^(true|false)$/i.test(text)) return text.toLowerCase() === 'true';
    throw refused(column, `${column} must be true or false.`);
  }
  const number = Number(text);
  if (!/^-?\d+(\.\d+)?$/.test(text) || !Number.isFinite(number)) throw refused(column, `${column} must be a number.`);
  return number;
}

function json(text: string, column: string): unknown {
  try {
    requireModest(Buffer.from(text));
    const value = JSON.parse(text) as unknown;
    requireStorable(value);
    return value;
  } catch {
    throw refused(column, `${column} must be JSON.`);
  }
}

const refused = (propertyPath: string, message: string): DomainError =>
  new DomainError('validation_failed', {
    detail: message,
    violations: [{ propertyPath, message, code: 'invalid_type' }],
  });
