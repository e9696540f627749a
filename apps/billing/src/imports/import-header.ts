import { type DomainError, storableText, validationFailed } from '@kontor/kernel';
import { describeDto } from '@kontor/service-kit';
import type { Importer } from './importers.js';

/** More than any body has fields. */
const MAX_COLUMNS = 200;
const MAX_NAME = 100;
const MAX_DEPTH = 6;
/** Of an entry of a list: `items.0.quantity`. */
const INDEX = /^\d{1,2}$/;

/** Where a column's cells go: `price.amount` is a field of a field, `items.0.quantity` one of a list's first entry. */
export const pathOf = ({ aliases = {} }: Importer, column: string): string[] =>
  (Object.hasOwn(aliases, column) ? aliases[column]! : column).split('.');

/** @throws DomainError 422 `validation_failed` for columns that no body can be made of. */
export function checkHeader(importer: Importer, columns: readonly string[]): void {
  if (columns.length === 0) throw refused('The file has no header.', 'required');
  if (columns.length > MAX_COLUMNS) throw refused(`A file has at most ${MAX_COLUMNS} columns.`, 'invalid_length');
  const paths = new Set<string>();
  const owners = new Set<string>();
  for (const column of columns) {
    const path = pathOf(importer, column);
    if (!isField(importer, path) || column.length > MAX_NAME)
      throw refused(`${named(column)} is unknown.`, 'unknown_field');
    const whole = path.join('.');
    if (paths.has(whole)) throw refused(`${named(column)} is there twice.`, 'duplicate');
    paths.add(whole);
    for (let depth = 1; depth < path.length; depth++) owners.add(path.slice(0, depth).join('.'));
  }
  const divided = columns.find((column) => owners.has(pathOf(importer, column).join('.')));
  if (divided !== undefined) throw refused(`${named(divided)} is there as a whole and in parts.`, 'duplicate');
}

function isField({ body }: Importer, path: readonly string[]): boolean {
  const field = describeDto(body).get(path[0]!);
  return !!field && !field.readOnly && path.length <= MAX_DEPTH && path.every(isPart);
}

/** `__proto__` is no name of a field: what were set on it would be everybody's. */
const isPart = (part: string): boolean =>
  part !== '' && part !== '__proto__' && (INDEX.test(part) || !/^\d+$/.test(part));

const named = (column: string): string => `The column "${storableText(column, MAX_NAME)}"`;

const refused = (message: string, code: string): DomainError => validationFailed('file', message, code);
