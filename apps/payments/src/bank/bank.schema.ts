import { Type } from '@sinclair/typebox';
import { BANK_STATUSES } from '../domain/bank/bank-transaction.js';
import { DISPOSITIONS } from './assignment/read-assignment.js';
import { id, nullable } from '../schema-parts.js';

const words = (list: readonly string[]) => Type.Unsafe<string>({ type: 'string', enum: [...list] });

export const BANK_TRANSACTIONS_SCHEMA = Type.Object({
  data: Type.Array(Type.Unsafe<unknown>({ $ref: '#/components/schemas/BankTransaction' })),
});

export const ASSIGNMENT_RESULT_SCHEMA = Type.Object(
  {
    transactionId: id,
    status: words(BANK_STATUSES),
    disposition: words(DISPOSITIONS),
    unassignedAmount: Type.Integer(),
    disposedAmount: nullable('integer'),
    currencyCode: Type.String(),
    payoutId: nullable('string', { format: 'uuid' }),
    hint: Type.Optional(
      Type.String({ description: 'What can be done with the money; only where all the invoices are paid already.' }),
    ),
  },
  { $id: 'BankAssignmentResult' },
);

const invoiceIds = Type.Array(id, {
  minItems: 1,
  maxItems: 1000,
  description: 'In the order in which they get money.',
});

export const ASSIGN_SCHEMA = Type.Object({ invoiceIds }, { additionalProperties: false });

export const DISPOSE_SCHEMA = Type.Object(
  {
    invoiceIds,
    disposition: words(DISPOSITIONS),
    assignmentAmounts: Type.Optional(
      Type.Unsafe<unknown>({
        type: ['object', 'null'],
        maxProperties: 1000,
        additionalProperties: { type: 'string', format: 'decimal', maxLength: 39 },
        description: 'Caps in major units by invoice id; with `open` only.',
      }),
    ),
  },
  { additionalProperties: false },
);

export const TRANSACTION_IDS_SCHEMA = Type.Object(
  { transactionIds: Type.Array(id, { minItems: 1, maxItems: 1000 }) },
  { additionalProperties: false },
);

export const IMPORT_RESULT_SCHEMA = Type.Object(
  {
    imported: Type.Integer(),
    duplicates: Type.Integer(),
    failed: Type.Integer(),
    errors: Type.Array(
      Type.Object({
        index: Type.Integer(),
        entry: Type.String(),
        reference: nullable('string'),
        code: Type.String(),
        message: Type.String(),
      }),
    ),
  },
  { $id: 'BankImportResult' },
);

export const IMPORT_FORM_SCHEMA = Type.Object(
  {
    bankAccountId: id,
    file: Type.String({
      format: 'binary',
      description: 'CAMT.053 (.02 to .08), MT940, or a ZIP of one of them; at most 20 MiB.',
    }),
  },
  { additionalProperties: false },
);
