import { RECIPIENT_ROLES } from '../domain/offers/accept.js';
import { type Static, Type } from '@sinclair/typebox';
import { DEAL_TYPES } from '../domain/offers/deal-type.js';
import { ACCEPTANCE_MODES, OFFER_STATUSES } from '../domain/offers/offer.js';
import { OfferFileSchema } from '../files/document.schema.js';
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
const SaleSchema = Type.Object({
  state: words(['pending', 'done', 'failed']),
  failure: text(),
  subscription: orNull(Type.Object({ id: Type.String({ format: 'uuid' }) })),
  invoice: orNull(Type.Object({ id: Type.String({ format: 'uuid' }) })),
});
/** An item as it is chosen, and what the buyer may do about it. */
export const OfferItemSchema = Type.Object({
  id: Type.String(),
  pricePlan: Type.String({ format: 'uuid' }),
  name: text(),
  description: text(),
  quantity: Type.String(),
  optional: Type.Boolean(),
  selected: Type.Boolean(),
  minQuantity: text(),
  maxQuantity: text(),
  unitPrice: orNull(
    Type.Object({ amount: Type.Integer(), currencyCode: Type.String(), precision: Type.Optional(Type.Integer()) }),
  ),
  billingInterval: text(),
});
export type OfferItemJson = Static<typeof OfferItemSchema>;

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
    items: Type.Array(OfferItemSchema, { description: 'Of the published version, as the buyer has chosen.' }),
    totals: orNull(TotalsSchema),
    recurring: RecurringSchema,
    sale: orNull(SaleSchema),
    purchaseOrderDocument: orNull(OfferFileSchema),
    auditLogDocument: orNull(OfferFileSchema),
    signedDocument: orNull(OfferFileSchema),
    contactPerson: Type.Null(),
    createdAt: Type.String({ format: 'date-time' }),
    updatedAt: Type.String({ format: 'date-time' }),
  },
  { $id: 'Offer' },
);
export type OfferJson = Static<typeof OfferSchema>;
