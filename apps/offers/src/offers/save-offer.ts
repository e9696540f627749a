import { type Notice, offerChangedV1 } from '@kontor/contracts';
import { appendEvent } from '@kontor/messaging';
import { cancelDue, scheduleDue, type TenantTx } from '@kontor/persistence';
import { type OfferRow, offers } from './offer.row.js';
import { nextExpiry } from '../domain/offers/offer.js';
import { representOfferForWebhook } from './represent-offer.js';

/** Due work: the end of an offer's validity, by offer id. */
export const OFFER_EXPIRY = 'offers.expiry';

/** Due work: what billing has to do for an offer that was accepted or put away, by offer id. */
export const OFFER_SALE = 'offers.sale';
export const saleOf = ({ id }: OfferRow, dueAt: Date) => ({ kind: OFFER_SALE, ref: id, dueAt });

/** Due work: the signed offer and its audit log as files, by offer id. */
export const OFFER_DOCUMENTS = 'offers.documents';

export type OfferNotice = 'offer.published' | 'offer.expired' | 'offer.archived' | 'offer.signed';

/**
 * Stores the offer with its next version and publishes it, in this transaction. A stored offer is locked before it
 * is changed.
 */
export async function saveOffer(tx: TenantTx, offer: OfferRow, notice: OfferNotice | null): Promise<void> {
  offer.version += 1n;
  offer.updatedAt = tx.now;
  if (offer.version === 1n) await offers.insert(tx, offer);
  else await offers.update(tx, offer);
  await appendEvent(tx, offerChangedV1, {
    aggregateId: offer.id,
    aggregateSeq: Number(offer.version),
    payload: {
      id: offer.id,
      version: Number(offer.version),
      deleted: false,
      state: {
        id: offer.id,
        number: offer.number,
        status: offer.status,
        customerId: offer.customerId,
        validUntil: offer.validUntil?.toISOString() ?? null,
      },
      notices: notice ? [noticeOf(notice, offer)] : [],
    },
  });
}

/** The end of validity has passed: the check and who opens the link first ask under the offer's lock, and one of them says it. */
export async function announceExpiry(tx: TenantTx, offer: OfferRow): Promise<void> {
  offer.expiredFor = offer.validUntil;
  await saveOffer(tx, offer, 'offer.expired');
}

/** Sets or cancels the alarm. Not for the worker itself: it names the next time when it completes its item. */
export async function setExpiryAlarm(tx: TenantTx, offer: OfferRow): Promise<void> {
  const dueAt = nextExpiry(offer);
  if (dueAt) await scheduleDue(tx, { kind: OFFER_EXPIRY, ref: offer.id, dueAt });
  else await cancelDue(tx, OFFER_EXPIRY, offer.id);
}

const noticeOf = (type: OfferNotice, offer: OfferRow): Notice => ({
  type,
  objectId: offer.id,
  data: { offer: representOfferForWebhook(offer) },
  customerId: offer.customerId,
  activity: null,
});
