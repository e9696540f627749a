import type { CustomerState, InvoiceState } from '@kontor/contracts';
import { amountText, dayText, greetingOf, languageOf, type MailLanguage, type MailSeller } from '../mails/wording.js';

/** What the templates may use, all of it text ready to be read. */
export interface InvoiceMailModel {
  readonly language: MailLanguage;
  /** Which words fit. */
  readonly kind: 'invoice' | 'credit' | 'cancel' | 'cancelled_credit' | 'refund' | 'reminder' | 'dunning';
  readonly number: string;
  /** Of the invoice that a reminder or dunning letter is about. */
  readonly invoiceNumber: string;
  /** What is to be paid of an invoice or a reminder, while something is; else what the document comes to. */
  readonly amount: string;
  /** The same, as the tenant's own templates call it. */
  readonly totalGrossAmount: string;
  /** What of an invoice is not to be paid any more, where that is a part of it; else empty. */
  readonly settledAmount: string;
  readonly referencedInvoiceTotalGrossAmount: string;
  readonly referencedInvoice: { readonly number: string };
  /** Null when nothing is to be paid. */
  readonly dueDate: string | null;
  readonly paid: boolean;
  /** It was cancelled or given up, and nothing of it is to be paid. */
  readonly ended: boolean;
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

const ENDED: ReadonlySet<string> = new Set(['STATUS_CANCELLED', 'STATUS_CLOSED']);

function kindOf({ type, grossAmount }: InvoiceState): InvoiceMailModel['kind'] {
  // Of a credit note: its money is owed again, where a cancelled invoice need not be paid.
  if (type === 'TYPE_CANCEL' && grossAmount.amount > 0) return 'cancelled_credit';
  return KINDS[type] ?? (grossAmount.amount < 0 ? 'credit' : 'invoice');
}

export function invoiceMailModel(
  invoice: InvoiceState,
  customer: CustomerState,
  seller: MailSeller | undefined,
): InvoiceMailModel {
  const language = languageOf(invoice.language);
  const credit = invoice.grossAmount.amount < 0;
  const { dunning } = invoice;
  const open = Boolean(dunning) || (!credit && invoice.unpaidAmount.amount > 0);
  const kind = kindOf(invoice);
  const gross = dunning?.claimAmount ?? { ...invoice.grossAmount, amount: Math.abs(invoice.grossAmount.amount) };
  const due = open && kind === 'invoice' ? invoice.unpaidAmount : gross;
  const settled = gross.amount - due.amount;
  return {
    language,
    kind,
    number: invoice.number ?? '',
    invoiceNumber: dunning?.invoiceNumber ?? '',
    amount: amountText(due, language),
    totalGrossAmount: amountText(due, language),
    settledAmount: settled > 0 ? amountText({ ...gross, amount: settled }, language) : '',
    referencedInvoiceTotalGrossAmount: dunning ? amountText(dunning.claimAmount, language) : '',
    referencedInvoice: { number: dunning?.invoiceNumber ?? '' },
    dueDate: open && invoice.dueAt ? dayText(invoice.dueAt, language, customer.timeZone) : null,
    paid: !credit && !open,
    ended: !open && ENDED.has(invoice.status),
    greeting: greetingOf(customer, language),
    seller: seller?.company ?? '',
    contactEmail: seller?.contact?.email ?? null,
    contactPhone: seller?.contact?.phone ?? null,
  };
}
