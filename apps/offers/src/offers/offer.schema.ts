import { RECIPIENT_ROLES } from '../domain/offers/accept.js';
import { type Static, type TSchema, Type } from '@sinclair/typebox';
import { ACCEPTANCE_MODES, DEAL_TYPES, OFFER_STATUSES } from '../domain/offers/offer.js';

export const words = <W extends string>(values: readonly W[]) =>
  Type.Unsafe<W>(Type.Union(values.map((value) => Type.Literal(value))));
export const orNull = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()]);
export const text = () => orNull(Type.String());
export const instant = () => orNull(Type.String({ format: 'date-time' }));
const anyObject = () => Type.Record(Type.String(), Type.Unknown());

const money = () => Type.Object({ amount: Type.Integer(), currencyCode: Type.String() });

export const RecipientSchema = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    email: Type.String(),
    firstName: text(),
    lastName: text(),
    role: words(RECIPIENT_ROLES),
    turn: Type.Integer(),
    signed: Type.Boolean(),
    signedAt: instant(),
    link: Type.Optional(Type.String({ description: 'Only in the answer that made it.' })),
  },
  { $id: 'OfferRecipient' },
);
export type RecipientJson = Static<typeof RecipientSchema>;

/** First invoice, with tax, on the day of publication. */
export const TotalsSchema = Type.Object({ net: money(), tax: money(), gross: money(), discount: money() });
export const RecurringSchema = Type.Object({ interval: Type.String(), net: money(), gross: money() });
/** What follows from acceptance. */
const SaleSchema = Type.Object({ state: words(['pending', 'done', 'failed']), failure: text() });

export const OfferSchema = Type.Object(
  {
    id: Type.String({ description: 'ULID.' }),
    number: Type.String(),
    name: text(),
    status: words(OFFER_STATUSES),
    dealType: words(DEAL_TYPES),
    acceptanceMode: words(ACCEPTANCE_MODES),
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
    recipients: Type.Array(RecipientSchema),
    totals: orNull(TotalsSchema),
    recurring: Type.Array(RecurringSchema),
    sale: orNull(SaleSchema),
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
