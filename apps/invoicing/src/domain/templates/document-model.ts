import type { DocumentSnapshot } from '../finalization/document-snapshot.js';
import type { Invoice } from '../invoices/invoice.js';
import type { SubscriptionReference } from '../invoices/position.js';

/** What a template's placeholders stand for: text that is ready to be read. */
export type TemplateModel = Readonly<Record<string, unknown>>;

/** How amounts and days are written. */
export interface Writing {
  readonly amount: (minor: number) => string;
  readonly day: (day: string) => string;
}

export interface ModelParts {
  readonly invoice: Pick<Invoice, 'customFields'>;
  /** As the document's file would be, but for its texts. */
  readonly snapshot: Omit<DocumentSnapshot, 'texts'>;
  readonly subscriptions: readonly SubscriptionReference[];
}

/**
 * The values of a document's placeholders. Where a document claims what is open of another, `totalGrossAmount` is that with the
 * fees, not what the invoice came to.
 * @see docs/rules/dunning.md#placeholders
 */
export function documentModel(parts: ModelParts, { amount, day }: Writing): TemplateModel {
  const { snapshot, invoice } = parts;
  const { recipient, seller, totals, claim, servicePeriod, referencedDocument } = snapshot;
  const days = (text: string | null | undefined): string => (text ? day(text) : '');
  const total = claim ? claim.claimAmount : totals.grossAmount;
  return {
    number: snapshot.number ?? '',
    date: day(snapshot.issueDate),
    dueDate: days(snapshot.dueDate),
    currencyCode: snapshot.currencyCode,
    totalGrossAmount: amount(total),
    totalNetAmount: amount(totals.netAmount),
    totalTaxAmount: amount(totals.taxAmount),
    serviceDateFrom: days(servicePeriod?.from),
    serviceDateTo: days(servicePeriod?.to),
    customFields: invoice.customFields ?? {},
    customer: {
      number: recipient.customerNumber,
      name: recipient.nameLines[0] ?? '',
      companyName: recipient.companyName ?? '',
      personName: recipient.personName ?? '',
    },
    seller: {
      company: seller.companyName,
      contactName: seller.contact.name ?? '',
      email: seller.contact.email ?? '',
      phone: seller.contact.phone ?? '',
    },
    subscription: subscriptionModel(parts.subscriptions),
    referencedInvoice: {
      number: claim?.invoiceNumber ?? referencedDocument?.number ?? '',
      date: days(claim?.invoiceDate ?? referencedDocument?.issueDate),
      dueDate: days(claim?.invoiceDueDate),
      grossAmount: claim ? amount(claim.invoiceGrossAmount) : '',
    },
    referencedInvoiceTotalGrossAmount: claim ? amount(claim.claimAmount) : '',
    dunning: claim
      ? {
          level: claim.level,
          letter: claim.letter,
          openAmount: amount(claim.openAmount),
          fees: amount(claim.claimAmount - claim.openAmount),
        }
      : {},
  };
}

/** Of several subscriptions the values, joined by commas. */
export function subscriptionModel(subscriptions: readonly SubscriptionReference[]): TemplateModel {
  const joined = (pick: (subscription: SubscriptionReference) => string | null | undefined): string =>
    [...new Set(subscriptions.map(pick).filter(Boolean))].join(', ');
  const keys = new Set(subscriptions.flatMap(({ customFields }) => Object.keys(customFields ?? {})));
  return {
    name: joined((subscription) => subscription.name),
    number: joined((subscription) => subscription.number),
    poNumber: joined((subscription) => subscription.poNumber),
    customFields: Object.fromEntries([...keys].map((key) => [key, joined(({ customFields }) => customFields?.[key])])),
  };
}
