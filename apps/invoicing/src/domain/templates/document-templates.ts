import type { DocumentType } from '../invoices/invoice.js';

export const DOCUMENT_KINDS = ['invoice', 'credit', 'refund', 'cancel', 'reminder', 'dunning'] as const;
export type DocumentKind = (typeof DOCUMENT_KINDS)[number];
export const LANGUAGES = ['de', 'en'] as const;
export type Language = (typeof LANGUAGES)[number];

/** The texts of a document, as Liquid. */
export interface DocumentTemplate {
  readonly title: string;
  readonly introduction: string | null;
  readonly closing: string | null;
}

export const kindOf = (type: DocumentType): DocumentKind => type.slice('TYPE_'.length).toLowerCase() as DocumentKind;

const ENDED = {
  de: 'Haben Sie inzwischen bezahlt? Dann betrachten Sie dieses Schreiben bitte als gegenstandslos.',
  en: 'If you have paid in the meantime, please disregard this letter.',
};

/** The cancellation of a credit note; a tenant's own texts are those of any cancellation. */
export const CANCELLED_CREDIT: Readonly<Record<Language, DocumentTemplate>> = {
  de: {
    title: 'Storno',
    introduction: 'Hiermit stornieren wir die oben genannte Rechnungskorrektur wie folgt:',
    closing: null,
  },
  en: {
    title: 'Cancellation',
    introduction: 'We hereby cancel the credit note named above as follows:',
    closing: null,
  },
};

/**
 * What holds while a tenant has written nothing. Never "Gutschrift": in German tax law that is a document issued by the
 * recipient (§ 14 (2) sentence 2 UStG).
 */
export const DEFAULT_TEMPLATES: Readonly<Record<DocumentKind, Readonly<Record<Language, DocumentTemplate>>>> = {
  invoice: {
    de: {
      title: 'Rechnung',
      introduction: 'Für unsere Leistungen erlauben wir uns zu berechnen:',
      closing: 'Vielen Dank für Ihr Vertrauen.',
    },
    en: {
      title: 'Invoice',
      introduction: 'We charge for our services as follows:',
      closing: 'Thank you for your business.',
    },
  },
  credit: {
    de: { title: 'Rechnungskorrektur', introduction: 'Wir erstatten Ihnen wie folgt:', closing: null },
    en: { title: 'Credit note', introduction: 'We credit you as follows:', closing: null },
  },
  refund: {
    de: { title: 'Erstattung', introduction: 'Wir erstatten Ihnen wie folgt:', closing: null },
    en: { title: 'Refund', introduction: 'We refund you as follows:', closing: null },
  },
  cancel: {
    de: {
      title: 'Stornorechnung',
      introduction: 'Hiermit stornieren wir die oben genannte Rechnung wie folgt:',
      closing: null,
    },
    en: {
      title: 'Cancellation invoice',
      introduction: 'We hereby cancel the invoice named above as follows:',
      closing: null,
    },
  },
  reminder: {
    de: {
      title: 'Zahlungserinnerung',
      introduction:
        'Unsere Rechnung {{ referencedInvoice.number }} war am {{ referencedInvoice.dueDate }} fällig und ist noch nicht ' +
        'vollständig bezahlt. Sicher haben Sie das nur übersehen. Bitte überweisen Sie {{ totalGrossAmount }} bis zum {{ dueDate }}.',
      closing: ENDED.de,
    },
    en: {
      title: 'Payment reminder',
      introduction:
        'Our invoice {{ referencedInvoice.number }} was due on {{ referencedInvoice.dueDate }} and has not been paid in full. ' +
        'No doubt it slipped your attention. Please transfer {{ totalGrossAmount }} by {{ dueDate }}.',
      closing: ENDED.en,
    },
  },
  dunning: {
    de: {
      title: '{% if dunning.letter > 1 %}{{ dunning.letter }}. {% endif %}Mahnung',
      introduction:
        'Trotz Fälligkeit am {{ referencedInvoice.dueDate }} ist unsere Rechnung {{ referencedInvoice.number }} noch nicht ' +
        'vollständig bezahlt. Bitte überweisen Sie den offenen Betrag von {{ totalGrossAmount }} bis zum {{ dueDate }}.',
      closing: ENDED.de,
    },
    en: {
      title: 'Dunning letter{% if dunning.letter > 1 %} no. {{ dunning.letter }}{% endif %}',
      introduction:
        'Although it was due on {{ referencedInvoice.dueDate }}, our invoice {{ referencedInvoice.number }} has not been paid ' +
        'in full. Please transfer the open amount of {{ totalGrossAmount }} by {{ dueDate }}.',
      closing: ENDED.en,
    },
  },
};
