import type { CustomerState, SubscriptionState } from '@kontor/contracts';
import type { OfferRow } from './offer.row.js';
import type { RecipientRow } from '../recipients/recipient.row.js';
import type { OfferJson, RecipientJson } from './offer.schema.js';

const instant = (value: Date | null): string | null => value?.toISOString() ?? null;

const plainFields = (offer: OfferRow) => ({
  id: offer.id,
  number: offer.number,
  name: offer.name,
  status: offer.status,
  dealType: offer.dealType,
  acceptanceMode: offer.acceptanceMode,
  locale: offer.locale,
  validUntil: instant(offer.validUntil),
  issuedAt: instant(offer.issuedAt),
  signed: offer.status === 'signed',
  signedAt: instant(offer.signedAt),
  autoActivateSubscription: offer.autoActivateSubscription,
  crmDealId: offer.crmDealId,
  customVariables: offer.customVariables,
  capturedInvoiceDetails: offer.capturedInvoiceDetails && { ...offer.capturedInvoiceDetails },
  sections: [...offer.sections],
  publishedVersionHash: offer.publishedVersionHash,
  currentVersionHash: offer.currentVersionHash,
  hasUnpublishedChanges: offer.publishedVersionHash !== offer.currentVersionHash,
});

const documents = { purchaseOrderDocument: null, auditLogDocument: null, signedDocument: null, contactPerson: null };

/** The lean form of webhooks: nested objects are empty. @see docs/rules/offers.md#webhook-form */
export const representOfferForWebhook = (offer: OfferRow) => ({
  ...plainFields(offer),
  customer: {},
  subscription: {},
  recipients: [],
  ...documents,
});

/** What GET answers: with the customer and the subscription. */
export const representOffer = (
  offer: OfferRow,
  customer: CustomerState | undefined,
  subscription: SubscriptionState | undefined,
  recipients: readonly RecipientRow[],
): OfferJson => ({
  ...plainFields(offer),
  customer: customer?.representation ?? { id: offer.customerId },
  subscription: subscription ?? (offer.subscriptionId ? { id: offer.subscriptionId } : null),
  recipients: recipients.map((recipient) => representRecipient(recipient)),
  totals: offer.published?.quote?.totals ?? null,
  recurring: [...(offer.published?.quote?.recurring ?? [])],
  sale: offer.saleState === null ? null : { state: offer.saleState, failure: offer.saleFailure },
  ...documents,
  createdAt: offer.createdAt.toISOString(),
  updatedAt: offer.updatedAt.toISOString(),
});

/** `link` is shown to who made it only. */
export const representRecipient = (recipient: RecipientRow, link?: string): RecipientJson => ({
  id: recipient.id,
  email: recipient.email,
  firstName: recipient.firstName,
  lastName: recipient.lastName,
  role: recipient.role,
  turn: recipient.turn,
  signed: recipient.signedAt !== null,
  signedAt: instant(recipient.signedAt),
  ...(link === undefined ? {} : { link }),
});
