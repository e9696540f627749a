import type { CheckoutMethodsResponse } from '@kontor/contracts';
import type { CartRow } from '../carts/cart.row.js';
import { mandateReferenceOf } from '../carts/mandate-reference.js';
import type { BuyerForm } from '../pages/buyer-form-fields.js';
import type { CartPage } from '../pages/cart-page.js';
import type { PageLanguage } from '../pages/layout.js';
import type { Surroundings } from './surroundings.js';

interface Shown {
  readonly language: PageLanguage;
  readonly path: string;
  readonly around: Surroundings;
  readonly form: BuyerForm;
  readonly gateways: readonly string[];
  readonly mandate: CheckoutMethodsResponse['mandate'];
}

/** The cart as its page shows it. */
export function cartPageOf(cart: CartRow, { language, path, around, form, gateways, mandate }: Shown): CartPage {
  const { quote, options } = cart;
  const prices = cart.items.filter(({ pricePlan }) => pricePlan !== null);
  // Lines of a plan come first, then one of each price, in their order.
  const lines = prices.length === 0 ? [] : quote.lines.slice(-prices.length);
  return {
    language,
    languages: cart.page.languages,
    path,
    ...around,
    trialDays: options.trialDays,
    editable: options.quantityEditable
      ? prices.map(({ id, quantity }, n) => ({ id, quantity, name: lines[n]?.name ?? '' }))
      : [],
    allowCoupons: options.allowCoupons,
    isKnown: cart.customerId !== null,
    forceCompany: options.forceCompany,
    asked: cart.page.customFields,
    vatIdStatus: quote.vatIdStatus ?? null,
    // A known customer pays as agreed, unless something else is chosen.
    gateways: cart.customerId === null ? gateways : ['', ...gateways],
    mandate: mandate && {
      creditorLines: mandate.creditorLines,
      creditorIdentifier: mandate.creditorIdentifier,
      // Of the confirmation that this page leads to.
      reference: mandateReferenceOf(cart.id, cart.attempt + 1),
      ...mandate.texts[language],
    },
    form,
    lines: quote.lines,
    totals: quote.totals,
    recurring: quote.recurring,
    measured: quote.measured ?? [],
    term: quote.term ?? null,
  };
}
