import type {
  EventOf,
  invoiceChangedV1,
  invoiceClosedV1,
  invoiceFinalizingV1,
  InvoiceState,
  invoiceSendRequestedV1,
  Notice,
} from '@kontor/contracts';
import { invariant } from '@kontor/kernel';
import { money, toMoneyJson } from '@kontor/money';
import type { TaxSubtotal } from '@kontor/tax';
import type { InvoiceRow } from '../db/invoice.row.js';
import type { PricedPosition } from '../domain/invoices/position.js';
import type { DunningNotice } from '../domain/dunning/dunning-document.js';
import type { InvoiceJson } from './invoice.schema.js';
import { fileOf, xmlFileOf } from './represent-invoice.js';

type Payload<D> = EventOf<D>['payload'];

/** Names of what happens to documents: webhook and activity entry alike. */
export type InvoiceNotice =
  | 'invoice.created'
  | 'invoice.updated'
  | 'invoice.removed'
  | 'invoice.pdf.generation_requested'
  | 'invoice.pdf.generation_timed_out'
  | 'invoice.finalized'
  | 'invoice.paid'
  | 'invoice.unpaid'
  | 'invoice.refunded'
  | 'invoice.canceled'
  | 'invoice.credited'
  | 'invoice.closed'
  | 'invoice.sent'
  | 'invoice.imported'
  | 'invoice.payment_method.updated'
  | 'invoice.requires_approval'
  | 'invoice.dunning.applied'
  | 'invoice.dunning.enabled'
  | 'invoice.dunning.disabled';

/** `invoicing.invoice.changed.v1` for a document as it is now. */
export const invoiceChanged = (
  invoice: InvoiceRow,
  notices: Notice[],
  deleted = false,
): Payload<typeof invoiceChangedV1> => ({
  id: invoice.id,
  version: invoice.version,
  deleted,
  state: deleted ? null : stateOf(invoice),
  notices,
});

const stateOf = (invoice: InvoiceRow): InvoiceState => ({
  id: invoice.id,
  type: invoice.type,
  number: invoice.number,
  status: invoice.status,
  customerId: invoice.customerId,
  grossAmount: toMoneyJson(money(invoice.grossMinor, invoice.currencyCode)),
  unpaidAmount: toMoneyJson(money(invoice.unpaidMinor, invoice.currencyCode)),
  dueAt: invoice.dueAt?.toISOString() ?? null,
  finalizedAt: invoice.finalizedAt?.toISOString() ?? null,
  language: invoice.language,
  mediaId: invoice.mediaId,
  mailed: invoice.mailed,
  ...(invoice.leitwegId !== null && xmlOf(invoice)),
  ...(invoice.dunning && { dunning: dunningState(invoice, invoice.dunning) }),
});

const xmlOf = (invoice: InvoiceRow): Pick<InvoiceState, 'xml'> => {
  const file = xmlFileOf(invoice);
  return file ? { xml: { mediaId: file.id, fileName: file.fileName, mimeType: file.mimeType } } : {};
};

const dunningState = ({ currencyCode }: InvoiceRow, dunning: DunningNotice): InvoiceState['dunning'] => ({
  level: dunning.level,
  invoiceNumber: dunning.invoiceNumber,
  claimAmount: { amount: dunning.claimMinor, currencyCode },
  original: dunning.original,
});

/** `invoicing.invoice.send-requested.v1`: the document is mailed with its file. */
export function invoiceSendRequested(invoice: InvoiceRow, recipient: string): Payload<typeof invoiceSendRequestedV1> {
  const file = fileOf(invoice);
  invariant(file, 'a finalized document has a file');
  return {
    invoiceId: invoice.id,
    customerId: invoice.customerId,
    version: invoice.version,
    recipient,
    state: stateOf(invoice),
    file: { mediaId: file.id, fileName: file.fileName, mimeType: file.mimeType },
  };
}

/**
 * A change of a document for webhook receivers and the activity log. `data` is GET's representation, or where it is
 * stored.
 */
export const invoiceNotice = (
  type: InvoiceNotice,
  invoice: InvoiceRow,
  data: Record<string, unknown>,
  details: Record<string, unknown> = {},
): Notice => ({
  type,
  objectId: invoice.id,
  data,
  customerId: invoice.customerId,
  activity: { metadata: { ...invoiceMetadata(invoice), ...details } },
});

/** The few words about a document that an activity entry or timeline shows. */
export const invoiceMetadata = (invoice: InvoiceRow): Record<string, unknown> => ({
  invoiceId: invoice.id,
  number: invoice.number,
  type: invoice.type,
  status: invoice.status,
  grossAmount: toMoneyJson(money(invoice.grossMinor, invoice.currencyCode)),
  unpaidAmount: toMoneyJson(money(invoice.unpaidMinor, invoice.currencyCode)),
});

/** `invoicing.invoice.finalizing.v1`: payments opens the intent. */
export function invoiceFinalizing(
  invoice: InvoiceRow,
  taxes: readonly TaxSubtotal[],
  positions: readonly TaxedPosition[],
): Payload<typeof invoiceFinalizingV1> {
  invariant(
    invoice.number !== null && invoice.finalizedAt && invoice.dueAt,
    'a finalizing document has number and dates',
  );
  return {
    invoiceId: invoice.id,
    type: invoice.type,
    number: invoice.number,
    customerId: invoice.customerId,
    grossAmount: toMoneyJson(money(invoice.grossMinor, invoice.currencyCode)),
    taxAmount: toMoneyJson(money(invoice.taxMinor, invoice.currencyCode)),
    taxes: taxRows(invoice, taxes, positions),
    finalizedAt: invoice.finalizedAt.toISOString(),
    dueAt: invoice.dueAt.toISOString(),
    paymentMethodId: invoice.paymentMethodId,
    referencedInvoiceId: invoice.referencedInvoiceId,
  };
}

/** `invoicing.invoice.closed.v1`: payments writes off what is open. `taxes` are those of the invoice's rest. */
export const invoiceClosed = (
  invoice: InvoiceRow,
  taxes: readonly TaxSubtotal[],
  positions: readonly TaxedPosition[],
): Payload<typeof invoiceClosedV1> => ({
  invoiceId: invoice.id,
  customerId: invoice.customerId,
  reason: invoice.reason,
  taxes: taxRows(invoice, taxes, positions),
});

type TaxedPosition = Pick<PricedPosition, 'taxCategory' | 'taxRate' | 'tax'>;

const taxRows = ({ currencyCode }: InvoiceRow, taxes: readonly TaxSubtotal[], positions: readonly TaxedPosition[]) =>
  taxes.map(({ category, rate, baseMinor, taxMinor }) => ({
    category,
    rate,
    ...destinationOf(positions.filter((position) => position.taxCategory === category && position.taxRate === rate)),
    netAmount: toMoneyJson(money(baseMinor, currencyCode)),
    taxAmount: toMoneyJson(money(taxMinor, currencyCode)),
  }));

/** Where all of them owe their tax in one other country; a credit of what was billed before and after a move may not. */
function destinationOf(positions: readonly TaxedPosition[]): { destination?: string } {
  const [first, ...others] = new Set(positions.map(({ tax }) => tax?.destination));
  return first === undefined || others.length > 0 ? {} : { destination: first };
}

/** The data of a notice: `{ invoice: <representation> }`. */
export const noticeData = (shown: InvoiceJson): Record<string, unknown> => ({ invoice: shown });
