import type { CustomerId, InvoiceId } from '@kontor/kernel';
import { type Static, Type } from '@sinclair/typebox';
import { defineEvent } from '../../define-event.js';
import { exampleId } from '../../example-id.js';
import { idOf, InstantText, MoneySchema, nullable, NullableText, stateOf } from '../../schemas.js';

const MailedFile = Type.Object({ mediaId: Type.String(), fileName: Type.String(), mimeType: Type.String() });

export const InvoiceState = Type.Object({
  id: idOf<InvoiceId>(),
  type: Type.String(),
  number: NullableText,
  status: Type.String(),
  customerId: idOf<CustomerId>(),
  grossAmount: MoneySchema,
  unpaidAmount: MoneySchema,
  dueAt: nullable(InstantText),
  finalizedAt: nullable(InstantText),
  language: Type.String(),
  /** ULID of the PDF, once finalized. */
  mediaId: NullableText,
  /** False: the customer gets no mail with it. */
  mailed: Type.Optional(Type.Boolean()),
  /** Of an XRechnung: the XML, which its recipient reads instead of the PDF. */
  xml: Type.Optional(MailedFile),
  /** Of a reminder or dunning letter: what is claimed, and for which invoice. */
  dunning: Type.Optional(
    nullable(
      Type.Object({
        level: Type.Integer({ minimum: 1 }),
        invoiceNumber: Type.String(),
        /** Open amount and fees. */
        claimAmount: MoneySchema,
        /** The invoice's file, where it goes with the mail. */
        original: nullable(MailedFile),
      }),
    ),
  ),
});
export type InvoiceState = Static<typeof InvoiceState>;

export const invoiceChangedV1 = defineEvent({
  type: 'invoicing.invoice.changed.v1',
  topic: 'invoicing.invoice',
  description: 'A document was created, changed, finalized, paid, reopened or removed; the notices say which.',
  schema: stateOf(InvoiceState),
  example: {
    id: exampleId(20),
    version: 3,
    deleted: false,
    state: {
      id: exampleId(20),
      type: 'TYPE_INVOICE',
      number: 'RE-2026-00001',
      status: 'STATUS_UNPAID',
      customerId: exampleId(1),
      grossAmount: { amount: 11900, currencyCode: 'EUR' },
      unpaidAmount: { amount: 11900, currencyCode: 'EUR' },
      dueAt: '2026-03-14T22:59:59.999Z',
      finalizedAt: '2026-02-28T02:00:00.000Z',
      language: 'de',
      mediaId: '01K00000000000000000000000',
    },
    notices: [],
  },
});
