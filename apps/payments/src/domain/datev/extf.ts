import { decimalOf, exponentOf, formatDecimal } from '@kontor/money';

const numbered = (count: number, names: (n: number) => string): string =>
  Array.from({ length: count }, (_, i) => names(i + 1)).join(';');

/** The 125 columns of "Buchungsstapel", version 13 of DATEV's format (EXTF 700), in their order. */
export const COLUMNS: readonly string[] = [
  'Umsatz (ohne Soll/Haben-Kz);Soll/Haben-Kennzeichen;WKZ Umsatz;Kurs;Basis-Umsatz;WKZ Basis-Umsatz;Konto;Gegenkonto (ohne BU-Schlüssel)',
  'BU-Schlüssel;Belegdatum;Belegfeld 1;Belegfeld 2;Skonto;Buchungstext;Postensperre;Diverse Adressnummer;Geschäftspartnerbank;Sachverhalt',
  'Zinssperre;Beleglink',
  numbered(8, (n) => `Beleginfo - Art ${n};Beleginfo - Inhalt ${n}`),
  'KOST1 - Kostenstelle;KOST2 - Kostenstelle;Kost-Menge;EU-Land u. UStID (Bestimmung);EU-Steuersatz (Bestimmung);Abw. Versteuerungsart',
  'Sachverhalt L+L;Funktionsergänzung L+L;BU 49 Hauptfunktionstyp;BU 49 Hauptfunktionsnummer;BU 49 Funktionsergänzung',
  numbered(20, (n) => `Zusatzinformation - Art ${n};Zusatzinformation- Inhalt ${n}`),
  'Stück;Gewicht;Zahlweise;Forderungsart;Veranlagungsjahr;Zugeordnete Fälligkeit;Skontotyp;Auftragsnummer;Buchungstyp',
  'USt-Schlüssel (Anzahlungen);EU-Land (Anzahlungen);Sachverhalt L+L (Anzahlungen);EU-Steuersatz (Anzahlungen);Erlöskonto (Anzahlungen)',
  'Herkunft-Kz;Buchungs GUID;KOST-Datum;SEPA-Mandatsreferenz;Skontosperre;Gesellschaftername;Beteiligtennummer;Identifikationsnummer',
  'Zeichnernummer;Postensperre bis;Bezeichnung SoBil-Sachverhalt;Kennzeichen SoBil-Buchung;Festschreibung;Leistungsdatum',
  'Datum Zuord. Steuerperiode;Fälligkeit;Generalumkehr (GU);Steuersatz;Land;Abrechnungsreferenz;BVV-Position',
  'EU-Land u. UStID (Ursprung);EU-Steuersatz (Ursprung);Abw. Skontokonto',
].flatMap((part) => part.split(';'));

/** DATEV accepts at most so many bookings in one file. */
export const MAX_BOOKINGS = 99_999;

export interface BatchHeader {
  readonly createdAt: Date;
  readonly consultantNumber: number;
  readonly clientNumber: number;
  /** `YYYY-MM-DD`, all three. */
  readonly fiscalYearStart: string;
  readonly from: string;
  readonly to: string;
  readonly accountLength: number;
  readonly title: string;
  readonly locked: boolean;
  readonly currencyCode: string;
  /** `03` or `04`: the chart of accounts. */
  readonly chart: string;
}

/** One line: `account` is debited, `contra` credited. */
export interface Booking {
  /** Minor units, more than zero. */
  readonly amountMinor: bigint;
  readonly currencyCode: string;
  readonly account: string;
  readonly contra: string;
  /** BU key, four digits; empty: none. */
  readonly key: string;
  /** `YYYY-MM-DD`. */
  readonly day: string;
  /** Number of the document; at most 36 characters of DATEV's set, others are left out. */
  readonly document: string;
  /** At most 60 characters are kept. */
  readonly text: string;
}

const quoted = (text: string): string => `"${text.replaceAll('"', '""').replace(/[\r\n;]+/g, ' ')}"`;
const compact = (day: string): string => day.replaceAll('-', '');

/** The first line of the file, 31 fields. */
export const headerLine = (h: BatchHeader): string =>
  [
    '"EXTF"',
    '700',
    '21',
    '"Buchungsstapel"',
    '13',
    h.createdAt.toISOString().replace(/\D/g, '').slice(0, 17),
    '',
    '"KO"',
    '""',
    '""',
    String(h.consultantNumber),
    String(h.clientNumber),
    compact(h.fiscalYearStart),
    String(h.accountLength),
    compact(h.from),
    compact(h.to),
    quoted(h.title.slice(0, 30)),
    '""',
    '1',
    '0',
    h.locked ? '1' : '0',
    quoted(h.currencyCode),
    '',
    '""',
    '',
    '',
    quoted(h.chart),
    '',
    '',
    '""',
    '""',
  ].join(';');

export const columnLine = (): string => COLUMNS.join(';');

const AT = Object.fromEntries(COLUMNS.map((name, index) => [name, index]));

/** One booking as a line of 125 fields. */
export function bookingLine(b: Booking, locked: boolean): string {
  const exponent = exponentOf(b.currencyCode);
  const fields = Array.from({ length: COLUMNS.length }, () => '');
  const set = (name: string, value: string): void => {
    fields[AT[name] as number] = value;
  };
  set('Umsatz (ohne Soll/Haben-Kz)', formatDecimal(decimalOf(b.amountMinor, exponent), 2).replace('.', ','));
  set('Soll/Haben-Kennzeichen', '"S"');
  set('WKZ Umsatz', quoted(b.currencyCode));
  set('Konto', b.account);
  set('Gegenkonto (ohne BU-Schlüssel)', b.contra);
  set('BU-Schlüssel', b.key === '' ? '' : quoted(b.key));
  set('Belegdatum', `${b.day.slice(8, 10)}${b.day.slice(5, 7)}`);
  set('Belegfeld 1', quoted(b.document.replace(/[^A-Za-z0-9$&%*+\-/]/g, '').slice(0, 36)));
  set('Buchungstext', quoted([...b.text].slice(0, 60).join('')));
  set('Festschreibung', locked ? '1' : '0');
  return fields.join(';');
}
