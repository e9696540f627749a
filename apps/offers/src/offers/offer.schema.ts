import { RECIPIENT_ROLES } from '../domain/offers/accept.js';
import { type Static, Type } from '@sinclair/typebox';
import { ACCEPTANCE_MODES, DEAL_TYPES, OFFER_STATUSES } from '../domain/offers/offer.js';
import { instant, orNull, RecurringSchema, text, TotalsSchema, words } from '../schema.js';

const anyObject = () => Type.Record(Type.String(), Type.Unknown());

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

/** What follows from acceptance. */
const SaleSchema = Type.Object({ state: words(['pending', 'done', 'failed']), failure: text() });

/** What staff and recipients see of an offer. */
export const offerHead = {
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
};

export const OfferSchema = Type.Object(
  {
    ...offerHead,
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
    recurring: RecurringSchema,
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
