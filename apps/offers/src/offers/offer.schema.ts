import { type Static, type TSchema, Type } from '@sinclair/typebox';
import { DEAL_TYPES, OFFER_STATUSES } from '../domain/offers/offer.js';

const words = <W extends string>(values: readonly W[]) =>
  Type.Unsafe<W>(Type.Union(values.map((value) => Type.Literal(value))));
const orNull = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()]);
const text = () => orNull(Type.String());
const instant = () => orNull(Type.String({ format: 'date-time' }));
const anyObject = () => Type.Record(Type.String(), Type.Unknown());

export const OfferSchema = Type.Object(
  {
    id: Type.String({ description: 'ULID.' }),
    number: Type.String(),
    name: text(),
    status: words(OFFER_STATUSES),
    dealType: words(DEAL_TYPES),
    acceptanceMode: words<string>(['click', 'esignature', 'print']),
    locale: text(),
    validUntil: instant(),
    issuedAt: instant(),
    signed: Type.Boolean(),
    signedAt: instant(),
    autoActivateSubscription: Type.Boolean(),
    crmDealId: text(),
    customVariables: orNull(anyObject()),
    capturedInvoiceDetails: orNull(anyObject()),
    sections: Type.Array(anyObject()),
    publishedVersionHash: text(),
    currentVersionHash: text(),
    hasUnpublishedChanges: Type.Boolean(),
    customer: anyObject(),
    subscription: orNull(anyObject()),
    recipients: Type.Array(anyObject()),
    purchaseOrderDocument: Type.Null(),
    auditLogDocument: Type.Null(),
    signedDocument: Type.Null(),
    contactPerson: Type.Null(),
    createdAt: Type.String({ format: 'date-time' }),
    updatedAt: Type.String({ format: 'date-time' }),
  },
  { $id: 'Offer' },
);
export type OfferJson = Static<typeof OfferSchema>;
