import type { LegalLinks } from '@kontor/service-kit';
import type { AskedField } from '../domain/carts/cart.js';
import { askedFields, type BuyerForm, buyerFields, field } from './buyer-form-fields.js';
import { type CartTexts, CART_TEXTS } from './cart-texts.js';
import { type Html, markup } from './html.js';
import { layout, type PageLanguage, type PageLook } from './layout.js';
import { paymentFields, type ShownMandate } from './payment-fields.js';
import { priceTable, type PriceTable } from './price-table.js';

/** What the page of a cart shows. */
export interface CartPage extends PriceTable {
  readonly language: PageLanguage;
  readonly languages: readonly PageLanguage[];
  readonly path: string;
  readonly seller: string;
  readonly sandbox: boolean;
  readonly look: PageLook;
  readonly legal: LegalLinks;
  readonly trialDays: number;
  /** Items whose quantity the buyer may change, by the names of their lines. */
  readonly editable: readonly { readonly id: string; readonly quantity: string; readonly name: string }[];
  readonly allowCoupons: boolean;
  /** A customer that is known already needs to say nothing. */
  readonly isKnown: boolean;
  readonly forceCompany: boolean;
  readonly asked: readonly AskedField[];
  readonly vatIdStatus: string | null;
  readonly gateways: readonly string[];
  readonly mandate: ShownMandate | null;
  readonly form: BuyerForm;
}

/** The order, all on one page; it works without scripts. */
export function cartPage(page: CartPage, problem: string | null = null): string {
  const t = CART_TEXTS[page.language];
  const { language, languages, seller, path, look } = page;
  const total = page.totals?.gross;
  const body = markup`<h1>${t.title}</h1><p class="lead">${t.lead(seller)}</p>
${page.sandbox && markup`<p class="note">${t.sandbox}</p>`}
${problem !== null && markup`<p class="error" role="alert">${t.problems[problem] ?? t.otherProblem}</p>`}
<form method="post" action="${path}?lang=${language}">
${total && markup`<input type="hidden" name="total" value="${total.amount}"><input type="hidden" name="currency" value="${total.currencyCode}">`}
<div class="columns"><div>${!page.isKnown && buyerFields(page, t)}${askedFields(page.asked, page.form, t)}${paymentFields(page, t, problem)}</div>
<div class="side">${order(page, t)}${consent(page, t)}</div></div></form>`;
  return layout({ language, languages, title: t.title, seller, path, look, legal: page.legal }, body);
}

function order(page: CartPage, t: CartTexts): Html {
  return markup`<section class="card"><h2>${t.order}</h2>
${page.trialDays > 0 && markup`<p class="note">${t.trial(page.trialDays)}</p>`}
${priceTable(page, t, page.language)}
${page.editable.map(
  ({ id, quantity, name }) =>
    markup`<div class="field"><label for="q-${id}">${t.quantity}: ${name}</label>
<input class="quantity" type="text" inputmode="decimal" id="q-${id}" name="quantity-${id}" value="${quantity}" maxlength="20"></div>`,
)}
${page.allowCoupons && field('coupon', t.coupon, page.form.coupon, 'off', { optional: t.optional })}
<button class="second" type="submit" name="action" value="update" formnovalidate>${t.recalculate}</button></section>`;
}

/** What the law wants said right before the button, and the button. @see § 312j (2), (3) BGB, § 355 BGB */
function consent({ seller, legal }: CartPage, t: CartTexts): Html {
  const link = (href: string | null, words: string): Html | string =>
    href === null ? words : markup`<a href="${href}" target="_blank" rel="noopener noreferrer">${words}</a>`;
  const [before, after] = t.terms(seller);
  return markup`<section class="card"><h2>${t.withdrawalTitle}</h2><p class="hint">${t.withdrawal}
${legal.withdrawalUrl !== null && link(legal.withdrawalUrl, t.withdrawalLink)}</p>
<label class="check"><input type="checkbox" name="terms" value="yes" required><span>${before}${link(legal.termsUrl, t.termsLink)}${after}</span></label>
${legal.privacyUrl !== null && markup`<p class="hint">${link(legal.privacyUrl, t.privacyLink)}</p>`}
<button type="submit" name="action" value="order">${t.confirm}</button></section>`;
}

/** The page of a link: one step before there is a cart, as opening an address must change nothing. */
export function linkPage(page: {
  readonly language: PageLanguage;
  readonly languages: readonly PageLanguage[];
  readonly path: string;
  readonly seller: string;
  readonly sandbox: boolean;
  readonly look: PageLook;
  readonly legal: LegalLinks;
  readonly name: string | null;
}): string {
  const t = CART_TEXTS[page.language];
  const body = markup`<section class="card result"><h1>${page.name ?? t.title}</h1><p class="lead">${t.lead(page.seller)}</p>
${page.sandbox && markup`<p class="note">${t.sandbox}</p>`}
<form method="post" action="${page.path}?lang=${page.language}"><button type="submit">${t.start}</button></form></section>`;
  return layout({ ...page, title: page.name ?? t.title, narrow: true }, body);
}
