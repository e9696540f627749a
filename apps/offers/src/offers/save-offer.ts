import { type Notice, offerChangedV1 } from '@kontor/contracts';
import { appendEvents } from '@kontor/messaging';
import { cancelDue, scheduleDue, type TenantTx } from '@kontor/persistence';
import { type OfferRow, offers } from './offer.row.js';
import { nextExpiry } from '../domain/offers/offer.js';
import { nextReminder } from '../domain/offers/reminders.js';
import { representOfferForWebhook } from './represent-offer.js';

/** Due work: the end of an offer's validity, by offer id. */
export const OFFER_EXPIRY = 'offers.expiry';

/** Due work: what billing has to do for an offer that was accepted, put away or deleted, by offer id. */
export const OFFER_SALE = 'offers.sale';
export const saleOf = ({ id }: Pick<OfferRow, 'id'>, dueAt: Date) => ({ kind: OFFER_SALE, ref: id, dueAt });

/** Due work: the signed offer and its audit log as files, by offer id. */
export const OFFER_DOCUMENTS = 'offers.documents';

/** Due work: recipients are reminded before the end, by offer id. */
export const OFFER_REMINDER = 'offers.reminder';

export type OfferNotice =
  | 'offer.published'
  | 'offer.expired'
  | 'offer.archived'
  | 'offer.signed'
  | 'offer.approval.requested'
  | 'offer.approved'
  | 'offer.rejected';

/**
 * Stores the offer with its next version and publishes it, in this transaction. A stored offer is locked before it
 * is changed.
 */
export async function saveOffer(tx: TenantTx, offer: OfferRow, notice: OfferNotice | null): Promise<void> {
  offer.version += 1n;
  offer.updatedAt = tx.now;
  if (offer.version === 1n) await offers.insert(tx, offer);
  else await offers.update(tx, offer);
  await appendEvents(tx, offerChangedV1, [changeOf(offer, notice)]);
}

/**
 * The ends of validity of these have passed: the check and who opens the link first ask under the offers' locks, and one of them says it.
 * So many offers by as many statements as one.
 */
export async function announceExpiry(tx: TenantTx, expired: readonly OfferRow[]): Promise<void> {
  if (expired.length === 0) return;
  for (const offer of expired) {
    offer.version += 1n;
    offer.updatedAt = tx.now;
    offer.expiredFor = offer.validUntil;
  }
  await offers.update(tx, expired, ['version', 'updatedAt', 'expiredFor']);
  await appendEvents(
    tx,
    offerChangedV1,
    expired.map((offer) => changeOf(offer, 'offer.expired')),
  );
}

const changeOf = (offer: OfferRow, notice: OfferNotice | null) => ({
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

/** Sets or cancels the alarms. Not for a worker about its own: it names the next time when it completes its item. */
export async function setAlarms(tx: TenantTx, offer: OfferRow): Promise<void> {
  for (const [kind, dueAt] of [
    [OFFER_EXPIRY, nextExpiry(offer)],
    [OFFER_REMINDER, nextReminder(offer)],
  ] as const) {
    if (dueAt) await scheduleDue(tx, { kind, ref: offer.id, dueAt });
    else await cancelDue(tx, kind, offer.id);
  }
}

const noticeOf = (type: OfferNotice, offer: OfferRow): Notice => ({
  type,
  objectId: offer.id,
  data: { offer: representOfferForWebhook(offer) },
  customerId: offer.customerId,
  activity: { metadata: { offerId: offer.id, number: offer.number } },
});
