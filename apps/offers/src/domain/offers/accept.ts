import { DomainError, invalidTransition } from '@kontor/kernel';
import { agreedHash, isOver, type Offer, type OfferContent } from './offer.js';

export const RECIPIENT_ROLES = ['read', 'sign'] as const;
export type RecipientRole = (typeof RECIPIENT_ROLES)[number];

/** Somebody with a link. Signers sign in the order of their turns; those of one turn in any order. */
export interface Recipient {
  readonly id: string;
  readonly role: RecipientRole;
  readonly turn: number;
  readonly signedAt: Date | null;
}

/** To whom the first invoice goes, as the signing party said. */
export interface InvoiceDetails {
  readonly companyName: string | null;
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly street: string;
  readonly houseNumber: string | null;
  readonly zip: string;
  readonly city: string;
  readonly addition: string | null;
  readonly countryCode: string;
  readonly vatId: string | null;
  readonly poNumber: string | null;
  readonly leitwegId: string | null;
}

type Step = Partial<Offer> & {
  readonly acceptedAt?: Date | null;
  readonly signedAt?: Date | null;
} & Partial<OfferContent>;

/** @throws DomainError 410 `offer_expired` after the end of validity */
export function assertValid(offer: Pick<Offer, 'validUntil' | 'status'>, now: Date): void {
  if (isOver(offer, now)) throw new DomainError('offer_expired', { kind: 'gone', detail: 'The offer has expired.' });
}

/**
 * What was read must be what is published: null accepts the present version.
 * @throws DomainError 409 `offer_changed`
 */
export function assertVersion(offer: Pick<Offer, 'choice' | 'publishedVersionHash'>, versionHash: string | null): void {
  if (versionHash !== null && versionHash !== agreedHash(offer)) throw offerChanged();
}

export const offerChanged = (): DomainError =>
  new DomainError('offer_changed', {
    kind: 'conflict',
    detail: 'The offer was changed since it was read. Read it again.',
  });

/**
 * Accepted as it was published, in one step.
 * @throws DomainError `invalid_status_transition`, `offer_expired`
 */
export function accept(offer: Offer, now: Date): Step {
  const { content } = ofPublished(offer, ['open', 'signing'], 'accept');
  assertValid(offer, now);
  return { ...content, ...signed(offer, now) };
}

/** All signers have signed: either all is known, or somebody has to say where the invoice goes. */
export function completeSigning(offer: Offer, { detailsMissing, now }: { detailsMissing: boolean; now: Date }): Step {
  return detailsMissing
    ? { status: 'awaiting_invoice_details', acceptedAt: now }
    : { acceptedAt: now, ...signed(offer, now) };
}

/**
 * One signer signs. From the first signature on the offer is as it was published, and cannot be edited.
 * @throws DomainError `invalid_status_transition`, `offer_expired`, `recipient_cannot_sign`, `already_signed`, `not_your_turn`
 */
export function sign(
  offer: Offer,
  { recipients, signerId, now }: { recipients: readonly Recipient[]; signerId: string; now: Date },
): { readonly step: Step; readonly isLast: boolean } {
  const { content } = ofPublished(offer, ['open', 'signing'], 'sign');
  assertValid(offer, now);
  const signers = recipients.filter(({ role }) => role === 'sign');
  const signer = signers.find(({ id }) => id === signerId);
  if (!signer) throw cannotSign();
  if (signer.signedAt)
    throw new DomainError('already_signed', { detail: 'This recipient has signed the offer already.' });
  const open = signers.filter(({ id, signedAt }) => id !== signerId && signedAt === null);
  if (open.some(({ turn }) => turn < signer.turn))
    throw new DomainError('not_your_turn', { detail: 'Somebody else has to sign before.' });
  return { step: { ...content, status: 'signing' }, isLast: open.length === 0 };
}

/** @throws DomainError 403: a reader does not decide. */
export const cannotSign = (): DomainError =>
  new DomainError('recipient_cannot_sign', { kind: 'forbidden', detail: 'This recipient may read the offer only.' });

/** @throws DomainError `invalid_status_transition` */
export function giveInvoiceDetails(
  offer: Offer,
  details: InvoiceDetails,
  now: Date,
): Step & {
  readonly capturedInvoiceDetails: InvoiceDetails;
} {
  if (offer.status !== 'awaiting_invoice_details') throw invalidTransition('offer', offer.status, 'invoice-details');
  return { ...signed(offer, now), capturedInvoiceDetails: details };
}

/**
 * Back to open; the signatures that were given count no more.
 * @throws DomainError `invalid_status_transition`
 */
export function cancelSigning(offer: Offer): Step {
  if (offer.status !== 'signing' && offer.status !== 'awaiting_invoice_details')
    throw invalidTransition('offer', offer.status, 'cancel-signing');
  return { status: 'open', acceptedAt: null };
}

const signed = (offer: Offer & { readonly acceptedAt?: Date | null }, now: Date): Step => ({
  status: 'signed',
  acceptedAt: offer.acceptedAt ?? now,
  signedAt: now,
});

/** @throws DomainError `invalid_status_transition` unless it is published and in one of the states */
function ofPublished(offer: Offer, states: readonly Offer['status'][], action: string) {
  if (!states.includes(offer.status)) throw invalidTransition('offer', offer.status, action);
  if (!offer.published)
    throw new DomainError('invalid_status_transition', {
      detail: `"${action}" is not possible for the offer: it is not published.`,
    });
  // The customer may have been merged with another since.
  const { customerId } = offer;
  return { content: { ...offer.published.content, customerId, currentVersionHash: offer.publishedVersionHash! } };
}
