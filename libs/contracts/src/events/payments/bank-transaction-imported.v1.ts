import { type Static, Type } from '@sinclair/typebox';
import { defineEvent } from '../../define-event.js';
import { exampleId } from '../../example-id.js';
import { stateOf } from '../../schemas.js';

/** One statement file, or one list, that was imported. */
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
    id: exampleId(63),
    version: 1,
    deleted: false,
    state: {
      id: exampleId(63),
      bankAccountId: exampleId(61),
      format: 'camt053',
      imported: 3,
      duplicates: 0,
      failed: 0,
    },
    notices: [],
  },
});
