import { type CartTexts, CART_TEXTS } from './cart-texts.js';
import { type Html, markup } from './html.js';
import { layout, type PageLanguage } from './layout.js';
import { priceTable, type PriceTable } from './price-table.js';

/** What was typed, so that nobody has to type it twice. */
export interface BuyerForm {
  readonly email: string;
  readonly phone: string;
  readonly companyName: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly street: string;
  readonly houseNumber: string;
  readonly zip: string;
  readonly city: string;
  readonly countryCode: string;
  readonly vatId: string;
  readonly coupon: string;
  readonly gateway: string;
}

/** What the page of a cart shows. */
export interface CartPage extends PriceTable {
  readonly language: PageLanguage;
  readonly path: string;
  readonly seller: string;
  readonly sandbox: boolean;
  readonly trialDays: number;
  /** Items whose quantity the buyer may change, by the names of their lines. */
  readonly editable: readonly { readonly id: string; readonly quantity: string; readonly name: string }[];
  readonly allowCoupons: boolean;
  /** A customer that is known already needs to say nothing. */
  readonly isKnown: boolean;
  readonly forceCompany: boolean;
  readonly vatIdStatus: string | null;
  readonly gateways: readonly string[];
  readonly form: BuyerForm;
}

const COUNTRIES = [
  'DE',
  'AT',
  'CH',
  'BE',
  'BG',
  'CY',
  'CZ',
  'DK',
  'EE',
  'ES',
  'FI',
  'FR',
  'GB',
  'GR',
  'HR',
  'HU',
  'IE',
  'IT',
  'LI',
  'LT',
  'LU',
  'LV',
  'MT',
  'NL',
  'NO',
  'PL',
  'PT',
  'RO',
  'SE',
  'SI',
  'SK',
  'US',
];

/** The order, all on one page; it works without scripts. */
export function cartPage(page: CartPage, problem: string | null = null): string {
  const t = CART_TEXTS[page.language];
  const total = page.totals?.gross;
  const body = markup`<h1>${t.title}</h1><p class="lead">${t.lead(page.seller)}</p>
${page.sandbox && markup`<p class="note">${t.sandbox}</p>`}
${problem !== null && markup`<p class="error" role="alert">${t.problems[problem] ?? t.otherProblem}</p>`}
<form method="post" action="${page.path}?lang=${page.language}">
${total && markup`<input type="hidden" name="total" value="${total.amount}"><input type="hidden" name="currency" value="${total.currencyCode}">`}
<div class="columns"><div>${!page.isKnown && buyer(page, t)}${payment(page, t)}</div>
<div class="side">${order(page, t)}${consent(page, t)}</div></div></form>`;
  return layout({ language: page.language, title: t.title, seller: page.seller, path: page.path }, body);
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

interface FieldOptions {
  readonly type?: string;
  readonly optional?: string;
}

const field = (
  name: string,
  label: string,
  value: string,
  autocomplete: string,
  { type = 'text', optional }: FieldOptions = {},
): Html =>
  markup`<div class="field"><label for="${name}">${label} ${optional}</label>
<input type="${type}" id="${name}" name="${name}" value="${value}"
autocomplete="${autocomplete}" maxlength="255"${optional === undefined && markup` required`}></div>`;

function buyer({ form, language, forceCompany, vatIdStatus }: CartPage, t: CartTexts): Html {
  const names = new Intl.DisplayNames(language, { type: 'region' });
  const options = COUNTRIES.map(
    (code) =>
      markup`<option value="${code}"${code === form.countryCode && markup` selected`}>${names.of(code) ?? code}</option>`,
  );
  const { optional } = t;
  const vatState = vatIdStatus === null || form.vatId === '' ? undefined : t.vatIdStates[vatIdStatus];
  return markup`<section class="card"><h2>${t.contact}</h2>
<div class="pair">${field('email', t.email, form.email, 'email', { type: 'email' })}${field('phone', t.phone, form.phone, 'tel', { type: 'tel' })}</div>
${field('companyName', t.company, form.companyName, 'organization', forceCompany ? {} : { optional })}
<div class="pair">${field('firstName', t.firstName, form.firstName, 'given-name', { optional })}
${field('lastName', t.lastName, form.lastName, 'family-name', { optional })}</div>
<div class="pair">${field('street', t.street, form.street, 'address-line1')}${field('houseNumber', t.houseNumber, form.houseNumber, 'off', { optional })}</div>
<div class="pair short">${field('zip', t.zip, form.zip, 'postal-code')}${field('city', t.city, form.city, 'address-level2')}</div>
<div class="field"><label for="countryCode">${t.country}</label><select id="countryCode" name="countryCode" autocomplete="country">${options}</select></div>
${field('vatId', t.vatId, form.vatId, 'off', { optional })}${vatState && markup`<p class="hint" role="status">${vatState}</p>`}</section>`;
}

function payment({ gateways, form }: CartPage, t: CartTexts): Html {
  const chosen = form.gateway === '' ? gateways[0] : form.gateway;
  const ways = gateways.map(
    (gateway) =>
      markup`<label class="check"><input type="radio" name="gateway" value="${gateway}"${gateway === chosen && markup` checked`}>
<span>${t.ways[gateway] ?? gateway}</span></label>`,
  );
  return markup`<section class="card"><fieldset><legend><h2>${t.pay}</h2></legend>${ways}</fieldset></section>`;
}

const consent = (page: CartPage, t: CartTexts): Html =>
  markup`<section class="card"><h2>${t.withdrawalTitle}</h2><p class="hint">${t.withdrawal}</p>
<label class="check"><input type="checkbox" name="terms" value="yes" required><span>${t.terms(page.seller)}</span></label>
<button type="submit" name="action" value="order">${t.confirm}</button></section>`;

/** The page of a link: one step before there is a cart, as opening an address must change nothing. */
export function linkPage(page: {
  readonly language: PageLanguage;
  readonly path: string;
  readonly seller: string;
  readonly sandbox: boolean;
  readonly name: string | null;
}): string {
  const t = CART_TEXTS[page.language];
  const body = markup`<section class="card result"><h1>${page.name ?? t.title}</h1><p class="lead">${t.lead(page.seller)}</p>
${page.sandbox && markup`<p class="note">${t.sandbox}</p>`}
<form method="post" action="${page.path}?lang=${page.language}"><button type="submit">${t.start}</button></form></section>`;
  return layout({ ...page, title: page.name ?? t.title, narrow: true }, body);
}

export type CartResult = 'done' | 'busy' | 'expired' | 'gone';

/** What has become of it. */
export function cartResultPage(
  result: CartResult,
  {
    language,
    seller,
    message,
    goOn,
  }: { language: PageLanguage; seller: string; message: string | null; goOn: string | null },
): string {
  const t = CART_TEXTS[language];
  const words: Readonly<Record<CartResult, readonly [string, string]>> = {
    done: [t.doneTitle, t.doneText],
    busy: [t.busyTitle, t.busyText],
    expired: [t.expiredTitle, t.expiredText],
    gone: [t.goneTitle, t.goneText],
  };
  const [title, content] = words[result];
  const body = markup`<section class="card result"><h1${result === 'done' && markup` class="good"`}>${title}</h1><p>${message ?? content}</p>${
    goOn !== null && markup`<a class="button" href="${goOn}">${t.goOn}</a>`
  }</section>`;
  return layout({ language, title, seller, path: null, narrow: true }, body);
}
