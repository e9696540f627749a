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

export const paymentMethodLinkCreatedV1 = defineEvent({
  type: 'payments.method.link-created.v1',
  topic: 'payments.method',
  description: 'A link with which a customer adds a way to pay was made and is to be mailed to the customer. Who has the link can use it.',
  schema: Type.Object({ linkId: Type.String(), customerId: Type.String(), link: Type.String(), expiresAt: InstantText }),
  example: {
    linkId: id(41),
    customerId: id(1),
    link: 'https://billing.example/public/payment-methods/kJ0n7hQ0yq9m2m0m5n1w7yqT3c0cM1pJ9v2s8f4b6dE',
    expiresAt: '2026-03-08T10:00:00.000Z',
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

/** A line of a bank statement: what came or went, and what of it is assigned to which invoices. */
export const BankTransactionState = Type.Object({
  id: Type.String(),
  bankAccountId: Type.String(),
  status: Type.String(),
  /** Negative for money that went out. */
  amount: MoneySchema,
  /** Not assigned yet, with the sign of `amount`. */
  unassignedAmount: MoneySchema,
  isReturn: Type.Boolean(),
  /** Day of the booking, `YYYY-MM-DD`. */
  bookingDate: Type.String(),
  reference: Type.String(),
  assignments: Type.Array(Type.Object({ id: Type.String(), invoiceId: Type.String(), amount: Type.Integer() })),
});
export type BankTransactionState = Static<typeof BankTransactionState>;

export const bankTransactionChangedV1 = defineEvent({
  type: 'payments.bank-transaction.changed.v1',
  topic: 'payments.bank-transaction',
  description: 'A line of a bank statement was imported and matched, assigned, unassigned or ignored.',
  schema: stateOf(BankTransactionState),
  example: {
    id: id(60),
    version: 1,
    deleted: false,
    state: {
      id: id(60), bankAccountId: id(61), status: 'STATUS_BOOKED', amount: { amount: 11900, currencyCode: 'EUR' },
      unassignedAmount: { amount: 0, currencyCode: 'EUR' }, isReturn: false, bookingDate: '2026-11-20', reference: '2026112000001',
      assignments: [{ id: id(62), invoiceId: id(20), amount: 11900 }],
    }, // prettier-ignore
    notices: [],
  },
});

/** One statement file, or one list, that was taken in. */
export const BankImportState = Type.Object({
  id: Type.String(),
  bankAccountId: Type.String(),
  format: Type.String(),
  imported: Type.Integer(),
  duplicates: Type.Integer(),
  failed: Type.Integer(),
});
export type BankImportState = Static<typeof BankImportState>;

export const bankImportCompletedV1 = defineEvent({
  type: 'payments.bank-transaction.imported.v1',
  topic: 'payments.bank-transaction',
  description: 'A bank statement was imported; its lines follow as events of their own.',
  schema: stateOf(BankImportState),
  example: {
    id: id(63),
    version: 1,
    deleted: false,
    state: { id: id(63), bankAccountId: id(61), format: 'camt053', imported: 3, duplicates: 0, failed: 0 },
    notices: [],
  },
});

/** A top-up as GET answers it. */
export const TopUpState = Type.Object({
  id: Type.String(),
  customerId: Type.String(),
  requestedAmount: MoneySchema,
  creditedAmount: nullable(MoneySchema),
  status: Type.Union(['pending', 'completed', 'failed'].map((s) => Type.Literal(s))),
  paymentMethodId: Text,
  failureReason: Text,
  automatic: Type.Boolean(),
  reference: Type.String(),
  createdAt: InstantText,
  completedAt: nullable(InstantText),
});
export type TopUpState = Static<typeof TopUpState>;

export const topUpChangedV1 = defineEvent({
  type: 'payments.wallet.top-up-changed.v1',
  topic: 'payments.wallet',
  description: 'A top-up was started, completed or failed.',
  schema: stateOf(TopUpState),
  example: {
    id: id(51),
    version: 2,
    deleted: false,
    state: {
      id: id(51), customerId: id(1), requestedAmount: { amount: 5000, currencyCode: 'EUR' }, creditedAmount: { amount: 5000, currencyCode: 'EUR' },
      status: 'completed', paymentMethodId: id(40), failureReason: null, automatic: false, reference: 'TU-0000000051',
      createdAt: '2026-03-01T10:00:00.000Z', completedAt: '2026-03-01T10:00:01.000Z',
    }, // prettier-ignore
    notices: [],
  },
});

export const autoTopUpDisabledV1 = defineEvent({
  type: 'payments.wallet.auto-top-up-disabled.v1',
  topic: 'payments.wallet',
  description: 'A rule for automatic top-ups was switched off after too many failures in a row.',
  schema: Type.Object({
    ruleId: Type.String(),
    customerId: Type.String(),
    currencyCode: Type.String(),
    consecutiveFailures: Type.Integer(),
    failureReason: Text,
  }),
  example: { ruleId: id(52), customerId: id(1), currencyCode: 'EUR', consecutiveFailures: 5, failureReason: 'card_declined' },
});
