import type { CustomerState, InvoiceState } from '@kontor/contracts';
import { amountText, dayText, greetingOf, languageOf, type MailLanguage, type MailSeller } from '../mails/wording.js';

/** What the templates may use, all of it text ready to be read. */
export interface InvoiceMailModel {
  readonly language: MailLanguage;
  /** Which words fit. */
  readonly kind: 'invoice' | 'credit' | 'cancel' | 'refund' | 'reminder' | 'dunning';
  readonly number: string;
  /** Of the invoice that a reminder or dunning letter is about. */
  readonly invoiceNumber: string;
  readonly amount: string;
  /** What is to be paid, of a reminder with its fees: as the tenant's own templates call it. */
  readonly totalGrossAmount: string;
  readonly referencedInvoiceTotalGrossAmount: string;
  readonly referencedInvoice: { readonly number: string };
  /** Null when nothing is to be paid. */
  readonly dueDate: string | null;
  readonly paid: boolean;
  readonly greeting: string;
  readonly seller: string;
  readonly contactEmail: string | null;
  readonly contactPhone: string | null;
}

const KINDS: Readonly<Record<string, InvoiceMailModel['kind']>> = {
  TYPE_CANCEL: 'cancel',
  TYPE_REFUND: 'refund',
  TYPE_REMINDER: 'reminder',
  TYPE_DUNNING: 'dunning',
};

export function invoiceMailModel(
  invoice: InvoiceState,
  customer: CustomerState,
  seller: MailSeller | undefined,
): InvoiceMailModel {
  const language = languageOf(invoice.language);
  const credit = invoice.grossAmount.amount < 0;
  const { dunning } = invoice;
  const open = Boolean(dunning) || (!credit && invoice.unpaidAmount.amount > 0);
  const gross = dunning?.claimAmount ?? { ...invoice.grossAmount, amount: Math.abs(invoice.grossAmount.amount) };
  return {
    language,
    kind: KINDS[invoice.type] ?? (credit ? 'credit' : 'invoice'),
    number: invoice.number ?? '',
    invoiceNumber: dunning?.invoiceNumber ?? '',
    amount: amountText(gross, language),
    totalGrossAmount: amountText(gross, language),
    referencedInvoiceTotalGrossAmount: dunning ? amountText(dunning.claimAmount, language) : '',
    referencedInvoice: { number: dunning?.invoiceNumber ?? '' },
    dueDate: open && invoice.dueAt ? dayText(invoice.dueAt, language, customer.timeZone) : null,
    paid: !credit && !open,
    greeting: greetingOf(customer, language),
    seller: seller?.company ?? '',
    contactEmail: seller?.contact?.email ?? null,
    contactPhone: seller?.contact?.phone ?? null,
  };
}
