import { RECIPIENT_ROLES } from '../domain/offers/accept.js';
import { SubscriptionState } from '@kontor/contracts';
import { embedded } from '@kontor/service-kit';
import { type Static, Type } from '@sinclair/typebox';
import { APPROVAL_STATES } from '../domain/offers/approval.js';
import { DEAL_TYPES } from '../domain/offers/deal-type.js';
import { ACCEPTANCE_MODES, OFFER_STATUSES } from '../domain/offers/offer.js';
import { SectionsSchema } from '../domain/offers/sections.js';
import { OfferFileSchema } from '../files/document.schema.js';
import { instant, orNull, RecurringSchema, text, TotalsSchema, words } from '../schema.js';

/** What was entered; values as they were. */
export const VariablesSchema = Type.Record(
  Type.String(),
  Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()]),
);

const InvoiceDetailsSchema = Type.Object({
  companyName: text(),
  firstName: text(),
  lastName: text(),
  street: Type.String(),
  houseNumber: text(),
  zip: Type.String(),
  city: Type.String(),
  addition: text(),
  countryCode: Type.String(),
  vatId: text(),
  poNumber: text(),
  leitwegId: text(),
});

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

/** Whom the buyer can ask. */
export const ContactPersonSchema = Type.Object({
  firstName: text(),
  lastName: Type.String(),
  role: text(),
  email: text(),
  phone: text(),
});

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

/** Whether who has to approves of the offer as it stands. */
const ApprovalSchema = Type.Object({
  state: words(APPROVAL_STATES),
  requestedAt: Type.String({ format: 'date-time' }),
  requestedBy: text(),
  approvers: Type.Array(Type.Object({ id: Type.String({ format: 'uuid' }), name: Type.String() })),
  decisions: Type.Array(
    Type.Object({
      approver: Type.String({ format: 'uuid' }),
      decision: words(['approved', 'rejected']),
      comment: text(),
      at: Type.String({ format: 'date-time' }),
    }),
  ),
});

export const OfferSchema = Type.Object(
  {
    ...offerHead,
    autoActivateSubscription: Type.Boolean(),
    crmDealId: text(),
    customVariables: orNull(VariablesSchema),
    capturedInvoiceDetails: orNull(InvoiceDetailsSchema),
    sections: SectionsSchema,
    publishedVersionHash: text(),
    currentVersionHash: text(),
    hasUnpublishedChanges: Type.Boolean(),
    customer: embedded('Customer'),
    subscription: orNull(Type.Unsafe<Record<string, unknown>>(Type.Partial(SubscriptionState))),
    recipients: Type.Array(RecipientSchema),
    items: Type.Array(OfferItemSchema, { description: 'Of the published version, as the buyer has chosen.' }),
    totals: orNull(TotalsSchema),
    recurring: RecurringSchema,
    sale: orNull(SaleSchema),
    approvers: Type.Array(Type.String({ format: 'uuid' })),
    approval: orNull(ApprovalSchema),
    reminderDays: Type.Array(Type.Integer()),
    purchaseOrderDocument: orNull(OfferFileSchema),
    auditLogDocument: orNull(OfferFileSchema),
    signedDocument: orNull(OfferFileSchema),
    contactPerson: orNull(ContactPersonSchema),
    createdAt: Type.String({ format: 'date-time' }),
    updatedAt: Type.String({ format: 'date-time' }),
  },
  { $id: 'Offer' },
);
export type OfferJson = Static<typeof OfferSchema>;
