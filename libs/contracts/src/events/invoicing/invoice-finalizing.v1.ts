import type { CustomerId, InvoiceId, PaymentMethodId } from '@kontor/kernel';
import { type Static, Type } from '@sinclair/typebox';
import { defineEvent } from '../../define-event.js';
import { exampleId } from '../../example-id.js';
import { idOf, InstantText, MoneySchema, nullable, NullableText, UnitPriceSchema } from '../../schemas.js';
import { UsageSource } from '../billing/charges-due.v1.js';
import { ChargedTax } from './charged-tax.js';

/** What the public page about a document's usage shows, frozen with the document. */
export const UsageBreakdown = Type.Object({
  /** SHA-256 (hex) of the token in `usageBreakdownUrl`. */
  tokenHash: Type.String(),
  /** `de` or `en`. */
  language: Type.String(),
  /** The customer's: days of the page are days there. */
  timeZone: Type.String(),
  sellerName: NullableText,
  sellerEmail: NullableText,
  customerName: NullableText,
  /** Positions that bill usage, in the order of the document. */
  positions: Type.Array(
    Type.Object({
      id: Type.String(),
      name: Type.String(),
      /** The price in words: slices, free units. */
      description: NullableText,
      quantity: Type.String(),
      unitName: NullableText,
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
    invoiceId: idOf<InvoiceId>(),
    type: Type.String(),
    number: Type.String(),
    customerId: idOf<CustomerId>(),
    /** Negative for TYPE_CREDIT, TYPE_REFUND and, unless it cancels a credit note, TYPE_CANCEL. Never zero. */
    grossAmount: MoneySchema,
    taxAmount: MoneySchema,
    /** What of it is charged under each VAT category (EN 16931) and rate (per cent), in the document's order; signs as of the whole. */
    taxes: Type.Optional(Type.Array(ChargedTax)),
    finalizedAt: InstantText,
    dueAt: InstantText,
    paymentMethodId: nullable(idOf<PaymentMethodId>()),
    referencedInvoiceId: nullable(idOf<InvoiceId>()),
    /**
     * For a cancellation or credit note: what becomes of money that was paid for what it takes back (`wallet`, `refund`,
     * `none`); null: credit where there is a wallet, else it stays owed to the customer.
     */
    disposition: Type.Optional(NullableText),
    /** True for a credit that nobody asked for, as of unused time: it lowers the customer's open invoices, oldest due first. */
    automatic: Type.Optional(Type.Boolean()),
    /** True: another system issued it and has its revenue in its books; it is not collected by itself. */
    imported: Type.Optional(Type.Boolean()),
    /** Only for a document that has a page about its usage. */
    usageBreakdown: Type.Optional(nullable(UsageBreakdown)),
  }),
  example: {
    invoiceId: exampleId(20),
    type: 'TYPE_INVOICE',
    number: 'RE-2026-00001',
    customerId: exampleId(1),
    grossAmount: { amount: 11900, currencyCode: 'EUR' },
    taxAmount: { amount: 1900, currencyCode: 'EUR' },
    taxes: [
      {
        category: 'S',
        rate: '19',
        netAmount: { amount: 10000, currencyCode: 'EUR' },
        taxAmount: { amount: 1900, currencyCode: 'EUR' },
      },
    ],
    finalizedAt: '2026-02-28T02:00:00.000Z',
    dueAt: '2026-03-14T22:59:59.999Z',
    paymentMethodId: null,
    referencedInvoiceId: null,
  },
});
