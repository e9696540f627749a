import { type Static, Type } from '@sinclair/typebox';
import { BANK_STATUSES } from '../../domain/bank/bank-transaction.js';
import { day, id, instant, money, nullable } from '../../schema-parts.js';

export const BANK_TRANSACTION_SCHEMA = Type.Object(
  {
    id,
    bankAccountId: id,
    status: Type.Unsafe<string>({ type: 'string', enum: [...BANK_STATUSES] }),
    amount: money,
    currencyCode: Type.String(),
    unassignedAmount: Type.Integer({ description: 'Minor units, with the sign of the amount.' }),
    assignments: Type.Array(Type.Object({ id, invoiceId: id, amount: Type.Integer() })),
    suggestions: Type.Array(
      Type.Object({
        invoiceId: id,
        score: Type.Number({ minimum: 0, maximum: 1 }),
        reason: Type.String(),
        confirmsTransactionId: Type.Optional(
          Type.String({
            format: 'uuid',
            description:
              'The recorded payment whose money the line is: accepting links the two, and nothing is booked twice.',
          }),
        ),
      }),
    ),
    reference: Type.String(),
    bookingDate: day,
    valueDate: day,
    counterpartyName: nullable('string'),
    counterpartyIban: nullable('string'),
    remittanceInformation: nullable('string'),
    endToEndId: nullable('string'),
    mandateReference: nullable('string'),
    isReturn: Type.Boolean(),
    returnReason: nullable('string'),
    createdAt: instant,
  },
  { $id: 'BankTransaction' },
);
export type BankTransactionView = Static<typeof BANK_TRANSACTION_SCHEMA>;
