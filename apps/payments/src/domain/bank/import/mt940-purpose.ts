import { isReturnCode } from './return-codes.js';
import { NO_BATCH, type RawDetail, realReference } from './statement.js';

type Purpose = Omit<RawDetail, 'amount' | 'currencyCode' | 'isDebit' | 'reference'>;

/** Words that begin a part of the purpose in SEPA bookings. */
const SEPA_WORDS = [
  'EREF',
  'KREF',
  'MREF',
  'CRED',
  'DEBT',
  'COAM',
  'OAMT',
  'SVWZ',
  'ABWA',
  'ABWE',
  'IBAN',
  'BIC',
  'BREF',
  'RREF',
  'SQTP',
  'PURP',
];
/**
 * Payers write `IBAN: …` and `BIC: …`, too: the account ends with its last character, and what follows is their text. Of four characters
 * each, or without blanks.
 */
const ACCOUNT: Readonly<Record<string, RegExp>> = {
  IBAN: /^[A-Z]{2}\d{2}(?:[A-Z0-9]{11,30}|(?: [A-Z0-9]{4}){2,7}(?: [A-Z0-9]{1,3})?)(?=\s|$)/,
  BIC: /^[A-Z]{6}[A-Z0-9]{2}(?:[A-Z0-9]{3})?(?=\s|$)/,
};
const SEPA_PART = new RegExp(`(?:^|(?<=\\s|[^A-Z]))(${SEPA_WORDS.join('|')})[+:]`, 'g');

/** The business code and the separator of the subfields; a text may begin with three digits, too (`100.00 EUR`). */
const GERMAN = /^(\d{3})\n?([?<>^~@#&*|+$%!=§¤¬`\\])(?=\d{2})/;

/**
 * What `:86:` says: the German form with subfields (`166?00…?20EREF+…?32Name`), the slash form of other banks
 * (`/EREF/…/NAME/…/REMI/…`), or plain text; `extra` is the old field `:NS:`, `supplement` the second line of `:61:`.
 * That money comes back is believed of words alone only where it goes out: what comes in, a payer has written.
 */
export function readPurpose(field: string, extra: string, supplement: string, isDebit: boolean): Purpose {
  const german = GERMAN.exec(field);
  const sub = german
    ? subfields(field.slice(german[0].length), german[2]!)
    : extra !== ''
      ? oldFields(extra)
      : undefined;
  if (sub) return fromSubfields(german?.[1] ?? sub.get('22') ?? '', sub, isDebit);
  const slashes = slashFields(field);
  if (slashes) return fromSlashes(slashes, isDebit);
  const remittance = [join(field.split('\n')), supplement.trim()].filter(Boolean).join('\n');
  const parts = sepaParts(remittance);
  return purpose('', { ...parts, text: parts.text || remittance }, isDebit);
}

function subfields(body: string, separator: string): Map<string, string> {
  const found = new Map<string, string>();
  let code = '';
  // Lines are broken anywhere, also inside a subfield.
  for (const part of body.replaceAll('\n', '').split(separator)) {
    const begun = /^\d{2}/.exec(part)?.[0];
    // A payer's own question mark begins no subfield.
    const before = found.get(begun ?? code) ?? '';
    found.set(begun ?? code, begun === undefined ? `${before}${separator}${part}` : `${before}${part.slice(2)}`);
    code = begun ?? code;
  }
  return found;
}

/** `:NS:`: lines that begin with two digits; 01 to 14 are the purpose, 15 and 16 the name. */
function oldFields(body: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const line of body.split('\n')) {
    const code = Number(/^\d{2}/.exec(line)?.[0] ?? Number.NaN);
    const value = line.slice(2);
    if (code >= 1 && code <= 14)
      found.set(String(19 + Math.min(code, 10)), `${found.get(String(19 + Math.min(code, 10))) ?? ''}${value}`);
    else if (code === 15 || code === 16) found.set(String(17 + code), value);
    else if (code === 22) found.set('22', value);
  }
  return found;
}

const PURPOSE_CODES = [
  ...Array.from({ length: 10 }, (_, i) => String(20 + i)),
  ...Array.from({ length: 4 }, (_, i) => String(60 + i)),
];

function fromSubfields(gvc: string, sub: ReadonlyMap<string, string>, isDebit: boolean): Purpose {
  const pieces = PURPOSE_CODES.flatMap((code) => sub.get(code) ?? []);
  const parts = sepaParts(join(pieces));
  const account = (sub.get('38') ?? sub.get('31') ?? '').replace(/\s/g, '');
  const named = {
    ...parts,
    name: [sub.get('32'), sub.get('33')].filter(Boolean).join('').trim() || parts.name,
    iban: isIbanLike(account) ? account : parts.iban,
    reason: /^[A-Z]{2}\d{2}$/.exec((sub.get('34') ?? '').trim())?.[0],
  };
  return purpose(gvc, named, isDebit);
}

/**
 * Pieces of 27 characters continue each other: a full one was broken in the middle of a word, a shorter one ended
 * there.
 */
const join = (pieces: readonly string[]): string =>
  pieces
    .reduce(
      (whole, piece, i) =>
        whole + (i === 0 ? '' : startsPart(piece) ? '\n' : pieces[i - 1]!.length < 27 ? ' ' : '') + piece,
      '',
    )
    .trim();

const startsPart = (piece: string): boolean => new RegExp(`^(${SEPA_WORDS.join('|')})\\+`).test(piece);

interface Parts {
  readonly text: string;
  readonly endToEndId?: string | undefined;
  readonly mandate?: string | undefined;
  readonly name?: string | undefined;
  readonly iban?: string | undefined;
  readonly charges?: string | undefined;
  /** Why it came back, as the bank says it in a field of its own. */
  readonly reason?: string | undefined;
  /** The same in the text. */
  readonly saidReason?: string | undefined;
  /** The sender's name of a batch (KREF): of ours, its payment information or its message. */
  readonly batch?: string | undefined;
}

function sepaParts(whole: string): Parts {
  const found = new Map<string, string>();
  // The bank's come first; the same word once more is the payer's text.
  const marks = firstOfEach([...whole.matchAll(SEPA_PART)]);
  if (marks.length === 0) return { text: whole, saidReason: reasonIn(whole) };
  const before = whole.slice(0, marks[0]!.index).trim();
  const behind: string[] = [];
  marks.forEach((mark, i) => {
    const value = whole.slice(mark.index + mark[0].length, marks[i + 1]?.index ?? whole.length).trim();
    const account = mark[0].endsWith(':') ? ACCOUNT[mark[1]!] : undefined;
    const word = account === undefined ? value : (account.exec(value)?.[0] ?? '');
    if (word !== '') found.set(mark[1]!, word);
    if (account !== undefined) behind.push(word === '' ? `${mark[0]} ${value}` : value.slice(word.length).trim());
  });
  const free = [found.get('SVWZ') ?? before, ...behind].filter((part) => part !== '').join(' ');
  return {
    text: free,
    endToEndId: oneWord(found.get('EREF')),
    mandate: oneWord(found.get('MREF')),
    name: found.get('ABWA'),
    iban: oneWord(found.get('IBAN')),
    charges: found.get('COAM'),
    batch: oneWord(found.get('KREF')),
    saidReason: reasonIn(free),
  };
}

function firstOfEach(marks: readonly RegExpExecArray[]): RegExpExecArray[] {
  const seen = new Set<string>();
  return marks.filter(([, word]) => !seen.has(word!) && seen.add(word!));
}

/** References have no blanks of their own: those inside come from line breaks. */
const oneWord = (value: string | undefined): string | undefined => value?.replace(/\s+/g, '') || undefined;

/** Codes of SEPA returns alone: a number such as `RE26-00012` is none. */
const SAID_REASON =
  /\b(?:RETURN|R(?:UE|Ü)CKGABE|R(?:UE|Ü)CKLASTSCHRIFT)\b.*?\b((?:AC|AG|AM|BE|DT|DU|ED|FF|MD|MS|RC|RR|SL|TM)\d{2})\b(?![-/]\w)/i;

const reasonIn = (whole: string): string | undefined => SAID_REASON.exec(whole)?.[1]?.toUpperCase();

function slashFields(field: string): Map<string, string> | undefined {
  const flat = field.replaceAll('\n', '');
  if (!/^\/[A-Z]{3,4}\//.test(flat)) return undefined;
  const marks = [
    ...flat.matchAll(
      /\/(EREF|REMI|IBAN|NAME|BIC|MARF|CSID|TRTP|KREF|PREF|RTRN|ORDP|BENM|CNTP|USTD|STRD|ISDT|PURP|ULTD|ULTB|RTYP|SVCL|ADDR|ID)\//g,
    ),
  ];
  const found = new Map<string, string>();
  marks.forEach((mark, i) => {
    const value = flat
      .slice(mark.index + mark[0].length, marks[i + 1]?.index ?? flat.length)
      .trim()
      .replace(/\/+$/, '');
    if (value !== '') found.set(mark[1]!, value);
  });
  return found;
}

function fromSlashes(found: ReadonlyMap<string, string>, isDebit: boolean): Purpose {
  const [iban, , name] = (found.get('CNTP') ?? '').split('/');
  const parts = {
    text:
      (found.get('REMI') ?? '').replace(/^\/?(USTD|STRD)\/+/, '').replace(/\/+$/, '') ||
      found.get('USTD') ||
      found.get('STRD') ||
      '',
    endToEndId: oneWord(found.get('EREF')),
    mandate: oneWord(found.get('MARF')),
    batch: oneWord(found.get('KREF') ?? found.get('PREF')),
    name: found.get('NAME') ?? name,
    iban: oneWord(found.get('IBAN')) ?? iban,
    reason: /[A-Z]{2}\d{2}/.exec(found.get('RTRN') ?? '')?.[0],
  };
  return purpose('', parts, isDebit);
}

function purpose(gvc: string, parts: Parts, isDebit: boolean): Purpose {
  const iban = parts.iban?.toUpperCase();
  const isReturn = isReturnCode([gvc]) || parts.reason !== undefined || (isDebit && parts.saidReason !== undefined);
  const reason = parts.reason ?? parts.saidReason;
  return {
    endToEndId: realReference(parts.endToEndId),
    mandateReference: parts.mandate ?? null,
    counterpartyName: parts.name?.trim() || null,
    counterpartyIban: iban !== undefined && isIbanLike(iban) ? iban : null,
    remittance: parts.text.trim() || null,
    isReturn,
    returnReason: isReturn ? (reason ?? null) : null,
    charges: /^\D*(\d+,\d{2})/.exec(parts.charges ?? '')?.[1]?.replace(',', '.') ?? null,
    batch: parts.batch === undefined ? NO_BATCH : { paymentInformationId: parts.batch, messageId: parts.batch },
  };
}

const isIbanLike = (value: string): boolean => /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/i.test(value);
