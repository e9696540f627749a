import type { CustomerId, InvoiceId, PaymentIntentId, PaymentMethodId } from '@kontor/kernel';
import { type Static, Type } from '@sinclair/typebox';
import { defineEvent } from '../../define-event.js';
import { exampleId } from '../../example-id.js';
import { idOf, InstantText, MoneySchema, nullable, NullableText, stateOf } from '../../schemas.js';

/** What an invoice shows of its payment: the projection behind `unpaidAmount`, `payDate` and `paymentIntent`. */
export const IntentState = Type.Object({
  id: idOf<PaymentIntentId>(),
  invoiceId: nullable(idOf<InvoiceId>()),
  topUpId: NullableText,
  customerId: idOf<CustomerId>(),
  /** Negative for credit notes and refunds. */
  amount: MoneySchema,
  /** What is still to be paid; negative by the excess when overpaid with crediting off. */
  openAmount: MoneySchema,
  /** Wallet credit applied, of what is paid. */
  creditAppliedAmount: MoneySchema,
  status: Type.Union(['open', 'processing', 'succeeded', 'failed', 'cancelled'].map((s) => Type.Literal(s))),
  /** Processing, but no gateway collects it before its payer has acted. */
  waitsForPayer: Type.Optional(Type.Boolean()),
  paymentMethodId: nullable(idOf<PaymentMethodId>()),
  /** When the open amount became zero (or less); null while open. */
  paidAt: nullable(InstantText),
  failReason: NullableText,
});
export type IntentState = Static<typeof IntentState>;

export const intentChangedV1 = defineEvent({
  type: 'payments.intent.changed.v1',
  topic: 'payments.intent',
  description: 'An intent was opened, paid, part-paid, failed or reopened.',
  schema: stateOf(IntentState),
  example: {
    id: exampleId(30),
    version: 1,
    deleted: false,
    state: {
      id: exampleId(30),
      invoiceId: exampleId(20),
      topUpId: null,
      customerId: exampleId(1),
      amount: { amount: 11900, currencyCode: 'EUR' },
      openAmount: { amount: 11900, currencyCode: 'EUR' },
      creditAppliedAmount: { amount: 0, currencyCode: 'EUR' },
      status: 'open',
      waitsForPayer: false,
      paymentMethodId: null,
      paidAt: null,
      failReason: null,
    },
    notices: [],
  },
});
