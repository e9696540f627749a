import type { CustomerId, InvoiceId } from '@kontor/kernel';
import { Type } from '@sinclair/typebox';
import { defineEvent } from '../../define-event.js';
import { exampleId } from '../../example-id.js';
import { idOf } from '../../schemas.js';

export const mediaReadyV1 = defineEvent({
  type: 'invoicing.media.ready.v1',
  topic: 'invoicing.media',
  description: "A finalized document's file exists and can be fetched.",
  schema: Type.Object({
    mediaId: Type.String(),
    invoiceId: idOf<InvoiceId>(),
    customerId: idOf<CustomerId>(),
    fileName: Type.String(),
    mimeType: Type.String(),
  }),
  example: {
    mediaId: '01K00000000000000000000000',
    invoiceId: exampleId(20),
    customerId: exampleId(1),
    fileName: 'RE-2026-00001.pdf',
    mimeType: 'application/pdf',
  },
});
