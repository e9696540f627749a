import type { DocumentType } from './invoice.js';

export interface DocumentTexts {
  readonly title: string;
  readonly introduction: string | null;
  readonly closing: string | null;
}

type Language = 'de' | 'en';

/** Never "Gutschrift": in German tax law that is a document issued by the recipient (§ 14 (2) sentence 2 UStG). */
const TITLES: Readonly<Record<DocumentType, Readonly<Record<Language, string>>>> = {
  TYPE_INVOICE: { de: 'Rechnung', en: 'Invoice' },
  TYPE_CREDIT: { de: 'Rechnungskorrektur', en: 'Credit note' },
  TYPE_REFUND: { de: 'Erstattung', en: 'Refund' },
  TYPE_REMINDER: { de: 'Zahlungserinnerung', en: 'Payment reminder' },
  TYPE_CANCEL: { de: 'Stornorechnung', en: 'Cancellation invoice' },
  TYPE_DUNNING: { de: 'Mahnung', en: 'Dunning letter' },
};

const INTRODUCTIONS: Readonly<Partial<Record<DocumentType, Readonly<Record<Language, string>>>>> = {
  TYPE_INVOICE: {
    de: 'Für unsere Leistungen erlauben wir uns zu berechnen:',
    en: 'We charge for our services as follows:',
  },
  TYPE_CANCEL: {
    de: 'Hiermit stornieren wir die oben genannte Rechnung wie folgt:',
    en: 'We hereby cancel the invoice named above as follows:',
  },
  TYPE_REFUND: { de: 'Wir erstatten Ihnen wie folgt:', en: 'We refund you as follows:' },
  TYPE_CREDIT: { de: 'Wir erstatten Ihnen wie folgt:', en: 'We credit you as follows:' },
};

const CLOSINGS: Readonly<Partial<Record<DocumentType, Readonly<Record<Language, string>>>>> = {
  TYPE_INVOICE: { de: 'Vielen Dank für Ihr Vertrauen.', en: 'Thank you for your business.' },
};

/** Title, introduction and closing of a document in its language. */
export const documentTexts = (type: DocumentType, language: Language): DocumentTexts => ({
  title: TITLES[type][language],
  introduction: INTRODUCTIONS[type]?.[language] ?? null,
  closing: CLOSINGS[type]?.[language] ?? null,
});

/** File name of a document: its number with everything but letters, digits, `.`, `_` and `-` replaced. */
export const fileNameOf = (number: string, extension = 'pdf'): string =>
  `${number.replace(/[^\p{L}\p{N}._-]+/gu, '-')}.${extension}`;
