import { describe, expect, it } from '@jest/globals';
import { DATEV_ACCOUNT_CODES, DEFAULT_ACCOUNTS, fiscalYearOf, WITHOUT_AUTOMATIC_TAX } from './accounts.js';
import { bookingLine, COLUMNS, columnLine, headerLine } from './extf.js';
import { windows1252 } from './windows-1252.js';

const booking = {
  amountMinor: 11900n,
  currencyCode: 'EUR',
  account: '10000',
  contra: '8400',
  key: WITHOUT_AUTOMATIC_TAX,
  day: '2026-03-07',
  document: 'RE-2026-00001',
  text: 'Rechnung RE-2026-00001 Möbel & Söhne',
} as const;

describe('a booking batch for DATEV', () => {
  it('has 125 columns in the order of the format', () => {
    expect(COLUMNS).toHaveLength(125);
    expect(new Set(COLUMNS).size).toBe(125);
    expect([0, 6, 7, 9, 13, 19, 20, 36, 47, 87, 113, 124].map((at) => COLUMNS[at])).toEqual([
      'Umsatz (ohne Soll/Haben-Kz)', 'Konto', 'Gegenkonto (ohne BU-Schlüssel)', 'Belegdatum', 'Buchungstext', 'Beleglink',
      'Beleginfo - Art 1', 'KOST1 - Kostenstelle', 'Zusatzinformation - Art 1', 'Stück', 'Festschreibung', 'Abw. Skontokonto',
    ]); // prettier-ignore
    expect(columnLine().split(';')).toHaveLength(125);
  });

  it('begins with the 31 fields of its header', () => {
    const line = headerLine({
      createdAt: new Date('2026-04-01T08:09:10.123Z'), consultantNumber: 1234567, clientNumber: 42, fiscalYearStart: '2026-01-01', from: '2026-03-01',
      to: '2026-03-31', accountLength: 4, title: 'Kontor "März"', locked: false, currencyCode: 'EUR', chart: '03',
    }); // prettier-ignore
    expect(line).toBe(
      '"EXTF";700;21;"Buchungsstapel";13;20260401080910123;;"KO";"";"";1234567;42;20260101;4;' +
        '20260301;20260331;"Kontor ""März""";"";1;0;0;"EUR";;"";;;"03";;;"";""',
    );
    expect(line.split(';')).toHaveLength(31);
  });

  it('writes amounts with a comma, the day without the year, and the document in the characters that are allowed', () => {
    const fields = bookingLine(booking, false).split(';');
    expect(fields).toHaveLength(125);
    expect(fields.slice(0, 14)).toEqual([
      '119,00', '"S"', '"EUR"', '', '', '', '10000', '8400', '"0040"', '0703', '"RE-2026-00001"', '', '', '"Rechnung RE-2026-00001 Möbel & Söhne"',
    ]); // prettier-ignore
    expect(fields[113]).toBe('0');
    const other = bookingLine(
      { ...booking, amountMinor: 5n, key: '', document: 'RE 1/ä_2', text: `a;b"c\n${'x'.repeat(80)}` },
      true,
    ).split(';');
    expect([other[0], other[8], other[10], other[113]]).toEqual(['0,05', '', '"RE1/2"', '1']);
    expect(other[13]).toBe(`"a b""c ${'x'.repeat(54)}"`);
    expect(bookingLine({ ...booking, amountMinor: 500n, currencyCode: 'JPY' }, false)).toMatch(/^500,00;"S";"JPY"/);
  });

  /** Field, what it may hold. @see https://developer.datev.de/datev/platform/en/dtvf/formate/header */
  const HEADER: readonly (readonly [string, RegExp])[] = [
    ['Kennzeichen', /^"(EXTF|DTVF)"$/], ['Versionsnummer', /^700$/], ['Formatkategorie', /^21$/], ['Formatname', /^"Buchungsstapel"$/],
    ['Formatversion', /^13$/],
    ['Erzeugt am', /^20\d{15}$/], ['Importiert', /^$/], ['Herkunft', /^"[A-Z]{2}"$/], ['Exportiert von', /^"\w{0,25}"$/], ['Importiert von', /^""$/],
    ['Beraternummer', /^\d{4,7}$/], ['Mandantennummer', /^\d{1,5}$/], ['WJ-Beginn', /^20\d{6}$/], ['Sachkontenlänge', /^[4-8]$/], ['Datum von', /^20\d{6}$/],
    ['Datum bis', /^20\d{6}$/], ['Bezeichnung', /^"([^"]|""){0,30}"$/], ['Diktatkürzel', /^"([A-Z]{2})?"$/], ['Buchungstyp', /^[12]$/],
    ['Rechnungslegungszweck', /^(0|30|40|50|64)$/], ['Festschreibung', /^[01]$/], ['WKZ', /^"[A-Z]{3}"$/],
    ['reserviert', /^$/], ['Derivatskennzeichen', /^""$/],
    ['reserviert', /^$/], ['reserviert', /^$/], ['Sachkontenrahmen', /^"\d{2}"$/], ['Branchenlösung', /^$/], ['reserviert', /^$/], ['reserviert', /^""$/],
    ['Anwendungsinformation', /^"[^"]{0,16}"$/],
  ]; // prettier-ignore

  it.each([
    ['03', 4, 1001, 1, false],
    ['04', 8, 9_999_999, 99_999, true],
  ] as const)(
    'has each field of the header as the format wants it (SKR%s)',
    (chart, accountLength, consultantNumber, clientNumber, locked) => {
      const fields = headerLine({
      createdAt: new Date('2026-04-01T08:09:10.000Z'), consultantNumber, clientNumber, fiscalYearStart: '2026-01-01', from: '2026-03-01', to: '2026-03-31',
      accountLength, title: 'Ein "Stapel"; dessen Name zu lang für das Feld ist', locked, currencyCode: 'EUR', chart,
    }).split(';'); // prettier-ignore
      expect(fields).toHaveLength(HEADER.length);
      HEADER.forEach(([name, form], at) =>
        expect([at + 1, name, fields[at]]).toEqual([at + 1, name, expect.stringMatching(form)]),
      );
    },
  );

  it.each([1n, 11900n, 999_999_999_999n])(
    'fills exactly the fields that it names, each in its form (%d)',
    (amountMinor) => {
      const forms: Record<string, RegExp> = {
      'Umsatz (ohne Soll/Haben-Kz)': /^\d{1,10},\d{2}$/, 'Soll/Haben-Kennzeichen': /^"[SH]"$/, 'WKZ Umsatz': /^"[A-Z]{3}"$/, Konto: /^\d{1,9}$/,
      'Gegenkonto (ohne BU-Schlüssel)': /^\d{1,9}$/, 'BU-Schlüssel': /^"\d{4}"$/, Belegdatum: /^(0[1-9]|[12]\d|3[01])(0[1-9]|1[0-2])$/,
      'Belegfeld 1': /^"[\w$&%*+\-/]{0,36}"$/, Buchungstext: /^"([^"]|""){0,60}"$/, Festschreibung: /^[01]$/,
    }; // prettier-ignore
      const fields = bookingLine({ ...booking, amountMinor, document: 'RE '.repeat(30) }, true).split(';');
      COLUMNS.forEach((name, at) =>
        expect([name, fields[at]]).toEqual([name, expect.stringMatching(forms[name] ?? /^$/)]),
      );
    },
  );

  it('is written in Windows-1252', () => {
    expect(windows1252('Größe 5 € – „ok“').toString('latin1')).toBe('Gr\u00f6\u00dfe 5 \u0080 \u0096 \u0084ok\u0093');
    expect(windows1252('o\u0308 Łódź 漢').toString('latin1')).toBe('\u00f6 ?\u00f3dz ?');
  });

  it('knows an account for every account of the ledger, each once', () => {
    for (const accounts of Object.values(DEFAULT_ACCOUNTS)) {
      expect(Object.keys(accounts).sort()).toEqual([...DATEV_ACCOUNT_CODES].sort());
      expect(new Set(Object.values(accounts)).size).toBe(DATEV_ACCOUNT_CODES.length);
    }
  });

  it.each([
    ['2026-03-07', '01-01', '2026-01-01'],
    ['2026-03-07', '07-01', '2025-07-01'],
    ['2026-07-01', '07-01', '2026-07-01'],
  ])('of %s with a year from %s lies in the year of %s', (day, start, year) => {
    expect(fiscalYearOf(day, start)).toBe(year);
  });
});
