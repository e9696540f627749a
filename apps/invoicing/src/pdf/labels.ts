import type { DocumentType } from '../domain/invoices/invoice.js';
import type { DocumentSnapshot } from '../domain/finalization/document-snapshot.js';
import type { Language } from './format.js';

/** Documents by which money or a claim goes back. */
export type CreditType = 'TYPE_CREDIT' | 'TYPE_REFUND' | 'TYPE_CANCEL' | 'cancelled credit';
export function creditTypeOf({ type, totals }: Pick<DocumentSnapshot, 'type' | 'totals'>): CreditType {
  if (type === 'TYPE_CANCEL' && totals.grossAmount > 0) return 'cancelled credit';
  return type === 'TYPE_REFUND' || type === 'TYPE_CANCEL' ? type : 'TYPE_CREDIT';
}

/** Every fixed word of a document in one language. */
export interface Labels {
  readonly numberOf: Readonly<Record<DocumentType, string>>;
  readonly dateOf: Readonly<Record<DocumentType, string>>;
  readonly customerNumber: string;
  readonly recipientVatId: string;
  readonly servicePeriod: string;
  readonly serviceDay: string;
  readonly subscription: string;
  readonly poNumber: string;
  readonly leitwegId: string;
  readonly buyerReference: string;
  readonly costCentre: string;
  readonly refersTo: (number: string, day: string) => string;
  readonly amountDue: string;
  readonly amountCredited: Readonly<Record<CreditType, string>>;
  readonly amountTotal: string;
  readonly dueOn: string;
  readonly debitedOn: string;
  readonly paidBy: string;
  readonly transfer: string;
  readonly sepaDebit: string;
  readonly credit: string;
  readonly nothingDue: string;
  readonly position: string;
  readonly description: string;
  readonly quantity: string;
  readonly unitPrice: string;
  readonly tax: string;
  readonly amount: string;
  readonly discount: string;
  readonly groupSum: string;
  readonly carriedTo: string;
  readonly carriedFrom: (page: number) => string;
  readonly netBeforeDiscount: string;
  readonly totalDiscount: string;
  readonly net: string;
  readonly taxOn: (rate: string, base: string) => string;
  readonly gross: string;
  readonly taxTable: string;
  readonly taxRate: string;
  readonly taxBase: string;
  readonly taxAmount: string;
  readonly taxGross: string;
  readonly exchangeRate: (source: string, rate: string, destination: string, day: string) => string;
  readonly payByTransfer: (amount: string, day: string | null) => string;
  readonly accountHolder: string;
  readonly bank: string;
  readonly remittance: string;
  readonly scan: string;
  readonly payBySepa: (amount: string, day: string | null) => string;
  readonly debtorAccount: string;
  readonly mandate: string;
  readonly creditorIdentifier: string;
  readonly payCollected: (amount: string, label: string) => string;
  readonly payCredit: Readonly<Record<CreditType, (amount: string) => string>>;
  readonly payNone: string;
  readonly claim: string;
  readonly claimAmount: string;
  readonly claimInvoice: (number: string, day: string) => string;
  readonly claimDue: (day: string) => string;
  readonly claimPaid: string;
  readonly claimEarlierFees: string;
  readonly claimTotal: string;
  readonly claimWithoutTax: string;
  readonly page: (page: number, pages: number) => string;
  readonly draft: string;
  readonly draftNumber: string;
  readonly taxNumber: string;
  readonly vatId: string;
  readonly phone: string;
  readonly smallBusiness: string;
}

const de: Labels = {
  numberOf: {
    TYPE_INVOICE: 'Rechnungsnummer',
    TYPE_CREDIT: 'Belegnummer',
    TYPE_REFUND: 'Belegnummer',
    TYPE_REMINDER: 'Belegnummer',
    TYPE_CANCEL: 'Belegnummer',
    TYPE_DUNNING: 'Belegnummer',
  },
  dateOf: {
    TYPE_INVOICE: 'Rechnungsdatum',
    TYPE_CREDIT: 'Datum',
    TYPE_REFUND: 'Datum',
    TYPE_REMINDER: 'Datum',
    TYPE_CANCEL: 'Datum',
    TYPE_DUNNING: 'Datum',
  },
  customerNumber: 'Kundennummer',
  recipientVatId: 'Ihre USt-IdNr.',
  servicePeriod: 'Leistungszeitraum',
  serviceDay: 'Leistungsdatum',
  subscription: 'Abonnement',
  poNumber: 'Ihre Bestellnummer',
  leitwegId: 'Leitweg-ID',
  buyerReference: 'Ihr Zeichen',
  costCentre: 'Kostenstelle',
  refersTo: (number, day) => `Zu Beleg ${number} vom ${day}`,
  amountDue: 'Zu zahlen',
  amountCredited: {
    TYPE_CREDIT: 'Guthaben',
    TYPE_REFUND: 'Erstattungsbetrag',
    TYPE_CANCEL: 'Stornobetrag',
    'cancelled credit': 'Stornobetrag',
  },
  amountTotal: 'Gesamtbetrag',
  dueOn: 'Fällig am',
  debitedOn: 'Abbuchung am',
  paidBy: 'Zahlungsart',
  transfer: 'Überweisung',
  sepaDebit: 'SEPA-Lastschrift',
  credit: 'Verrechnung',
  nothingDue: 'Keine Zahlung nötig',
  position: 'Pos.',
  description: 'Leistung',
  quantity: 'Menge',
  unitPrice: 'Einzelpreis',
  tax: 'USt.',
  amount: 'Netto',
  discount: 'Rabatt',
  groupSum: 'Zwischensumme',
  carriedTo: 'Übertrag',
  carriedFrom: (page) => `Übertrag von Seite ${page}`,
  netBeforeDiscount: 'Summe vor Rabatt',
  totalDiscount: 'Rabatte',
  net: 'Nettobetrag',
  taxOn: (rate, base) => `USt. ${rate} auf ${base}`,
  gross: 'Gesamtbetrag',
  taxTable: 'Umsatzsteuer',
  taxRate: 'Satz',
  taxBase: 'Netto',
  taxAmount: 'Steuer',
  taxGross: 'Brutto',
  exchangeRate: (source, rate, destination, day) =>
    `Umrechnungskurs vom ${day} (EZB): 1 ${source} = ${rate} ${destination}`,
  payByTransfer: (amount, day) => `Bitte überweisen Sie ${amount}${day ? ` bis zum ${day}` : ''} auf dieses Konto:`,
  accountHolder: 'Empfänger',
  bank: 'Bank',
  remittance: 'Verwendungszweck',
  scan: 'Mit der Banking-App scannen',
  payBySepa: (amount, day) =>
    `Wir ziehen ${amount} ${day ? `am ${day}` : 'bei Fälligkeit'} per SEPA-Lastschrift ein. Sie müssen nichts weiter tun.`,
  debtorAccount: 'Ihr Konto',
  mandate: 'Mandatsreferenz',
  creditorIdentifier: 'Gläubiger-ID',
  payCollected: (amount, label) =>
    `Wir buchen ${amount} über die hinterlegte Zahlungsart ab (${label}). Sie müssen nichts weiter tun.`,
  payCredit: {
    TYPE_CREDIT: (amount) => `Das Guthaben von ${amount} verrechnen wir mit offenen Rechnungen oder zahlen es aus.`,
    TYPE_REFUND: (amount) => `Wir zahlen Ihnen ${amount} zurück. Sie müssen nichts weiter tun.`,
    TYPE_CANCEL: () =>
      'Die stornierte Rechnung ist nicht mehr zu zahlen. Was Sie dafür schon bezahlt haben, bleibt Ihr Geld: ' +
      'Wir verrechnen es oder zahlen es zurück.',
    'cancelled credit': () =>
      'Das Guthaben aus der stornierten Rechnungskorrektur entfällt. Was damit verrechnet oder ausgezahlt war, ist wieder zu zahlen.',
  },
  payNone: 'Es ist keine Zahlung nötig.',
  claim: 'Forderung',
  claimAmount: 'Betrag',
  claimInvoice: (number, day) => `Rechnung ${number} vom ${day}`,
  claimDue: (day) => `fällig am ${day}`,
  claimPaid: 'Zahlungen und Gutschriften bis heute',
  claimEarlierFees: 'Gebühren früherer Schreiben',
  claimTotal: 'Zu zahlen',
  claimWithoutTax: 'Mahngebühren und Verzugszinsen sind Schadensersatz: Darauf fällt keine Umsatzsteuer an.',
  page: (page, pages) => `Seite ${page} von ${pages}`,
  draft: 'ENTWURF',
  draftNumber: 'Entwurf',
  taxNumber: 'Steuernr.',
  vatId: 'USt-IdNr.',
  phone: 'Tel.',
  smallBusiness: 'Gemäß § 19 UStG wird keine Umsatzsteuer berechnet.',
};

const en: Labels = {
  numberOf: {
    TYPE_INVOICE: 'Invoice number',
    TYPE_CREDIT: 'Document number',
    TYPE_REFUND: 'Document number',
    TYPE_REMINDER: 'Document number',
    TYPE_CANCEL: 'Document number',
    TYPE_DUNNING: 'Document number',
  },
  dateOf: {
    TYPE_INVOICE: 'Invoice date',
    TYPE_CREDIT: 'Date',
    TYPE_REFUND: 'Date',
    TYPE_REMINDER: 'Date',
    TYPE_CANCEL: 'Date',
    TYPE_DUNNING: 'Date',
  },
  customerNumber: 'Customer number',
  recipientVatId: 'Your VAT ID',
  servicePeriod: 'Service period',
  serviceDay: 'Service date',
  subscription: 'Subscription',
  poNumber: 'Your order number',
  leitwegId: 'Leitweg-ID',
  buyerReference: 'Your reference',
  costCentre: 'Cost centre',
  refersTo: (number, day) => `Refers to document ${number} of ${day}`,
  amountDue: 'Amount due',
  amountCredited: {
    TYPE_CREDIT: 'Your credit',
    TYPE_REFUND: 'Amount refunded',
    TYPE_CANCEL: 'Amount cancelled',
    'cancelled credit': 'Amount cancelled',
  },
  amountTotal: 'Total amount',
  dueOn: 'Due on',
  debitedOn: 'Debited on',
  paidBy: 'Payment method',
  transfer: 'Bank transfer',
  sepaDebit: 'SEPA direct debit',
  credit: 'Set off',
  nothingDue: 'No payment needed',
  position: 'No.',
  description: 'Description',
  quantity: 'Quantity',
  unitPrice: 'Unit price',
  tax: 'VAT',
  amount: 'Net',
  discount: 'Discount',
  groupSum: 'Subtotal',
  carriedTo: 'Carried forward',
  carriedFrom: (page) => `Carried forward from page ${page}`,
  netBeforeDiscount: 'Sum before discount',
  totalDiscount: 'Discounts',
  net: 'Net amount',
  taxOn: (rate, base) => `VAT ${rate} on ${base}`,
  gross: 'Total amount',
  taxTable: 'Value added tax',
  taxRate: 'Rate',
  taxBase: 'Net',
  taxAmount: 'Tax',
  taxGross: 'Gross',
  exchangeRate: (source, rate, destination, day) =>
    `Exchange rate of ${day} (ECB): 1 ${source} = ${rate} ${destination}`,
  payByTransfer: (amount, day) => `Please transfer ${amount}${day ? ` by ${day}` : ''} to this account:`,
  accountHolder: 'Payee',
  bank: 'Bank',
  remittance: 'Reference',
  scan: 'Scan with your banking app',
  payBySepa: (amount, day) =>
    `We will collect ${amount} ${day ? `on ${day}` : 'when due'} by SEPA direct debit. There is nothing else to do.`,
  debtorAccount: 'Your account',
  mandate: 'Mandate reference',
  creditorIdentifier: 'Creditor identifier',
  payCollected: (amount, label) =>
    `We will charge ${amount} to your stored payment method (${label}). There is nothing else to do.`,
  payCredit: {
    TYPE_CREDIT: (amount) => `Your credit of ${amount} will be set off against open invoices or paid out.`,
    TYPE_REFUND: (amount) => `We pay ${amount} back to you. There is nothing else to do.`,
    TYPE_CANCEL: () =>
      'The cancelled invoice need not be paid any more. What you have already paid for it remains yours: ' +
      'it will be set off or paid back.',
    'cancelled credit': () =>
      'The credit of the cancelled credit note does not stand any more. What it had paid, or was paid out of it, is owed again.',
  },
  payNone: 'No payment is needed.',
  claim: 'Claim',
  claimAmount: 'Amount',
  claimInvoice: (number, day) => `Invoice ${number} of ${day}`,
  claimDue: (day) => `due on ${day}`,
  claimPaid: 'Payments and credits to date',
  claimEarlierFees: 'Fees of earlier letters',
  claimTotal: 'Amount due',
  claimWithoutTax: 'Dunning fees and default interest are damages: no VAT is charged on them.',
  page: (page, pages) => `Page ${page} of ${pages}`,
  draft: 'DRAFT',
  draftNumber: 'Draft',
  taxNumber: 'Tax number',
  vatId: 'VAT ID',
  phone: 'Tel.',
  smallBusiness: 'No VAT is charged: small business, section 19 of the German VAT Act (UStG).',
};

export const LABELS: Readonly<Record<Language, Labels>> = { de, en };
