import { DomainError, invalidTransition, validationFailed } from '@kontor/kernel';
import type { MoneyJson, UnitPriceJson } from '@kontor/money';
import type { OfferApproval } from './approval.js';
import type { DealType } from './deal-type.js';
import { itemsOf, type OfferItem } from './items.js';
import type { OfferSection } from './sections.js';
import { writeSections } from './write-sections.js';

export const OFFER_STATUSES = ['open', 'signing', 'awaiting_invoice_details', 'signed', 'archived'] as const;
export type OfferStatus = (typeof OFFER_STATUSES)[number];
export const OFFER_LOCALES = ['de', 'en'] as const;
/** By one click of a recipient, by signatures, or on paper: then staff records it. */
export const ACCEPTANCE_MODES = ['click', 'esignature', 'print'] as const;
export type AcceptanceMode = (typeof ACCEPTANCE_MODES)[number];

/** Whom the buyer can ask. */
export interface ContactPerson {
  readonly firstName: string | null;
  readonly lastName: string;
  readonly role: string | null;
  readonly email: string | null;
  readonly phone: string | null;
}

/** What a recipient reads and agrees to. A change of it after publication is an unpublished change. */
export interface OfferContent {
  readonly customerId: string;
  readonly name: string | null;
  readonly dealType: DealType;
  readonly acceptanceMode: AcceptanceMode;
  readonly locale: string | null;
  readonly subscriptionId: string | null;
  readonly autoActivateSubscription: boolean;
  readonly crmDealId: string | null;
  readonly customVariables: Readonly<Record<string, string | number | boolean | null>> | null;
  /** As they were written: texts may name the values of `customVariables`. */
  readonly sections: readonly OfferSection[];
  readonly contactPerson: ContactPerson | null;
}

/** A quote. `open` until it is accepted or archived; that its validity has passed is no status. */
export interface Offer extends OfferContent {
  readonly id: string;
  readonly number: string;
  readonly status: OfferStatus;
  /** Last moment at which it can be accepted ({@link isOver}); null: without end. */
  readonly validUntil: Date | null;
  /** First publication. */
  readonly issuedAt: Date | null;
  /** The end of validity whose passing was announced: each is announced once. */
  readonly expiredFor: Date | null;
  /** So many days before the end recipients are reminded. */
  readonly reminderDays: readonly number[];
  /** The last reminder. */
  readonly remindedAt: Date | null;
  /** Ids of users whose approval the offer needs beside those that all need. */
  readonly approvers: readonly string[];
  readonly approval: OfferApproval | null;
  readonly currentVersionHash: string;
  readonly publishedVersionHash: string | null;
  /** What recipients see: the content and its price on the day of publication. */
  readonly published: PublishedOffer | null;
  /** What the buyer made of the options; null: as published. */
  readonly choice: OfferChoice | null;
}

/** Options as the buyer wants them, and what that costs; it is agreed to by a hash of its own. */
export interface OfferChoice {
  readonly items: readonly OfferItem[];
  readonly quote: OfferQuote;
  readonly hash: string;
}

/** What of an item is the buyer's to say. */
export const chosenOf = (items: readonly OfferItem[]) =>
  items.map(({ id, selected, quantity }) => [id, selected, quantity] as const);

/** The amounts of a quote: what is due first, and what again and again. */
export const costsOf = ({ currencyCode, totals, lines, recurring }: OfferQuote) => [
  currencyCode,
  totals ? [totals.net.amount, totals.tax.amount, totals.gross.amount] : lines.map(({ netAmount }) => netAmount.amount),
  recurring.map(({ interval, net, gross }) => [interval, net.amount, gross.amount]),
];

/** What was published under a hash, whatever was edited since. */
export interface PublishedOffer {
  readonly content: OfferContent;
  /** The blocks as they read, with the values of that day. */
  readonly sections: readonly OfferSection[];
  /** What the subscription costs, as billing said on that day; null where the offer names none. */
  readonly quote: OfferQuote | null;
  /** What the prices are called, those of options too. */
  readonly prices: readonly OfferPrice[];
}

export interface OfferPrice {
  readonly pricePlan: string;
  readonly name: string;
  readonly unitPrice: UnitPriceJson | null;
  readonly billingInterval: string | null;
}

/** First invoice and what follows, with tax. */
export interface OfferQuote {
  readonly currencyCode: string;
  readonly lines: readonly {
    readonly name: string;
    readonly description: string | null;
    readonly quantity: string;
    readonly netAmount: MoneyJson;
    readonly discountAmount: MoneyJson | null;
  }[];
  readonly totals: OfferTotals | null;
  readonly recurring: readonly { readonly interval: string; readonly net: MoneyJson; readonly gross: MoneyJson }[];
  /** What is billed by use, and how; absent in earlier quotes. */
  readonly measured?: readonly { readonly name: string; readonly interval: string; readonly price: string }[];
  /** How long the contract binds; absent in earlier quotes. */
  readonly term?: {
    readonly contractPeriodCount: number;
    readonly contractPeriod: string | null;
    readonly cancellationPeriod: string | null;
  } | null;
  readonly billingDate: string | null;
}

export interface OfferTotals {
  readonly net: MoneyJson;
  readonly tax: MoneyJson;
  readonly gross: MoneyJson;
  readonly discount: MoneyJson;
}

/** Running number of the tenant's offers, by year: `AN-2026-00001`. */
export const offerNumber = (year: number, sequence: number): string =>
  `AN-${year}-${String(sequence).padStart(5, '0')}`;

/** @throws DomainError `invalid_status_transition` unless the offer is open. */
export function assertOpen(offer: Pick<Offer, 'status'>, action: string): void {
  if (offer.status !== 'open') throw invalidTransition('offer', offer.status, action);
}

/** @throws DomainError `validation_failed` when the validity would already be over. */
/** @throws DomainError 409 `request_in_progress` when it was changed since this version of it was looked at */
export function assertUnchanged(offer: Pick<Offer, 'currentVersionHash'>, versionHash: string): void {
  if (offer.currentVersionHash === versionHash) return;
  throw new DomainError('request_in_progress', {
    kind: 'conflict',
    detail: 'The offer was changed meanwhile.',
    retryAfterSeconds: 1,
  });
}

export function assertValidity(validUntil: Date | null, now: Date): void {
  if (validUntil && validUntil <= now)
    throw validationFailed('validUntil', 'The end of validity must lie in the future.', 'must_be_in_future');
}

/**
 * The offer as published now. Publishing again publishes the changes since.
 * @throws DomainError `invalid_status_transition`, `validation_failed` when its validity is over
 */
export function publish(
  offer: Offer,
  { quote, prices }: Pick<PublishedOffer, 'quote' | 'prices'>,
  now: Date,
): Pick<Offer, 'issuedAt' | 'publishedVersionHash' | 'published' | 'choice'> {
  assertOpen(offer, 'publish');
  assertValidity(offer.validUntil, now);
  return {
    issuedAt: offer.issuedAt ?? now,
    publishedVersionHash: offer.currentVersionHash,
    published: { content: contentOf(offer), sections: writeSections(offer), quote, prices },
    choice: null,
  };
}

/** The hash of what a recipient sees and agrees to. */
export const agreedHash = (offer: Pick<Offer, 'choice' | 'publishedVersionHash'>): string | null =>
  offer.choice?.hash ?? offer.publishedVersionHash;

/** The items of a published offer as the buyer wants them. */
export const chosenItems = ({ choice, published }: Pick<Offer, 'choice' | 'published'>): readonly OfferItem[] =>
  choice?.items ?? itemsOf(published?.content.sections ?? []);

/** What a published offer costs as the buyer wants it. */
export const agreedQuote = ({ choice, published }: Pick<Offer, 'choice' | 'published'>): OfferQuote | null =>
  choice?.quote ?? published?.quote ?? null;

/** The content alone. */
export const contentOf = (offer: OfferContent): OfferContent => ({
  customerId: offer.customerId,
  name: offer.name,
  dealType: offer.dealType,
  acceptanceMode: offer.acceptanceMode,
  locale: offer.locale,
  subscriptionId: offer.subscriptionId,
  autoActivateSubscription: offer.autoActivateSubscription,
  crmDealId: offer.crmDealId,
  customVariables: offer.customVariables,
  sections: offer.sections,
  contactPerson: offer.contactPerson,
});

/**
 * The new end of validity, later than now and than the old one. An offer that has expired can be extended too.
 * @throws DomainError `invalid_status_transition`, `validation_failed`
 */
export function extend(offer: Offer, validUntil: Date, now: Date): Pick<Offer, 'validUntil'> {
  assertOpen(offer, 'extend');
  assertValidity(validUntil, now);
  if (offer.validUntil && validUntil <= offer.validUntil) {
    throw validationFailed('validUntil', 'The offer is valid at least that long already.', 'must_be_later');
  }
  return { validUntil };
}

/** @throws DomainError `invalid_status_transition` for a signed or archived offer. */
export function archive(offer: Offer): Pick<Offer, 'status'> {
  if (offer.status === 'signed' || offer.status === 'archived')
    throw invalidTransition('offer', offer.status, 'archive');
  return { status: 'archived' };
}

/** First moment at which nobody can accept it any more: instants are whole milliseconds. */
const endOf = (validUntil: Date): Date => new Date(validUntil.getTime() + 1);

/** Whether its validity has passed before anybody accepted it. */
export function isOver({ status, validUntil }: Pick<Offer, 'status' | 'validUntil'>, now: Date): boolean {
  const waits = status === 'open' || status === 'signing';
  return waits && validUntil !== null && endOf(validUntil) <= now;
}

/**
 * When the offer expires next: published, open, and its end not yet announced. Null when it never will as it stands.
 */
export function nextExpiry(offer: Offer): Date | null {
  if (offer.status !== 'open' || !offer.issuedAt || !offer.validUntil) return null;
  return offer.expiredFor?.getTime() === offer.validUntil.getTime() ? null : endOf(offer.validUntil);
}

/** True when its validity has passed and that was not announced. */
export const hasExpired = (offer: Offer, now: Date): boolean => isOver(offer, now) && nextExpiry(offer) !== null;
