import { Type } from '@sinclair/typebox';
import { defineEvent, InstantText, MoneySchema, nullable, stateOf, type Static, Text } from '../define-event.js';

const id = (n: number): string => `0199f000-0000-7000-8000-${String(n).padStart(12, '0')}`;

/** What an invoice shows of its payment: the projection behind `unpaidAmount`, `payDate` and `paymentIntent`. */
export const IntentState = Type.Object({
  id: Type.String(),
  invoiceId: Text,
  topUpId: Text,
  customerId: Type.String(),
  /** Negative for credit notes and refunds. */
  amount: MoneySchema,
  /** What is still to be paid; negative by the excess when overpaid with crediting off. */
  openAmount: MoneySchema,
  /** Wallet credit applied, of what is paid. */
  creditAppliedAmount: MoneySchema,
  status: Type.Union(['open', 'processing', 'succeeded', 'failed', 'cancelled'].map((s) => Type.Literal(s))),
  paymentMethodId: Text,
  /** When the open amount became zero (or less); null while open. */
  paidAt: nullable(InstantText),
  failReason: Text,
});
export type IntentState = Static<typeof IntentState>;

export const intentChangedV1 = defineEvent({
  type: 'payments.intent.changed.v1',
  topic: 'payments.intent',
  description: 'An intent was opened, paid, part-paid, failed or reopened.',
  schema: stateOf(IntentState),
  example: {
    id: id(30),
    version: 1,
    deleted: false,
    state: {
      id: id(30), invoiceId: id(20), topUpId: null, customerId: id(1), amount: { amount: 11900, currencyCode: 'EUR' },
      openAmount: { amount: 11900, currencyCode: 'EUR' }, creditAppliedAmount: { amount: 0, currencyCode: 'EUR' }, status: 'open', paymentMethodId: null,
      paidAt: null, failReason: null,
    }, // prettier-ignore
    notices: [],
  },
});

export const PaymentMethodState = Type.Object({
  id: Type.String(),
  customerId: Type.String(),
  gatewayName: Type.String(),
  status: Type.String(),
  default: Type.Boolean(),
  enabled: Type.Boolean(),
  /** GET's representation, for embedding. */
  representation: Type.Record(Type.String(), Type.Unknown()),
});
export type PaymentMethodState = Static<typeof PaymentMethodState>;

export const paymentMethodChangedV1 = defineEvent({
  type: 'payments.method.changed.v1',
  topic: 'payments.method',
  description: 'A payment method was created, changed, became or ceased to be the default, or was removed.',
  schema: stateOf(PaymentMethodState),
  example: {
    id: id(40),
    version: 1,
    deleted: false,
    state: { id: id(40), customerId: id(1), gatewayName: 'testing', status: 'active', default: true, enabled: true, representation: {} },
    notices: [],
  },
});

export const WalletState = Type.Object({ id: Type.String(), customerId: Type.String(), balance: MoneySchema });
export type WalletState = Static<typeof WalletState>;

export const walletChangedV1 = defineEvent({
  type: 'payments.wallet.changed.v1',
  topic: 'payments.wallet',
  description: "A wallet's balance changed.",
  schema: stateOf(WalletState),
  example: {
    id: id(50),
    version: 1,
    deleted: false,
    state: { id: id(50), customerId: id(1), balance: { amount: 500, currencyCode: 'EUR' } },
    notices: [],
  },
});
