import type { BillingSettings } from './billing-settings.schema.js';

/** `to_check`: it has a value that nobody has chosen, which may be right. */
export const GO_LIVE_STATES = ['done', 'missing', 'to_check'] as const;

export interface GoLiveItem {
  /** Stable name, for programs. */
  readonly item: string;
  readonly state: (typeof GO_LIVE_STATES)[number];
  /** Without it no invoice can be issued or paid. */
  readonly required: boolean;
  /** What to do, for people. */
  readonly todo: string;
  /** The operation that does it. */
  readonly operation: string;
}

/** What a tenant has, as far as its first live invoice needs it. */
export interface GoLiveFacts {
  readonly settings: BillingSettings;
  /** Keys of the settings that somebody has set. */
  readonly chosen: readonly string[];
  readonly hasPrice: boolean;
}

const SETTINGS = 'updateBillingSettings';

/** What a tenant needs before it bills for real, in the order in which it is best done. */
export function goLiveItems({ settings, chosen, hasPrice }: GoLiveFacts): GoLiveItem[] {
  const { seller, checkout } = settings;
  const { street, zip, city, countryCode } = seller.address;
  const has = (...values: readonly (string | null)[]): boolean => values.every((value) => Boolean(value?.trim()));
  const needed = (item: string, isThere: boolean, todo: string, operation = SETTINGS): GoLiveItem => ({
    item,
    state: isThere ? 'done' : 'missing',
    required: true,
    todo,
    operation,
  });
  const advised = (item: string, isThere: boolean, todo: string): GoLiveItem => ({
    ...needed(item, isThere, todo),
    required: false,
  });
  const decided = (item: string, keys: readonly string[], todo: string): GoLiveItem => ({
    item,
    state: keys.some((key) => chosen.includes(key)) ? 'done' : 'to_check',
    required: false,
    todo,
    operation: SETTINGS,
  });
  return [
    needed('seller_company', has(seller.company), 'Set `seller.company`: the name on every document.'),
    needed(
      'seller_address',
      has(street, zip, city, countryCode),
      'Set `seller.address` with street, zip, city and country.',
    ),
    needed('seller_tax_id', has(seller.taxNumber) || has(seller.vatId), 'Set `seller.taxNumber` or `seller.vatId`.'),
    needed(
      'bank_account',
      has(seller.bankAccount.iban),
      'Set `seller.bankAccount`: where transfers go, and what the QR code holds.',
    ),
    needed('price', hasPrice, 'Create a product and an active price plan.', 'createPricePlan'),
    advised(
      'contact',
      has(seller.contact.email),
      'Set `seller.contact`: whom customers ask, and who gets their replies.',
    ),
    advised(
      'creditor_identifier',
      has(seller.creditorIdentifier),
      'Set `seller.creditorIdentifier` before you collect by SEPA direct debit.',
    ),
    advised(
      'checkout_pages',
      has(checkout.termsUrl, checkout.privacyUrl, checkout.imprintUrl),
      'Set the addresses of terms, privacy and imprint in `checkout` before you sell by links.',
    ),
    decided(
      'numbers',
      ['numberFormats'],
      'Look at `numberFormats`: the first invoice takes the first number, and there is no gap and no way back.',
    ),
    decided(
      'taxes',
      ['smallBusiness', 'oss'],
      'Decide `smallBusiness` (§ 19 UStG) and `oss` (taxes of other EU countries).',
    ),
    decided('payment_term', ['paymentTermDays'], 'Decide `paymentTermDays`: 14 days unless you say otherwise.'),
  ];
}

/** Whether the first invoice can be issued and paid. */
export const isReady = (items: readonly GoLiveItem[]): boolean =>
  items.every(({ required, state }) => !required || state === 'done');
