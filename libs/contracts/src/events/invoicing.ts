import { Type } from '@sinclair/typebox';
import { defineEvent, InstantText, MoneySchema, nullable, stateOf, type Static, Text, UnitPriceSchema } from '../define-event.js';
import { UsageSource } from './billing.js';

const id = (n: number): string => `0199f000-0000-7000-8000-${String(n).padStart(12, '0')}`;

/** Answer to one batch of charges: its document, or why it stays a draft. */
export const chargesSettledV1 = defineEvent({
  type: 'invoicing.charges.settled.v1',
  topic: 'invoicing.invoice',
  description: 'A batch of charges has its document, or is blocked with a reason.',
  schema: Type.Object({
    batchId: Type.String(),
    runId: Text,
    /** Null when no document is made (total zero without createZeroInvoices). */
    invoiceId: Text,
    /** `seller_data_incomplete`, `invoice_address_incomplete`, `exchange_rate_missing`, … */
    blockedReason: Text,
    subscriptionIds: Type.Array(Type.String()),
  }),
  example: { batchId: id(5), runId: id(6), invoiceId: id(20), blockedReason: null, subscriptionIds: [id(4)] },
});

/** What the public page about a document's usage shows, frozen with the document. */
export const UsageBreakdown = Type.Object({
  /** SHA-256 (hex) of the token in `usageBreakdownUrl`. */
  tokenHash: Type.String(),
  /** `de` or `en`. */
  language: Type.String(),
  /** The customer's: days of the page are days there. */
  timeZone: Type.String(),
  sellerName: Text,
  sellerEmail: Text,
  customerName: Text,
  /** Positions that bill usage, in the order of the document. */
  positions: Type.Array(
    Type.Object({
      id: Type.String(),
      name: Type.String(),
      /** The price in words: slices, free units. */
      description: Text,
      quantity: Type.String(),
      unitName: Text,
      unitPrice: UnitPriceSchema,
      /** After discount, in the document's currency. */
      netAmount: MoneySchema,
      usage: UsageSource,
    }),
  ),
  /** Positions of a very long document that are on it only. */
  omittedPositions: Type.Integer({ minimum: 0 }),
});
export type UsageBreakdown = Static<typeof UsageBreakdown>;

/** A document has its number and asks payments for its intent. */
export const invoiceFinalizingV1 = defineEvent({
  type: 'invoicing.invoice.finalizing.v1',
  topic: 'invoicing.invoice',
  description: 'A document has its number, snapshot and total; payments opens its intent and books the receivable.',
  schema: Type.Object({
    invoiceId: Type.String(),
    type: Type.String(),
    number: Type.String(),
    customerId: Type.String(),
    /** Negative for TYPE_CREDIT and TYPE_REFUND. Never zero. */
    grossAmount: MoneySchema,
    taxAmount: MoneySchema,
    /** What of it is charged under each VAT category (EN 16931) and rate (per cent), in the document's order; signs as of the whole. */
    taxes: Type.Optional(
      Type.Array(Type.Object({ category: Type.String(), rate: Type.String(), netAmount: MoneySchema, taxAmount: MoneySchema })),
    ),
    finalizedAt: InstantText,
    dueAt: InstantText,
    paymentMethodId: Text,
    referencedInvoiceId: Text,
    /** Only for a document that has a page about its usage. */
    usageBreakdown: Type.Optional(nullable(UsageBreakdown)),
  }),
  example: {
    invoiceId: id(20), type: 'TYPE_INVOICE', number: 'RE-2026-00001', customerId: id(1), grossAmount: { amount: 11900, currencyCode: 'EUR' },
    taxAmount: { amount: 1900, currencyCode: 'EUR' },
    taxes: [{ category: 'S', rate: '19', netAmount: { amount: 10000, currencyCode: 'EUR' }, taxAmount: { amount: 1900, currencyCode: 'EUR' } }],
    finalizedAt: '2026-02-28T02:00:00.000Z', dueAt: '2026-03-14T22:59:59.999Z', paymentMethodId: null,
    referencedInvoiceId: null,
  }, // prettier-ignore
});

export const invoicePaymentMethodChosenV1 = defineEvent({
  type: 'invoicing.invoice.payment-method-chosen.v1',
  topic: 'invoicing.invoice',
  description:
    "Another method was named to settle an unpaid document; null: its customer's default. Takes one number of the document's sequence.",
  schema: Type.Object({ invoiceId: Type.String(), customerId: Type.String(), paymentMethodId: Text }),
  example: { invoiceId: id(20), customerId: id(1), paymentMethodId: id(40) },
});

export const InvoiceState = Type.Object({
  id: Type.String(),
  type: Type.String(),
  number: Text,
  status: Type.String(),
  customerId: Type.String(),
  grossAmount: MoneySchema,
  unpaidAmount: MoneySchema,
  dueAt: nullable(InstantText),
  finalizedAt: nullable(InstantText),
  language: Type.String(),
  /** ULID of the PDF, once finalized. */
  mediaId: Text,
});
export type InvoiceState = Static<typeof InvoiceState>;

export const invoiceChangedV1 = defineEvent({
  type: 'invoicing.invoice.changed.v1',
  topic: 'invoicing.invoice',
  description: 'A document was created, changed, finalized, paid, reopened or removed; the notices say which.',
  schema: stateOf(InvoiceState),
  example: {
    id: id(20),
    version: 3,
    deleted: false,
    state: {
      id: id(20), type: 'TYPE_INVOICE', number: 'RE-2026-00001', status: 'STATUS_UNPAID', customerId: id(1), grossAmount: { amount: 11900, currencyCode: 'EUR' },
      unpaidAmount: { amount: 11900, currencyCode: 'EUR' }, dueAt: '2026-03-14T22:59:59.999Z', finalizedAt: '2026-02-28T02:00:00.000Z', language: 'de',
      mediaId: '01K00000000000000000000000',
    }, // prettier-ignore
    notices: [],
  },
});

export const mediaReadyV1 = defineEvent({
  type: 'invoicing.media.ready.v1',
  topic: 'invoicing.media',
  description: "A finalized document's file exists and can be fetched.",
  schema: Type.Object({
    mediaId: Type.String(),
    invoiceId: Type.String(),
    customerId: Type.String(),
    fileName: Type.String(),
    mimeType: Type.String(),
  }),
  example: {
    mediaId: '01K00000000000000000000000',
    invoiceId: id(20),
    customerId: id(1),
    fileName: 'RE-2026-00001.pdf',
    mimeType: 'application/pdf',
  },
});
