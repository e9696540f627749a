import type { CustomerState, SubscriptionState } from '@kontor/contracts';
import type { OfferRow } from './offer.row.js';
import type { RecipientRow } from '../recipients/recipient.row.js';
import { representFile } from '../files/document.schema.js';
import type { DocumentKind, OfferDocumentRow } from '../files/offer-document.row.js';
import { approvalState } from '../domain/offers/approval.js';
import { agreedQuote, chosenItems } from '../domain/offers/offer.js';
import type { OfferItemJson, OfferJson, RecipientJson } from './offer.schema.js';

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
  files: readonly OfferDocumentRow[],
): OfferJson => ({
  ...plainFields(offer),
  customer: customer?.representation ?? { id: offer.customerId },
  subscription: subscription ?? idOf(offer.subscriptionId ?? offer.madeSubscriptionId),
  recipients: recipients.map((recipient) => representRecipient(recipient)),
  items: representItems(offer),
  totals: agreedQuote(offer)?.totals ?? null,
  recurring: [...(agreedQuote(offer)?.recurring ?? [])],
  sale:
    offer.saleState === null
      ? null
      : {
          state: offer.saleState,
          failure: offer.saleFailure,
          subscription: offer.saleState === 'done' ? idOf(offer.madeSubscriptionId) : null,
          invoice: idOf(offer.madeInvoiceId),
        },
  approvers: [...offer.approvers],
  approval: representApproval(offer),
  reminderDays: [...offer.reminderDays],
  ...documents,
  contactPerson: offer.contactPerson && { ...offer.contactPerson },
  purchaseOrderDocument: fileOf(files, 'purchase_order'),
  auditLogDocument: fileOf(files, 'audit_log'),
  signedDocument: fileOf(files, 'signed'),
  createdAt: offer.createdAt.toISOString(),
  updatedAt: offer.updatedAt.toISOString(),
});

function representApproval(offer: OfferRow): OfferJson['approval'] {
  const { approval } = offer;
  const state = approvalState(offer);
  if (!approval || !state) return null;
  const { requestedAt, requestedBy, approvers, decisions } = approval;
  return { state, requestedAt, requestedBy, approvers: [...approvers], decisions: [...decisions] };
}

const fileOf = (files: readonly OfferDocumentRow[], kind: DocumentKind) => {
  const found = files.findLast((file) => file.kind === kind);
  return found ? representFile(found) : null;
};

const idOf = (id: string | null): { id: string } | null => (id === null ? null : { id });

/** What is sold, with the names and prices that were published. */
export function representItems(offer: OfferRow): OfferItemJson[] {
  const prices = new Map(offer.published?.prices.map((price) => [price.pricePlan, price]));
  return chosenItems(offer).map(({ subscriptionItem: _, ...item }) => {
    const price = prices.get(item.pricePlan);
    return {
      ...item,
      name: item.name ?? price?.name ?? null,
      unitPrice: price?.unitPrice ?? null,
      billingInterval: price?.billingInterval ?? null,
    };
  });
}

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
