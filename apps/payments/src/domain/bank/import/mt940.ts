import { readPurpose } from './mt940-purpose.js';
import {
  bankDay,
  MAX_NAME,
  type RawEntry,
  type RawStatement,
  realReference,
  UnreadableStatement,
} from './statement.js';

interface Field {
  readonly tag: string;
  readonly value: string;
  readonly line: number;
}

const TAG = /^:(\d{2}[A-Z]?|NS):/;

/**
 * Value date, entry date, direction, third letter of the currency, amount, kind, the customer's and the bank's
 * reference.
 */
const MOVEMENT =
  /^(\d{6})(\d{4})?(R?[CD]|E[CD])([A-Z])?(\d{1,15}(?:,\d{0,4})?)([A-Z][A-Z0-9]{3})([^\n]*)(?:\n([\s\S]*))?$/;

interface Statement extends RawStatement {
  readonly entries: RawEntry[];
  readonly pages: Set<string>;
}

/**
 * Statements of an MT940 file. Pages of one statement (`:28C:5/1`, `5/2`) are one; a page that comes once more begins
 * the same statement again, so that its bookings meet those of the first. Written by hand: of the ready parsers none
 * reads the dialects that banks really send.
 * @throws UnreadableStatement naming the line
 */
export function parseMt940(content: string): RawStatement[] {
  const statements: Statement[] = [];
  const numbered = new Map<string, Statement>();
  for (const message of messagesOf(fieldsOf(content))) {
    const page = valueOf(message, '28C') ?? valueOf(message, '28') ?? '';
    const number = page.split('/')[0]!.slice(0, MAX_NAME);
    const account = valueOf(message, '25')?.trim() ?? null;
    const key = `${account}/${number}`;
    let statement = numbered.get(key);
    if (!statement || statement.pages.has(page)) {
      statement = { name: `statement ${number || statements.length + 1}`, account, entries: [], pages: new Set() };
      statements.push(statement);
      // Some banks number nothing; then the message itself is the statement.
      if (/[1-9]/.test(number)) numbered.set(key, statement);
    }
    statement.pages.add(page);
    readMovements(message, currencyOf(message), statement);
  }
  if (statements.length === 0)
    throw new UnreadableStatement('The file has no MT940 statement: no :25: or :61: field was found.');
  return statements;
}

function fieldsOf(content: string): Field[] {
  const fields: { tag: string; value: string; line: number }[] = [];
  const lines = content
    .replace(/\r\n?/g, '\n')
    .replace(/^\uFEFF/, '')
    .split('\n');
  lines.forEach((raw, index) => {
    // SWIFT envelopes: {1:…}{2:…}{4: … -}
    const line = raw.replace(/^(\{\d:[^{}]*\})*\{4:\s*/, '').replace(/^@@+/, '');
    const tag = TAG.exec(line)?.[1];
    if (tag !== undefined) fields.push({ tag, value: line.slice(tag.length + 2), line: index + 1 });
    else if (/^-\}?\s*$/.test(line)) fields.push({ tag: '-', value: '', line: index + 1 });
    else if (line !== '' && fields.length > 0) fields[fields.length - 1]!.value += `\n${line}`;
  });
  return fields;
}

/** What begins a statement ends with another balance; an interim report (MT942) has neither. */
const BEGINS = new Set(['60', '60F', '60M']);
const ENDS = new Set(['62', '62F', '62M']);

/**
 * A message begins with :20: and ends with "-" or the next one.
 * @throws UnreadableStatement for one that was cut off: its last booking may be cut, too, and would be another one when
 * the whole file comes
 */
function messagesOf(fields: readonly Field[]): Field[][] {
  const messages: Field[][] = [];
  let open: Field[] = [];
  const end = (): void => {
    if (open.some(({ tag }) => tag === '25' || tag === '61')) messages.push(open);
    open = [];
  };
  for (const field of fields) {
    if (field.tag === '20') refuseCut(open);
    if (field.tag === '20' || field.tag === '-') end();
    if (field.tag !== '-') open.push(field);
  }
  refuseCut(open);
  end();
  return messages;
}

function refuseCut(message: readonly Field[]): void {
  const last = message.at(-1);
  if (!last || !message.some(({ tag }) => BEGINS.has(tag)) || message.some(({ tag }) => ENDS.has(tag))) return;
  throw new UnreadableStatement(
    `Line ${last.line}: the file is cut off here, before the closing balance (:62F:) of its statement.`,
  );
}

const valueOf = (message: readonly Field[], tag: string): string | undefined =>
  message.find((field) => field.tag === tag)?.value.trim();

/** From the opening or closing balance: `C260131EUR1000,00`. */
function currencyOf(message: readonly Field[]): string {
  for (const tag of ['60F', '60M', '62F', '62M']) {
    const currency = /^[CD]\d{6}([A-Z]{3})/.exec(valueOf(message, tag) ?? '')?.[1];
    if (currency !== undefined) return currency;
  }
  return '';
}

function readMovements(message: readonly Field[], currencyCode: string, statement: Statement): void {
  message.forEach((field, at) => {
    if (field.tag !== '61') return;
    const match = MOVEMENT.exec(field.value.trim());
    if (!match)
      throw new UnreadableStatement(
        `Line ${field.line}: the booking ":61:${field.value.split('\n')[0]!.slice(0, MAX_NAME)}" cannot be read.`,
      );
    const [, value, entry, direction, , amount, kind, references, supplement] = match as unknown as string[];
    if (direction!.startsWith('E')) return;
    const valueDay = dayOf(value!);
    const [customerReference, bank] = splitReferences(references!);
    const next = nextOf(message, at);
    const extra = message.slice(at + 1, at + 3).find((field) => field.tag === 'NS');
    // RC reverses a credit: money goes out; RD reverses a debit.
    const isDebit = direction === 'D' || direction === 'RC';
    const purpose = readPurpose(next?.tag === '86' ? next.value : '', extra?.value ?? '', supplement ?? '', isDebit);
    statement.entries.push({
      name: `entry ${statement.entries.length + 1} of ${statement.name} (line ${field.line})`,
      bookingDay: entry === undefined ? valueDay : entryDay(entry, valueDay),
      valueDay,
      amount: amount!.replace(',', '.').replace(/\.$/, ''),
      isDebit,
      currencyCode,
      bankReference: bank,
      details: [
        {
          ...purpose,
          amount: null,
          currencyCode: null,
          isDebit: null,
          reference: customerReference,
          isReturn: purpose.isReturn || direction!.startsWith('R') || kind === 'NRTI',
        },
      ],
    });
  });
}

/** The field after a movement that says what it is for, or the next movement. */
function nextOf(message: readonly Field[], at: number): Field | undefined {
  for (let n = at + 1; n < message.length; n++) if (['86', '61'].includes(message[n]!.tag)) return message[n];
  return undefined;
}

/** `KREF//BANKREF` */
function splitReferences(references: string): [string | null, string | null] {
  const [customerReference = '', bank = ''] = references.split('//');
  return [realReference(customerReference), realReference(bank)];
}

const dayOf = (yymmdd: string): string =>
  bankDay(`20${yymmdd.slice(0, 2)}-${yymmdd.slice(2, 4)}-${yymmdd.slice(4, 6)}`);

/** The entry's day has no year: the one that lies nearest to the value date (booked 2 January, value 30 December). */
function entryDay(mmdd: string, valueDay: string): string {
  const year = Number(valueDay.slice(0, 4));
  const candidates = [year - 1, year, year + 1].map((y) => bankDay(`${y}-${mmdd.slice(0, 2)}-${mmdd.slice(2)}`));
  const distance = (day: string): number => Math.abs(Date.parse(day) - Date.parse(valueDay));
  return (
    candidates.filter((day) => !Number.isNaN(Date.parse(day))).sort((a, b) => distance(a) - distance(b))[0] ?? valueDay
  );
}
