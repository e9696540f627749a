import { embedded } from '@kontor/service-kit';
import { type Static, type TSchema, Type } from '@sinclair/typebox';
import { DUNNING_DOCUMENT_STATUSES, DUNNING_TYPES } from '../domain/dunning/dunning-document.js';
import { mediaSchema } from '../invoices/invoice.schema.js';

const words = <W extends string>(values: readonly W[]) => Type.Unsafe<W>(Type.String({ enum: [...values] }));
const nullable = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()]);
const money = Type.Object({ amount: Type.Integer({ description: 'Minor units' }), currencyCode: Type.String() });
const instant = Type.String({ format: 'date-time' });
const uuid = Type.String({ format: 'uuid' });

export const dunningRuleSchema = Type.Object(
  {
    id: uuid,
    level: Type.Integer(),
    type: words(DUNNING_TYPES),
    daysOverdue: Type.Integer(),
    dueInDays: Type.Integer(),
    feeAmount: money,
    attachOriginalInvoice: Type.Boolean(),
    isEnabled: Type.Boolean(),
    createdAt: instant,
    updatedAt: instant,
  },
  { $id: 'DunningRule' },
);
export type DunningRuleJson = Static<typeof dunningRuleSchema>;

export const dunningDocumentSchema = Type.Object(
  {
    id: uuid,
    number: Type.String(),
    customer: embedded('Customer'),
    invoice: Type.Object({ id: uuid, number: Type.String() }),
    level: Type.Integer(),
    type: words(DUNNING_TYPES),
    status: words(DUNNING_DOCUMENT_STATUSES),
    title: Type.String(),
    introduction: nullable(Type.String()),
    closing: nullable(Type.String()),
    documentDate: instant,
    dueDate: instant,
    openAmount: Type.Object(money.properties, { description: 'What was open of the invoice.' }),
    dunningFee: Type.Object(money.properties, { description: 'Of this document.' }),
    interestAmount: Type.Object(money.properties, { description: 'Statutory interest since the last document.' }),
    lumpSumAmount: money,
    claimAmount: Type.Object(money.properties, {
      description: "The invoice's open amount with all fees, interest and lump sum that are open, earlier ones too.",
    }),
    media: nullable(mediaSchema),
  },
  { $id: 'DunningDocument' },
);
export type DunningDocumentJson = Static<typeof dunningDocumentSchema>;

export const dunningRunSchema = Type.Object({
  documents: Type.Integer({ description: 'How many this run has issued.' }),
});
