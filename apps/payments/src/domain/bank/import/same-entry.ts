import type { StatementEntry, StatementFormat } from './statement.js';

/**
 * What makes a booking of the bank "the same" in another file. Day and amount must be equal; then the strongest thing
 * that both files contain decides: the bank's reference (within one format), the end-to-end id, the payer's IBAN, the
 * text.
 */
export interface EntryIdentity {
  readonly id: string;
  readonly bookingDay: string;
  readonly amountMinor: bigint;
  readonly format: StatementFormat;
  readonly bankReference: string | null;
  readonly endToEndId: string | null;
  readonly counterpartyIban: string | null;
  /**
   * Folded text of all lines: letters and digits alone, so that formats which break, cut or transliterate agree; `*`
   * leads a split batch's.
   */
  readonly textKey: string;
}

const BATCH = '*';

export function identityOf(id: string, entry: StatementEntry, format: StatementFormat): EntryIdentity {
  const only = entry.lines.length === 1 ? entry.lines[0] : undefined;
  return {
    id,
    bookingDay: entry.bookingDay,
    amountMinor: entry.amountMinor,
    format,
    bankReference: entry.bankReference,
    endToEndId: only?.endToEndId ?? null,
    counterpartyIban: only?.counterpartyIban ?? null,
    textKey: (only ? '' : BATCH) + foldText(entry.lines.map((line) => line.remittance ?? '').join('')).slice(0, 400),
  };
}

/** Upper case letters and digits of a text; ä, ae and a are one. */
export const foldText = (text: string): string =>
  text
    .toUpperCase()
    .replace(/ß/g, 'SS')
    .replace(/Ä|AE/g, 'A')
    .replace(/Ö|OE/g, 'O')
    .replace(/Ü|UE/g, 'U')
    .normalize('NFD')
    .replace(/[^0-9A-Z]/g, '');

/** How sure it is that both are one booking: 0 not at all. */
export function likeness(a: EntryIdentity, b: EntryIdentity): number {
  if (a.bookingDay !== b.bookingDay || a.amountMinor !== b.amountMinor) return 0;
  if (a.bankReference !== null && b.bankReference !== null) {
    if (a.bankReference === b.bankReference) return 4;
    if (a.format === b.format) return 0;
  }
  if (a.endToEndId !== null && b.endToEndId !== null) return endToEndKey(a) === endToEndKey(b) ? 3 : 0;
  if (a.counterpartyIban !== null && b.counterpartyIban !== null && a.counterpartyIban !== b.counterpartyIban) return 0;
  const alike = textLikeness(a, b);
  return alike === 0 && maybeUnsplit(a, b) ? 1 : alike;
}

/** MT940 breaks lines inside of it, so that blanks say nothing. */
export const endToEndKey = ({ endToEndId: id }: EntryIdentity): string | null =>
  id === null ? null : (/\s/.test(id) ? id.replace(/\s/g, '') : id).toUpperCase();

/**
 * The bank's word for a whole batch ("SAMMLER") says nothing about its parts; a single payer's line would name the
 * payer.
 */
function maybeUnsplit(a: EntryIdentity, b: EntryIdentity): boolean {
  const [whole, other] = [a, b].filter(({ textKey }) => !textKey.startsWith(BATCH));
  if (!whole || other) return false;
  return whole.format !== 'json' && whole.counterpartyIban === null && whole.endToEndId === null;
}

function textLikeness(a: EntryIdentity, b: EntryIdentity): number {
  const [textA, textB] = [plainText(a), plainText(b)];
  if (textA === textB) return 2;
  const [short, long] = textA.length < textB.length ? [textA, textB] : [textB, textA];
  // Cut, or with the bank's own words around it. Too short a text proves nothing, unless the formats differ and one has
  // none.
  if (short.length >= 8) return long.includes(short) || long.startsWith(short.slice(0, 100)) ? 1 : 0;
  return a.format !== b.format && short === '' ? 1 : 0;
}

/** Without the mark of a split batch. */
export const plainText = (entry: EntryIdentity): string => entry.textKey.replace(BATCH, '');

/** What the database keeps apart by: the entry's own words; equal ones are counted. */
export const fingerprintText = (entry: EntryIdentity): string =>
  [
    entry.bookingDay,
    entry.amountMinor,
    entry.bankReference ?? '',
    entry.endToEndId ?? '',
    entry.counterpartyIban ?? '',
    entry.textKey,
  ].join('\n');
