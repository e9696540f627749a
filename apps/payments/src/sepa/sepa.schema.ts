import { type Static, Type } from '@sinclair/typebox';
import { SEPA_SCHEMES, SEQUENCE_TYPES } from '../domain/payment-methods/sepa-mandate.js';
import type { SepaKind } from './sepa-order.row.js';
import { day, id, money, nullable } from '../schema-parts.js';

export const FILE_TYPES: Readonly<Record<SepaKind, string>> = { debit: 'direct_debit', transfer: 'credit_transfer' };

const choice = (values: readonly string[]) => Type.Unsafe<string>({ enum: [...values] });
const choiceOrNull = (values: readonly string[]) => Type.Unsafe<string | null>({ enum: [...values, null] });

const batch = Type.Object({
  paymentInformationId: Type.String(),
  requestedOn: day,
  sequenceType: choiceOrNull(SEQUENCE_TYPES),
  scheme: choiceOrNull(SEPA_SCHEMES),
  transactionCount: Type.Integer(),
  controlSum: money,
});

const fields = {
  id,
  type: choice(Object.values(FILE_TYPES)),
  format: Type.String(),
  messageId: Type.String(),
  fileName: Type.String(),
  transactionCount: Type.Integer(),
  controlSum: money,
  batches: Type.Array(batch),
  createdAt: Type.String({ format: 'date-time' }),
};

export const SEPA_FILE_SCHEMA = Type.Object(fields, { $id: 'SepaFile' });
export type SepaFileView = Static<typeof SEPA_FILE_SCHEMA>;

export const SEPA_EXPORT_SCHEMA = Type.Object(
  {
    data: Type.Array(SEPA_FILE_SCHEMA),
    /** The last day of execution that was exported. */
    until: day,
    /**
     * Orders that were due and are in no file, each with its reason; their collections have failed or were replaced.
     */
    skipped: Type.Array(Type.Object({ transactionId: id, reason: Type.String() })),
  },
  { $id: 'SepaExport' },
);

const payment = Type.Object({
  transactionId: id,
  intentId: nullable('string', { format: 'uuid' }),
  customerId: id,
  paymentMethodId: nullable('string', { format: 'uuid' }),
  amount: money,
  endToEndId: Type.String(),
  requestedOn: day,
  sequenceType: choiceOrNull(SEQUENCE_TYPES),
  status: choice(['exported', 'rejected', 'settled', 'returned']),
  statusReason: nullable('string'),
});
export type SepaPaymentView = Static<typeof payment>;

export const SEPA_FILE_DETAILS_SCHEMA = Type.Object(
  {
    ...fields,
    payments: Type.Array(payment),
  },
  { $id: 'SepaFileDetails' },
);
export type SepaFileDetails = Static<typeof SEPA_FILE_DETAILS_SCHEMA>;
