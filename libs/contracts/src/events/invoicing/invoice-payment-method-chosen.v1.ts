import type { CustomerId, InvoiceId, PaymentMethodId } from '@kontor/kernel';
import { Type } from '@sinclair/typebox';
import { defineEvent } from '../../define-event.js';
import { exampleId } from '../../example-id.js';
import { idOf, nullable } from '../../schemas.js';

export const invoicePaymentMethodChosenV1 = defineEvent({
  type: 'invoicing.invoice.payment-method-chosen.v1',
  topic: 'invoicing.invoice',
  description:
    "Another method was named to settle an unpaid document; null: its customer's default. Takes one number of the document's sequence.",
  schema: Type.Object({
    invoiceId: idOf<InvoiceId>(),
    customerId: idOf<CustomerId>(),
    paymentMethodId: nullable(idOf<PaymentMethodId>()),
  }),
  example: { invoiceId: exampleId(20), customerId: exampleId(1), paymentMethodId: exampleId(40) },
});
