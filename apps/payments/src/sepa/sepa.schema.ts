import { Type } from '@sinclair/typebox';
import { SEPA_SCHEMES, SEQUENCE_TYPES } from '../domain/sepa-mandate.js';
import { FILE_TYPES } from './represent-sepa-file.js';

const nullable = (type: string, more: object = {}) => Type.Unsafe<unknown>({ type: [type, 'null'], ...more });
const choice = (values: readonly (string | null)[]) => Type.Unsafe<string>({ enum: [...values] });
const money = Type.Object({ amount: Type.Integer(), currencyCode: Type.String() });
const day = Type.String({ format: 'date' });
const id = Type.String({ format: 'uuid' });

const batch = Type.Object({
  paymentInformationId: Type.String(),
  requestedOn: day,
  sequenceType: choice([...SEQUENCE_TYPES, null]),
  scheme: choice([...SEPA_SCHEMES, null]),
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

export const SEPA_EXPORT_SCHEMA = Type.Object(
  {
    data: Type.Array(SEPA_FILE_SCHEMA),
    /** The last day of execution that was exported. */
    until: day,
    /** Orders that were due and are in no file, each with its reason; their collections have failed or were replaced. */
    skipped: Type.Array(Type.Object({ transactionId: id, reason: Type.String() })),
  },
  { $id: 'SepaExport' },
);

export const SEPA_FILE_DETAILS_SCHEMA = Type.Object(
  {
    ...fields,
    payments: Type.Array(
      Type.Object({
        transactionId: id,
        intentId: nullable('string', { format: 'uuid' }),
        customerId: id,
        paymentMethodId: nullable('string', { format: 'uuid' }),
        amount: money,
        endToEndId: Type.String(),
        requestedOn: day,
        sequenceType: choice([...SEQUENCE_TYPES, null]),
        status: choice(['exported', 'settled', 'returned']),
        statusReason: nullable('string'),
      }),
    ),
  },
  { $id: 'SepaFileDetails' },
);
