import type { CustomerState, SubscriptionState } from '@kontor/contracts';
import type { OfferRow } from './offer.row.js';
import type { OfferJson } from './offer.schema.js';

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
  signed: false,
  signedAt: null,
  autoActivateSubscription: offer.autoActivateSubscription,
  crmDealId: offer.crmDealId,
  customVariables: offer.customVariables,
  capturedInvoiceDetails: null,
  sections: offer.sections,
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
): OfferJson => ({
  ...plainFields(offer),
  customer: customer?.representation ?? { id: offer.customerId },
  subscription: subscription ?? (offer.subscriptionId ? { id: offer.subscriptionId } : null),
  recipients: [],
  ...documents,
  createdAt: offer.createdAt.toISOString(),
  updatedAt: offer.updatedAt.toISOString(),
});
