import { formatMajor, money } from '@kontor/money';
import type { DocumentSnapshot, SnapshotPosition } from '../finalization/document-snapshot.js';

/** How many decimals a number has at most; text and days have none. */
type ColumnType = 'text' | 'day' | { readonly decimals: number };

export interface AuditColumn {
  readonly name: string;
  readonly description: string;
  readonly type: ColumnType;
  /** Part of the table's key. */
  readonly isKey?: true;
}

/** A table of the export: what its CSV file holds, and what `index.xml` says about it. */
export interface AuditTable {
  readonly file: string;
  readonly name: string;
  readonly description: string;
  readonly columns: readonly AuditColumn[];
  /** Lines of one document, in the order of the columns. */
  readonly linesOf: (document: AuditDocument) => readonly (readonly string[])[];
}

/** A finalized document with its files. */
export interface AuditDocument {
  readonly snapshot: DocumentSnapshot;
  readonly status: string;
  readonly files: readonly AuditFile[];
}

export interface AuditFile {
  /** Within the archive. */
  readonly path: string;
  readonly mimeType: string;
  readonly sizeBytes: number;
  readonly sha256: string;
}

const AMOUNT = { decimals: 3 } as const;
const NUMBER: AuditColumn = { name: 'Belegnummer', description: 'Nummer des Belegs', type: 'text' };
const KEY: AuditColumn = { ...NUMBER, isKey: true };

/** Days as the description says them. */
const day = (text: string | null | undefined): string => (text ? text.split('-').reverse().join('.') : '');
const decimalComma = (text: string): string => text.replace('.', ',');
const numberOf = ({ snapshot }: AuditDocument): string => snapshot.number ?? '';
const amount = (document: AuditDocument, minor: number): string =>
  decimalComma(formatMajor(money(BigInt(minor), document.snapshot.currencyCode)));

const DOCUMENTS: AuditTable = {
  file: 'belege.csv',
  name: 'Belege',
  description: 'Ausgestellte Belege: Rechnungen, Korrekturen, Stornierungen, Erstattungen',
  columns: [
    KEY,
    { name: 'Belegart', description: 'TYPE_INVOICE, TYPE_CREDIT, TYPE_CANCEL, TYPE_REFUND, …', type: 'text' },
    { name: 'Belegdatum', description: 'Tag der Ausstellung', type: 'day' },
    { name: 'Faellig', description: 'Tag der Faelligkeit', type: 'day' },
    { name: 'LeistungVon', description: 'Erster Tag der Leistung', type: 'day' },
    { name: 'LeistungBis', description: 'Letzter Tag der Leistung', type: 'day' },
    { name: 'Kundennummer', description: 'Nummer des Kunden', type: 'text' },
    { name: 'Kunde', description: 'Name des Kunden', type: 'text' },
    { name: 'Land', description: 'Land der Rechnungsadresse, ISO 3166-1', type: 'text' },
    { name: 'UStIdNr', description: 'Umsatzsteuer-Identifikationsnummer des Kunden', type: 'text' },
    { name: 'Waehrung', description: 'ISO 4217', type: 'text' },
    { name: 'Netto', description: 'Nach Rabatten', type: AMOUNT },
    { name: 'Steuer', description: 'Umsatzsteuer', type: AMOUNT },
    { name: 'Brutto', description: 'Gesamtbetrag', type: AMOUNT },
    { name: 'Bezug', description: 'Nummer des Belegs, auf den sich dieser bezieht', type: 'text' },
    { name: 'Status', description: 'Status zum Zeitpunkt des Exports', type: 'text' },
  ],
  linesOf: (document) => {
    const { snapshot, status } = document;
    const { recipient, totals, servicePeriod } = snapshot;
    return [
      [
        numberOf(document),
        snapshot.type,
        day(snapshot.issueDate),
        day(snapshot.dueDate),
        day(servicePeriod?.from),
        day(servicePeriod?.to),
        recipient.customerNumber,
        recipient.nameLines.join(', '),
        recipient.address.countryCode,
        recipient.vatId ?? '',
        snapshot.currencyCode,
        amount(document, totals.netAmount),
        amount(document, totals.taxAmount),
        amount(document, totals.grossAmount),
        (snapshot.referencedDocuments ?? []).map((reference) => reference.number).join(', ') ||
          (snapshot.referencedDocument?.number ?? ''),
        status,
      ],
    ];
  },
};

const flat = (positions: readonly SnapshotPosition[]): SnapshotPosition[] =>
  positions.flatMap((position) => [position, ...flat(position.children)]);

const POSITIONS: AuditTable = {
  file: 'positionen.csv',
  name: 'Positionen',
  description: 'Positionen der Belege',
  columns: [
    KEY,
    { name: 'Position', description: 'Nummer der Position', type: 'text', isKey: true },
    { name: 'Bezeichnung', description: 'Name der Leistung', type: 'text' },
    { name: 'Menge', description: 'Menge', type: { decimals: 12 } },
    { name: 'Einheit', description: 'Einheit der Menge', type: 'text' },
    { name: 'NettoVorRabatt', description: 'Nettobetrag vor Rabatt', type: AMOUNT },
    { name: 'Rabatt', description: 'Rabatt', type: AMOUNT },
    { name: 'Steuer', description: 'Umsatzsteuer', type: AMOUNT },
    { name: 'Brutto', description: 'Nach Rabatt, mit Umsatzsteuer', type: AMOUNT },
    { name: 'Steuerkategorie', description: 'Nach EN 16931: S, Z, E, AE, K, G, O', type: 'text' },
    { name: 'Steuersatz', description: 'Prozent', type: { decimals: 4 } },
    { name: 'LeistungVon', description: 'Erster Tag der Leistung', type: 'day' },
    { name: 'LeistungBis', description: 'Letzter Tag der Leistung', type: 'day' },
  ],
  linesOf: (document) =>
    flat(document.snapshot.positions).map((position) => [
      numberOf(document),
      position.label,
      position.name,
      decimalComma(position.quantity),
      position.unitName ?? '',
      amount(document, position.netAmount),
      amount(document, position.discountAmount),
      amount(document, position.taxAmount),
      amount(document, position.grossAmount),
      position.taxCategory,
      decimalComma(position.taxRate),
      day(position.servicePeriod?.from),
      day(position.servicePeriod?.to),
    ]),
};

const TAXES: AuditTable = {
  file: 'steuern.csv',
  name: 'Steuern',
  description: 'Umsatzsteuer der Belege nach Kategorie und Satz',
  columns: [
    NUMBER,
    { name: 'Steuerkategorie', description: 'Nach EN 16931: S, Z, E, AE, K, G, O', type: 'text' },
    { name: 'Steuersatz', description: 'Prozent', type: { decimals: 4 } },
    { name: 'Bemessungsgrundlage', description: 'Netto nach Rabatten', type: AMOUNT },
    { name: 'Steuer', description: 'Umsatzsteuer', type: AMOUNT },
    { name: 'Hinweis', description: 'Grund, aus dem keine Umsatzsteuer berechnet wurde', type: 'text' },
  ],
  linesOf: (document) =>
    document.snapshot.taxes.map((tax) => [
      numberOf(document),
      tax.category,
      decimalComma(tax.rate),
      amount(document, tax.baseAmount),
      amount(document, tax.taxAmount),
      tax.legalNote ?? '',
    ]),
};

const FILES: AuditTable = {
  file: 'dateien.csv',
  name: 'Dateien',
  description: 'Dateien der Belege in diesem Archiv',
  columns: [
    NUMBER,
    { name: 'Datei', description: 'Pfad in diesem Archiv', type: 'text', isKey: true },
    { name: 'Dateityp', description: 'MIME-Typ', type: 'text' },
    { name: 'Bytes', description: 'Groesse', type: { decimals: 0 } },
    { name: 'SHA256', description: 'Pruefsumme, seit der Ablage unveraendert', type: 'text' },
  ],
  linesOf: (document) =>
    document.files.map((file) => [numberOf(document), file.path, file.mimeType, String(file.sizeBytes), file.sha256]),
};

/** What an auditor gets beside the files, in the order of `index.xml`. */
export const AUDIT_TABLES: readonly AuditTable[] = [DOCUMENTS, POSITIONS, TAXES, FILES];

/**
 * Path of a document's file in the archive: by its number, with the file's id where the number had to be changed for it, or where
 * another one may differ in case only, as some systems keep but one of two such files.
 */
export function pathInArchive(number: string, media: { readonly id: string; readonly fileName: string }): string {
  const dot = media.fileName.lastIndexOf('.');
  const [stem, extension] = [media.fileName.slice(0, dot), media.fileName.slice(dot)];
  const isUnique = stem === number && number === number.toUpperCase();
  return `belege/${isUnique ? stem : `${stem}~${media.id}`}${extension}`;
}
