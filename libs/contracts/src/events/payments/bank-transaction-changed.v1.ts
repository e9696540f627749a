import type { InvoiceId } from '@kontor/kernel';
import { type Static, Type } from '@sinclair/typebox';
import { defineEvent } from '../../define-event.js';
import { exampleId } from '../../example-id.js';
import { idOf, MoneySchema, stateOf } from '../../schemas.js';

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
  assignments: Type.Array(Type.Object({ id: Type.String(), invoiceId: idOf<InvoiceId>(), amount: Type.Integer() })),
});
export type BankTransactionState = Static<typeof BankTransactionState>;

export const bankTransactionChangedV1 = defineEvent({
  type: 'payments.bank-transaction.changed.v1',
  topic: 'payments.bank-transaction',
  description: 'A line of a bank statement was imported and matched, assigned, unassigned or ignored.',
  schema: stateOf(BankTransactionState),
  example: {
    id: exampleId(60),
    version: 1,
    deleted: false,
    state: {
      id: exampleId(60),
      bankAccountId: exampleId(61),
      status: 'STATUS_BOOKED',
      amount: { amount: 11900, currencyCode: 'EUR' },
      unassignedAmount: { amount: 0, currencyCode: 'EUR' },
      isReturn: false,
      bookingDate: '2026-11-20',
      reference: '2026112000001',
      assignments: [{ id: exampleId(62), invoiceId: exampleId(20), amount: 11900 }],
    },
    notices: [],
  },
});
