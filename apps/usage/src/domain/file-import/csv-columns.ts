const REQUIRED = ['transactionId', 'eventName', 'timestamp', 'customerId'] as const;
const IGNORED = new Set(['id', 'createdAt']);
const DELIMITERS = [',', ';', '\t'];
const TYPES = ['string', 'number', 'boolean', 'json'] as const;
const MAX_COLUMNS = 1_000;
const MAX_DEPTH = 8;
const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d{1,3})?$/;
/** So many significant digits survive in a JSON number, whatever they are. */
const EXACT_DIGITS = 15;

type CellType = (typeof TYPES)[number];

type Column =
  | { readonly kind: 'field'; readonly name: (typeof REQUIRED)[number] }
  | { readonly kind: 'properties' }
  | { readonly kind: 'property'; readonly path: readonly string[]; readonly type: CellType | null }
  | { readonly kind: 'ignored' }
  /** Behind the last column that has a name: spreadsheets write such, with empty cells. */
  | { readonly kind: 'nameless' };

export interface CsvColumns {
  readonly delimiter: string;
  readonly columns: readonly Column[];
}

/** What is wrong with a cell, in words. */
export class CellError extends Error {}

/** The columns that a header names, with the delimiter that makes sense of it; a text says why there are none. */
export function readHeader(
  header: string,
  split: (text: string, delimiter: string) => string[] | undefined,
): CsvColumns | string {
  let reason = 'The header cannot be read.';
  for (const delimiter of DELIMITERS) {
    const names = split(header, delimiter)?.map((name) => name.trim());
    if (!names || !names.includes('transactionId')) continue;
    const columns = columnsOf(names);
    if (typeof columns !== 'string') return { delimiter, columns };
    reason = columns;
  }
  return reason === 'The header cannot be read.'
    ? 'The header must name the columns transactionId, eventName, timestamp and customerId.'
    : reason;
}

function columnsOf(names: readonly string[]): Column[] | string {
  if (names.length > MAX_COLUMNS) return `A file may have at most ${MAX_COLUMNS} columns.`;
  const missing = REQUIRED.find((name) => !names.includes(name));
  if (missing) return `The column ${missing} is missing.`;
  const named = names.findLastIndex((name) => name !== '') + 1;
  const columns = names.map((name, index) => (index < named ? columnOf(name) : NAMELESS));
  const unknown = columns.findIndex((column) => column === undefined);
  if (unknown >= 0)
    return `The column "${names[unknown]!.slice(0, 100)}" is unknown: properties are named properties.<name>.`;
  const paths = new Set<string>();
  for (const [index, column] of columns.slice(0, named).entries()) {
    const path = column?.kind === 'property' ? column.path.join('.') : names[index]!;
    const clash =
      column?.kind === 'property' &&
      [...paths].some((other) => other.startsWith(`${path}.`) || path.startsWith(`${other}.`));
    if (paths.has(path) || clash)
      return `The column "${names[index]!.slice(0, 100)}" is there twice, or is part of another one.`;
    paths.add(path);
  }
  return columns as Column[];
}

const NAMELESS: Column = { kind: 'nameless' };

function columnOf(name: string): Column | undefined {
  const field = REQUIRED.find((required) => required === name);
  if (field) return { kind: 'field', name: field };
  if (name === 'properties') return { kind: 'properties' };
  if (IGNORED.has(name)) return { kind: 'ignored' };
  const match = /^properties\.(.+?)(?::(\w+))?$/.exec(name);
  if (!match) return undefined;
  const type = TYPES.find((type) => type === match[2]) ?? null;
  const path = match[1]!.split('.');
  const valid = path.length <= MAX_DEPTH && path.every((part) => part !== '' && part !== '__proto__');
  return valid && (type !== null || match[2] === undefined) ? { kind: 'property', path, type } : undefined;
}

/**
 * The event of one record, as in `POST /api/usage-events`. An empty cell is no property. Without a type in its column's
 * name a cell is `true`, `false`, a number when a JSON number holds it exactly (`007` and 16 digits stay text), else
 * text.
 * @throws CellError
 */
export function eventOf(cells: readonly string[], { columns }: CsvColumns): Record<string, unknown> {
  if (cells.length !== columns.length)
    throw new CellError(`The line has ${cells.length} cells, the header has ${columns.length}.`);
  const event: Record<string, unknown> = {};
  let properties: Record<string, unknown> = {};
  for (const [index, column] of columns.entries()) {
    const cell = cells[index]!;
    if (column.kind === 'field') event[column.name] = cell;
    else if (cell === '' || column.kind === 'ignored') continue;
    else if (column.kind === 'nameless') throw new CellError('A cell is in a column without a name.');
    else if (column.kind === 'properties') properties = { ...objectOf(cell), ...properties };
    else put(properties, column.path, valueOf(cell, column.type));
  }
  return { ...event, properties };
}

function put(target: Record<string, unknown>, path: readonly string[], value: unknown): void {
  let at = target;
  for (const part of path.slice(0, -1)) {
    const inner = at[part];
    at = (typeof inner === 'object' && inner !== null && !Array.isArray(inner) ? inner : (at[part] = {})) as Record<
      string,
      unknown
    >;
  }
  at[path.at(-1)!] = value;
}

function objectOf(cell: string): Record<string, unknown> {
  const value = jsonOf(cell);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new CellError('The column properties must hold a JSON object.');
  return value as Record<string, unknown>;
}

function jsonOf(cell: string): unknown {
  try {
    return JSON.parse(cell);
  } catch {
    throw new CellError('A cell is not readable JSON.');
  }
}

function valueOf(cell: string, type: CellType | null): unknown {
  if (type === 'string') return cell;
  if (type === 'json') return jsonOf(cell);
  if (type !== 'number' && (cell === 'true' || cell === 'false')) return cell === 'true';
  if (type === 'boolean') throw new CellError(`"${cell.slice(0, 50)}" is neither true nor false.`);
  if (isExactNumber(cell)) return Number(cell);
  if (type === 'number') throw new CellError(`"${cell.slice(0, 50)}" is no number that can be kept exactly.`);
  return cell;
}

function isExactNumber(cell: string): boolean {
  if (!NUMBER.test(cell) || !Number.isFinite(Number(cell))) return false;
  const digits = cell
    .replace(/[eE].*$/, '')
    .replace(/[-.]/g, '')
    .replace(/^0+/, '');
  return digits.length <= EXACT_DIGITS;
}
