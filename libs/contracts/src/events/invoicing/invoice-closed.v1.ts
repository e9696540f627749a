import type { CustomerId, InvoiceId } from '@kontor/kernel';
import { Type } from '@sinclair/typebox';
import { defineEvent } from '../../define-event.js';
import { exampleId } from '../../example-id.js';
import { idOf, NullableText } from '../../schemas.js';
import { ChargedTax } from './charged-tax.js';

/** What is open of an invoice is given up: payments writes it off. */
export const invoiceClosedV1 = defineEvent({
  type: 'invoicing.invoice.closed.v1',
  topic: 'invoicing.invoice',
  description:
    "What is open of an invoice is given up; payments writes it off. Takes one number of the document's sequence.",
  schema: Type.Object({
    invoiceId: idOf<InvoiceId>(),
    customerId: idOf<CustomerId>(),
    reason: NullableText,
    /** What of the invoice neither credit notes nor refunds have taken back, by VAT category and rate. */
    taxes: Type.Array(ChargedTax),
  }),
  example: {
    invoiceId: exampleId(20),
    customerId: exampleId(1),
    reason: 'insolvent',
    taxes: [
      {
        category: 'S',
        rate: '19',
        netAmount: { amount: 10000, currencyCode: 'EUR' },
        taxAmount: { amount: 1900, currencyCode: 'EUR' },
      },
    ],
  },
});
