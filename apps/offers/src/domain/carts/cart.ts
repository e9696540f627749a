import { DomainError, invalidTransition } from '@kontor/kernel';
import { leastQuantity } from '../least-quantity.js';

export const CART_STATUSES = ['open', 'confirming', 'redirect_to_payment', 'expired', 'completed', 'paid'] as const;
export type CartStatus = (typeof CART_STATUSES)[number];

/** How long a cart can be confirmed. */
export const CART_LIFE_MS = 24 * 3_600_000;

/** One thing in a cart: a plan with all its prices, or one price. */
export interface CartItem {
  readonly id: string;
  readonly pricePlan: string | null;
  readonly plan: string | null;
  readonly quantity: string;
}

/** What a link allows its buyers. */
export interface LinkOptions {
  readonly trialDays: number;
  readonly allowCoupons: boolean;
  readonly quantityEditable: boolean;
  readonly minQuantity: string | null;
  readonly maxQuantity: string | null;
  readonly forceCompany: boolean;
}

/** Of carts that staff or a program fills. */
export const OPEN_OPTIONS: LinkOptions = {
  trialDays: 0,
  allowCoupons: true,
  quantityEditable: true,
  minQuantity: null,
  maxQuantity: null,
  forceCompany: false,
};

/** What happens after the order: a page of the seller, or a text. */
export interface AfterCheckout {
  readonly url: string | null;
  readonly confirmationMessage: string | null;
}

/** Something that the page asks for beside who buys. */
export interface AskedField {
  readonly key: string;
  readonly label: string;
  readonly required: boolean;
}

/** How the pages of a link look, what they ask for, and where they may lead or be shown. */
export interface LinkPage {
  readonly languages: readonly ('de' | 'en')[];
  readonly customFields: readonly AskedField[];
  readonly termsUrl: string | null;
  readonly privacyUrl: string | null;
  /** Origins beside that of `afterCheckout.url` to which a buyer may be led. */
  readonly redirectOrigins: readonly string[];
  /** Origins that may show the pages in a frame. */
  readonly embedOrigins: readonly string[];
  /** Whether a buyer who is known and leaves is reminded once. */
  readonly sendReminder: boolean;
}

/** Of carts that staff or a program fills. */
export const PLAIN_PAGE: LinkPage = {
  languages: ['de', 'en'],
  customFields: [],
  termsUrl: null,
  privacyUrl: null,
  redirectOrigins: [],
  embedOrigins: [],
  sendReminder: false,
};

/** Who buys, as far as it was said. */
export interface Buyer {
  readonly companyName: string | null;
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly street: string | null;
  readonly houseNumber: string | null;
  readonly zip: string | null;
  readonly city: string | null;
  readonly addition: string | null;
  readonly countryCode: string | null;
  readonly vatId: string | null;
}

/** @throws DomainError 410 `cart_expired`, `invalid_status_transition` unless the cart can still be changed */
export function assertChangeable(cart: { status: CartStatus; expiresAt: Date }, now: Date, action: string): void {
  if (cart.status === 'expired' || (cart.status === 'open' && cart.expiresAt <= now))
    throw new DomainError('cart_expired', { kind: 'gone', detail: 'The cart has expired. Begin a new one.' });
  if (cart.status !== 'open') throw invalidTransition('cart', cart.status, action);
}

/** The items with another quantity of one of them. @throws DomainError `quantity_not_editable`, `validation_failed`, `unknown_reference` */
export function changeQuantity(
  items: readonly CartItem[],
  wanted: { readonly itemId: string; readonly quantity: string },
  options: LinkOptions,
): CartItem[] {
  if (!options.quantityEditable)
    throw new DomainError('quantity_not_editable', { detail: 'The quantity of this offer is fixed.' });
  const item = items.find(({ id, pricePlan, plan }) => [id, pricePlan, plan].includes(wanted.itemId));
  if (!item)
    throw new DomainError('unknown_reference', {
      detail: 'The cart has no such item.',
      violations: [{ propertyPath: 'item', message: 'The cart has no such item.', code: 'unknown_reference' }],
    });
  if (item.plan !== null)
    throw new DomainError('quantity_not_editable', { detail: 'A plan has the quantities that are part of it.' });
  assertQuantity(wanted.quantity, { ...options, minQuantity: leastQuantity(options.minQuantity, item.quantity) });
  return items.map((known) => (known === item ? { ...item, quantity: wanted.quantity } : known));
}

/** @throws DomainError `validation_failed` outside of these bounds */
export function assertQuantity(
  quantity: string,
  { minQuantity, maxQuantity }: Pick<LinkOptions, 'minQuantity' | 'maxQuantity'>,
): void {
  const below = Number(quantity) <= 0 || (minQuantity !== null && Number(quantity) < Number(minQuantity));
  const above = maxQuantity !== null && Number(quantity) > Number(maxQuantity);
  if (!below && !above) return;
  const message = `The quantity must be ${minQuantity === null ? 'above 0' : `at least ${minQuantity}`}${
    maxQuantity === null ? '' : ` and at most ${maxQuantity}`
  }.`;
  throw new DomainError('validation_failed', {
    detail: message,
    violations: [{ propertyPath: 'quantity', message, code: 'out_of_bounds' }],
  });
}

interface SalesWindow {
  readonly isEnabled: boolean;
  readonly enabledFrom: Date | null;
  readonly enabledUntil: Date | null;
  readonly maxSales: number | null;
  readonly sold: number;
}

/** Why a link is closed: by its seller, its window or its limit; null: it is not. */
export function closedBy(link: SalesWindow, now: Date): 'link_disabled' | 'link_not_open' | 'sold_out' | null {
  const { enabledFrom, enabledUntil, maxSales } = link;
  if (!link.isEnabled) return 'link_disabled';
  if ((enabledFrom && now < enabledFrom) || (enabledUntil && now >= enabledUntil)) return 'link_not_open';
  return maxSales !== null && link.sold >= maxSales ? 'sold_out' : null;
}

/** @throws DomainError `link_disabled`, `link_not_open`, `sold_out` */
export function assertOnSale(link: SalesWindow, now: Date): void {
  const reason = closedBy(link, now);
  if (reason === 'link_disabled')
    throw new DomainError('link_disabled', { detail: 'Nothing is sold by this link at present.' });
  if (reason === 'link_not_open')
    throw new DomainError('link_not_open', { detail: 'This link does not sell at this time.' });
  if (reason === 'sold_out') throw soldOut();
}

export const soldOut = (): DomainError => new DomainError('sold_out', { detail: 'Everything has been sold.' });

/** No open redirect: only the seller's own pages. @throws DomainError `redirect_not_allowed` */
export function assertRedirect(
  url: string,
  { afterCheckout, page }: { afterCheckout: AfterCheckout; page: LinkPage },
): void {
  const originOf = (text: string): string | null => (URL.canParse(text) ? new URL(text).origin : null);
  const allowed = [...page.redirectOrigins, ...(afterCheckout.url === null ? [] : [originOf(afterCheckout.url)])];
  const origin = originOf(url);
  if (origin !== null && origin !== 'null' && allowed.includes(origin)) return;
  throw new DomainError('redirect_not_allowed', {
    detail: 'The address is not among those to which buyers may be led.',
    violations: [
      {
        propertyPath: 'newPaymentMethod.redirectUrl',
        message: 'The address is not among those to which buyers may be led.',
        code: 'redirect_not_allowed',
      },
    ],
  });
}

/** The answers to what the page asks for. @throws DomainError `validation_failed` */
export function answersOf(
  asked: readonly AskedField[],
  given: Readonly<Record<string, string>> | null,
): Record<string, string> | null {
  const violations = [
    ...Object.keys(given ?? {})
      .filter((key) => !asked.some((field) => field.key === key))
      .map((key) => ({ propertyPath: `customFields.${key}`, message: 'This is not asked for.', code: 'unknown_key' })),
    ...asked
      .filter(({ key, required }) => required && !given?.[key]?.trim())
      .map(({ key }) => ({ propertyPath: `customFields.${key}`, message: 'This is needed.', code: 'required' })),
  ];
  if (violations.length > 0)
    throw new DomainError('validation_failed', { detail: 'Custom fields are not as they are asked for.', violations });
  const answers = asked.flatMap(({ key }): [string, string][] => {
    const answer = given?.[key]?.trim() ?? '';
    return answer === '' ? [] : [[key, answer]];
  });
  return answers.length === 0 ? null : Object.fromEntries(answers);
}
