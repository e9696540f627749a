import { isSupportedDay, isUuid } from '@kontor/kernel';
import { isInstantText } from '../dto/fields.js';
import { badParameter } from './bad-parameter.js';
import { isStorableText } from './storable-text.js';

/** What a filter's values may be: any text, ids, days, amounts in major units, yes or no, or one of a few words. */
export type FilterKind = 'text' | 'uuid' | 'day' | 'amount' | 'boolean' | readonly string[];

export const AMOUNT_PATTERN = '^-?\\d{1,12}(\\.\\d{1,4})?$';
const AMOUNT = new RegExp(AMOUNT_PATTERN);

export const MAX_PAGE = 1_000_000_000;

export interface ListOptions {
  /** Exact filters, `field=a` or `field[]=a&field[]=b`. Another value than the kind allows is 400. */
  readonly filters?: Readonly<Record<string, FilterKind>>;
  /** Time filters: `field[after]` (≥), `field[before]` (<), or `field` for one day. */
  readonly ranges?: readonly string[];
  /** Fields for `order[field]=asc|desc`. */
  readonly order?: readonly string[];
  /** Whether `search` is accepted. */
  readonly search?: boolean;
  /** Other query parameters that the handler reads itself. */
  readonly others?: Readonly<Record<string, FilterKind>>;
  /** False where no list is answered: `page` and `limit` are unknown there. */
  readonly paged?: boolean;
}

export interface ListQuery {
  readonly page: number;
  /** 0..100. */
  readonly limit: number;
  readonly filters: Readonly<Record<string, readonly string[]>>;
  readonly ranges: Readonly<Record<string, { after?: Date; before?: Date }>>;
  readonly order: readonly { field: string; direction: 'asc' | 'desc' }[];
  readonly search: string | null;
  /** The declared `others`, as they came. */
  readonly others: Readonly<Record<string, string>>;
}

type Mutable = {
  -readonly [K in keyof ListQuery]: ListQuery[K] extends Readonly<Record<string, infer V>>
    ? Record<string, V>
    : ListQuery[K];
};

/** @throws DomainError 400 `invalid_request` for a parameter that is unknown, there twice or cannot be read. */
export function readListQuery(query: Record<string, unknown>, options: ListOptions): ListQuery {
  const kinds = options.filters ?? {};
  const others = options.others ?? {};
  const list = {
    page: 1,
    limit: 30,
    filters: {},
    ranges: {},
    order: [] as { field: string; direction: 'asc' | 'desc' }[],
    search: null,
    others: {},
  } as Mutable;
  for (const [parameter, raw] of Object.entries(query)) {
    const values = (Array.isArray(raw) ? raw : [raw]).map(String);
    const [, field = '', key] = /^([^[\]]+)(?:\[([^\]]*)\])?$/.exec(parameter) ?? [];
    const value = values.at(-1)!;
    if (values.some((value) => !isStorableText(value)))
      throw badParameter(parameter, 'contains a character that cannot be read');
    if (values.length > 1 && !Object.hasOwn(kinds, field)) throw badParameter(parameter, 'must be there once');
    if (parameter === 'page' && options.paged !== false) list.page = whole(parameter, value, 1, MAX_PAGE);
    else if (parameter === 'limit' && options.paged !== false) list.limit = whole(parameter, value, 0, 100);
    else if (parameter === 'search' && options.search) list.search = value.trim() === '' ? null : value.trim();
    else if (field === 'order' && key !== undefined && options.order?.includes(key))
      (list.order as ListQuery['order'][number][]).push({ field: key, direction: direction(parameter, value) });
    else if (options.ranges?.includes(field) && (key === undefined || key === 'after' || key === 'before'))
      list.ranges[field] = { ...list.ranges[field], ...range(parameter, key, value) };
    else if (Object.hasOwn(kinds, field) && (key === undefined || /^\d*$/.test(key)))
      list.filters[field] = [
        ...(list.filters[field] ?? []),
        ...values.map((value) => filter(parameter, kinds[field]!, value)),
      ];
    else if (Object.hasOwn(others, parameter)) list.others[parameter] = filter(parameter, others[parameter]!, value);
    else throw badParameter(parameter, 'is unknown here');
  }
  return list;
}

function whole(parameter: string, value: string, min: number, max: number): number {
  const number = /^\d{1,10}$/.test(value) ? Number(value) : NaN;
  if (!(number >= min && number <= max)) throw badParameter(parameter, `must be a whole number from ${min} to ${max}`);
  return number;
}

function direction(parameter: string, value: string): 'asc' | 'desc' {
  const lower = value.toLowerCase();
  if (lower !== 'asc' && lower !== 'desc') throw badParameter(parameter, 'must be asc or desc');
  return lower;
}

function filter(parameter: string, kind: FilterKind, value: string): string {
  if (kind === 'uuid' && !isUuid(value)) throw badParameter(parameter, 'must be an id');
  if (kind === 'day' && !isSupportedDay(value)) throw badParameter(parameter, 'must be a day, YYYY-MM-DD');
  if (kind === 'amount' && !AMOUNT.test(value)) throw badParameter(parameter, 'must be an amount such as 119.00');
  if (kind === 'boolean' && !['true', 'false', '1', '0'].includes(value))
    throw badParameter(parameter, 'must be true or false');
  if (typeof kind === 'object' && !kind.includes(value))
    throw badParameter(parameter, `must be one of ${kind.join(', ')}`);
  return kind === 'boolean' ? String(value === 'true' || value === '1') : kind === 'uuid' ? value.toLowerCase() : value;
}

const DAY_MS = 86_400_000;

/** A day without a time is that day in UTC. `+` of a zone offset that was not escaped arrives as a blank. */
function range(parameter: string, key: string | undefined, text: string): { after?: Date; before?: Date } {
  const value = text.replace(/ (\d{2}:?\d{2})$/, '+$1');
  const isWholeDay = isSupportedDay(value);
  if (!isWholeDay && !isInstantText(value)) throw badParameter(parameter, 'must be a date or an ISO 8601 date-time');
  const at = new Date(isWholeDay ? `${value}T00:00:00.000Z` : value);
  if (key === 'after') return { after: at };
  if (key === 'before') return { before: at };
  return { after: at, before: new Date(at.getTime() + (isWholeDay ? DAY_MS : 1)) };
}
