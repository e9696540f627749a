import { onDemand } from '@kontor/kernel';
import type { AuditColumn, AuditTable } from './audit-tables.js';

export interface IndexSubject {
  /** Who hands the data over. */
  readonly company: string;
  readonly city: string;
  /** First and last day, `YYYY-MM-DD`. */
  readonly from: string;
  readonly to: string;
}

const library = onDemand<typeof import('fast-xml-parser')>('fast-xml-parser', import.meta.url);
const DTD_FILE = 'gdpdu-01-08-2002.dtd';

const typeOf = ({ type }: AuditColumn): object => {
  if (type === 'text') return { AlphaNumeric: '' };
  return type === 'day' ? { Date: { Format: 'DD.MM.YYYY' } } : { Numeric: { Accuracy: type.decimals } };
};

const columnOf = (column: AuditColumn): object => ({
  Name: column.name,
  Description: column.description,
  ...typeOf(column),
});

const germanDay = (day: string): string => day.split('-').reverse().join('.');

const tableOf = (table: AuditTable, { from, to }: IndexSubject): object => ({
  URL: table.file,
  Name: table.name,
  Description: table.description,
  Validity: { Range: { From: germanDay(from), To: germanDay(to) }, Format: 'DD.MM.YYYY' },
  UTF8: '',
  DecimalSymbol: ',',
  DigitGroupingSymbol: '.',
  // The first line has the names.
  Range: { From: 2 },
  VariableLength: {
    ColumnDelimiter: ';',
    RecordDelimiter: '&#13;&#10;',
    TextEncapsulator: '"',
    VariablePrimaryKey: table.columns.filter((column) => column.isKey).map(columnOf),
    VariableColumn: table.columns.filter((column) => !column.isKey).map(columnOf),
  },
});

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/**
 * `index.xml`: what an auditor's program needs to read the tables, in the description standard of the German tax
 * authorities for data that is handed over (GoBD, once GDPdU; version 1.1).
 */
export function gdpduIndex(tables: readonly AuditTable[], subject: IndexSubject): string {
  const { XMLBuilder } = library();
  const builder = new XMLBuilder({ format: true, processEntities: false, suppressEmptyNode: true });
  const body = String(
    builder.build({
      DataSet: {
        Version: '1.0',
        DataSupplier: {
          Name: escaped(subject.company),
          Location: escaped(subject.city),
          Comment: `Belege vom ${germanDay(subject.from)} bis zum ${germanDay(subject.to)}`,
        },
        Media: { Name: 'Belege', Table: tables.map((table) => tableOf(table, subject)) },
      },
    }),
  );
  return `<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE DataSet SYSTEM "${DTD_FILE}">\n${body}`;
}

const TEXTS = [
  'Version',
  'Name',
  'Location',
  'Comment',
  'URL',
  'Description',
  'From',
  'To',
  'Format',
  'DecimalSymbol',
  'DigitGroupingSymbol',
  'ColumnDelimiter',
  'RecordDelimiter',
  'TextEncapsulator',
  'Accuracy',
];

/** The part of the standard's grammar that `index.xml` uses; it has to lie beside it. */
export const GDPDU_DTD = {
  file: DTD_FILE,
  text: `<?xml version="1.0" encoding="UTF-8"?>
<!ELEMENT DataSet (Version, DataSupplier?, Media+)>
<!ELEMENT DataSupplier (Name, Location, Comment)>
<!ELEMENT Media (Name, Table+)>
<!ELEMENT Table (URL, Name?, Description?, Validity?, UTF8?, (DecimalSymbol, DigitGroupingSymbol)?, Range?, VariableLength)>
<!ELEMENT Validity (Range, Format?)>
<!ELEMENT Range (From, To?)>
<!ELEMENT VariableLength (ColumnDelimiter?, RecordDelimiter?, TextEncapsulator?, ((VariablePrimaryKey+, VariableColumn*) | VariableColumn+))>
<!ELEMENT VariablePrimaryKey (Name, Description?, (Numeric | AlphaNumeric | Date))>
<!ELEMENT VariableColumn (Name, Description?, (Numeric | AlphaNumeric | Date))>
<!ELEMENT Numeric (Accuracy?)>
<!ELEMENT Date (Format?)>
<!ELEMENT AlphaNumeric EMPTY>
<!ELEMENT UTF8 EMPTY>
${TEXTS.map((name) => `<!ELEMENT ${name} (#PCDATA)>`).join('\n')}
`,
} as const;
