import type { InvoiceId } from '@kontor/kernel';
import { Type } from '@sinclair/typebox';
import { defineEvent } from '../../define-event.js';
import { exampleId } from '../../example-id.js';
import { idOf, nullable, NullableText } from '../../schemas.js';

/** Answer to one batch of charges: its document, or why it stays a draft. */
export const chargesSettledV1 = defineEvent({
  type: 'invoicing.charges.settled.v1',
  topic: 'invoicing.invoice',
  description: 'A batch of charges has its document, or is blocked with a reason.',
  schema: Type.Object({
    batchId: Type.String(),
    runId: NullableText,
    /** Null when no document is made (all lines are worth nothing, without createZeroInvoices). */
    invoiceId: nullable(idOf<InvoiceId>()),
    /** `seller_data_incomplete`, `invoice_address_incomplete`, `exchange_rate_missing`, … */
    blockedReason: NullableText,
    subscriptionIds: Type.Array(Type.String()),
  }),
  example: {
    batchId: exampleId(5),
    runId: exampleId(6),
    invoiceId: exampleId(20),
    blockedReason: null,
    subscriptionIds: [exampleId(4)],
  },
});
