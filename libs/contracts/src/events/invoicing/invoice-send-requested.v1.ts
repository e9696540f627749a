import type { CustomerId, InvoiceId } from '@kontor/kernel';
import { Type } from '@sinclair/typebox';
import { defineEvent } from '../../define-event.js';
import { exampleId } from '../../example-id.js';
import { idOf } from '../../schemas.js';
import { InvoiceState, invoiceChangedV1 } from './invoice-changed.v1.js';

/** Somebody wants a finalized document to be mailed, perhaps once more. */
export const invoiceSendRequestedV1 = defineEvent({
  type: 'invoicing.invoice.send-requested.v1',
  topic: 'invoicing.invoice',
  description:
    "A finalized document is to be mailed to `recipient` with its file. Takes one number of the document's sequence.",
  schema: Type.Object({
    invoiceId: idOf<InvoiceId>(),
    customerId: idOf<CustomerId>(),
    /** Number of this request in the document's sequence: one mail each. */
    version: Type.Integer({ minimum: 1 }),
    recipient: Type.String(),
    state: InvoiceState,
    file: Type.Object({ mediaId: Type.String(), fileName: Type.String(), mimeType: Type.String() }),
  }),
  example: {
    invoiceId: exampleId(20),
    customerId: exampleId(1),
    version: 5,
    recipient: 'rechnung@example.com',
    state: invoiceChangedV1.example.state as InvoiceState,
    file: { mediaId: '01K00000000000000000000000', fileName: 'RE-2026-00001.pdf', mimeType: 'application/pdf' },
  },
});
