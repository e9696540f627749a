import { Type } from '@sinclair/typebox';
import { DEAL_TYPES, OFFER_STATUSES } from '../domain/offer.js';

const words = (values: readonly string[]) => Type.Union(values.map((value) => Type.Literal(value)));
const orNull = (schema: ReturnType<typeof Type.String>) => Type.Union([schema, Type.Null()]);
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
    acceptanceMode: words(['click', 'esignature', 'print']),
    locale: text(),
    validUntil: instant(),
    issuedAt: instant(),
    signed: Type.Boolean(),
    signedAt: instant(),
    autoActivateSubscription: Type.Boolean(),
    crmDealId: text(),
    customVariables: Type.Union([anyObject(), Type.Null()]),
    capturedInvoiceDetails: Type.Union([anyObject(), Type.Null()]),
    sections: Type.Array(anyObject()),
    publishedVersionHash: text(),
    currentVersionHash: text(),
    hasUnpublishedChanges: Type.Boolean(),
    customer: anyObject(),
    subscription: Type.Union([anyObject(), Type.Null()]),
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
