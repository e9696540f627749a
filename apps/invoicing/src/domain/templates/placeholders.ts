import { DOCUMENT_KINDS, type DocumentKind, type Language, LANGUAGES } from './document-templates.js';

export const MAIL_KINDS = [
  'mail.invoice',
  'mail.reminder',
  'mail.dunning',
  'mail.login_link',
  'mail.offer',
  'mail.offer_reminder',
  'mail.order_confirmation',
  'mail.cancellation_confirmation',
  'mail.top_up_disabled',
] as const;
export type MailKind = (typeof MAIL_KINDS)[number];
export type TemplateKind = DocumentKind | MailKind;
export const TEMPLATE_KINDS: readonly TemplateKind[] = [...DOCUMENT_KINDS, ...MAIL_KINDS];

export const isMailKind = (kind: TemplateKind): kind is MailKind => kind.startsWith('mail.');
export const isTemplateKind = (kind: string): kind is TemplateKind => TEMPLATE_KINDS.some((known) => known === kind);
export const isLanguage = (language: string): language is Language => LANGUAGES.some((known) => known === language);

/** Something that a template can name. */
export interface Placeholder {
  readonly name: string;
  readonly kinds: readonly TemplateKind[];
  readonly description: string;
  readonly example: string;
}

const REMINDING = ['reminder', 'dunning'] as const;
const DOCUMENTS = [...DOCUMENT_KINDS];
const REMINDING_MAILS = ['mail.reminder', 'mail.dunning'] as const;
const DOCUMENT_MAILS = ['mail.invoice', ...REMINDING_MAILS] as const;
const OFFER_MAILS = ['mail.offer', 'mail.offer_reminder'] as const;
const ABOUT_OTHERS = ['credit', 'refund', 'cancel', ...REMINDING] as const;

const of = (
  kinds: readonly TemplateKind[],
  values: Readonly<Record<string, readonly [string, string]>>,
): Placeholder[] =>
  Object.entries(values).map(([name, [description, example]]) => ({ name, kinds, description, example }));

/** Every placeholder, each with an example. A name that ends in `.*` stands for any key below it. */
export const PLACEHOLDERS: readonly Placeholder[] = [
  ...of([...DOCUMENTS, ...DOCUMENT_MAILS], {
    number: ['Number of the document', 'RE-2026-00001'],
    dueDate: ['Last day for the payment; empty where there is none', '14.03.2026'],
    totalGrossAmount: ['What is to be paid; of a reminder what is still open, with the fees', '119,00 €'],
  }),
  ...of(['mail.invoice'], {
    kind: [
      'What the mail brings: `invoice`, `credit`, `refund`, `cancel`, or `cancelled_credit`: only an invoice is to be paid',
      'invoice',
    ],
  }),
  ...of(DOCUMENTS, {
    date: ['Day of the document', '28.02.2026'],
    currencyCode: ['Currency of the document', 'EUR'],
    totalNetAmount: ['Net total', '100,00 €'],
    totalTaxAmount: ['Tax', '19,00 €'],
    serviceDateFrom: ['First day of service', '01.02.2026'],
    serviceDateTo: ['Last day of service', '28.02.2026'],
    'customFields.*': ['A custom field of the invoice', 'Kostenstelle 12'],
    'customer.number': ['Customer number', 'K-10001'],
    'customer.name': ['First line of the address', 'Backhaus Elbe GmbH'],
    'customer.companyName': ['Company', 'Backhaus Elbe GmbH'],
    'customer.personName': ['Person', 'Anna Bäcker'],
    'seller.company': ['Your company', 'Nordlicht Software GmbH'],
    'seller.contactName': ['Your contact', 'Buchhaltung'],
    'seller.email': ["Your contact's address", 'rechnung@nordlicht.example'],
    'seller.phone': ["Your contact's phone", '+49 40 1234567'],
    'subscription.name': ['Subscriptions on the document, with commas', 'Team'],
    'subscription.number': ['Their numbers', 'S-10001'],
    'subscription.poNumber': ['Their order numbers', 'PO-77120'],
    'subscription.customFields.*': ['A custom field of the subscriptions', 'Filiale 3'],
  }),
  ...of([...ABOUT_OTHERS, ...REMINDING_MAILS], {
    'referencedInvoice.number': ['The invoice that the document is about', 'RE-2026-00001'],
  }),
  ...of(ABOUT_OTHERS, { 'referencedInvoice.date': ['Its day', '28.02.2026'] }),
  ...of(REMINDING, {
    'referencedInvoice.dueDate': ['When it was due', '14.03.2026'],
    'referencedInvoice.grossAmount': ['What it came to', '119,00 €'],
    'dunning.level': ['Level of the document', '2'],
    'dunning.letter': ['Which dunning letter it is, reminders not counted', '1'],
    'dunning.openAmount': ['What is open of the invoice', '70,00 €'],
    'dunning.fees': ['All fees that are open', '5,00 €'],
  }),
  ...of([...REMINDING, ...REMINDING_MAILS], {
    referencedInvoiceTotalGrossAmount: ['What is still open of the invoice, with the fees', '75,00 €'],
  }),
  ...of(MAIL_KINDS, {
    greeting: ['Salutation', 'Guten Tag Anna Bäcker,'],
    seller: ['Your company', 'Nordlicht Software GmbH'],
    contactPhone: ["Your contact's phone", '+49 40 1234567'],
  }),
  ...of(['mail.login_link', ...OFFER_MAILS, 'mail.order_confirmation'], {
    link: [
      'Where the mail leads; to log in as one of several customers a line for each, with the name',
      'https://example.com/…',
    ],
  }),
  ...of(['mail.login_link', ...OFFER_MAILS], { validUntil: ['Until when', '14. März 2026'] }),
  ...of(OFFER_MAILS, {
    number: ['Number of the offer', 'AN-2026-00001'],
    name: ['Its name; empty where it has none', 'Team'],
    contactName: ['Whom the buyer can ask; empty where nobody is named', 'Jo Brandt'],
    contactEmail: ['Their address', 'jo.brandt@nordlicht.example'],
  }),
  ...of(['mail.cancellation_confirmation'], {
    name: ['Name of the subscription', 'Team'],
    number: ['Its number', 'S-10001'],
    cancelledOn: ['When it was cancelled', '28. Februar 2026'],
    endsOn: ['Its last day', '31. März 2026'],
  }),
  ...of(['mail.top_up_disabled'], {
    currencyCode: ['Currency of the wallet', 'EUR'],
    failures: ['Failed attempts', '5'],
    reason: ['Why the last one failed', 'insufficient funds'],
  }),
];

/** Whether a template of a kind may name it: the placeholder itself, or an object of several. */
export function isPlaceholder(kind: TemplateKind, name: string): boolean {
  return PLACEHOLDERS.some(
    (known) =>
      known.kinds.includes(kind) &&
      (known.name === name ||
        known.name.startsWith(`${name}.`) ||
        (known.name.endsWith('.*') && name.startsWith(known.name.slice(0, -1)))),
  );
}
