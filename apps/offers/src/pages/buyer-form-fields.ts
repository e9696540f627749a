import type { AskedField } from '../domain/carts/cart.js';
import { type CartTexts } from './cart-texts.js';
import { type Html, markup } from './html.js';
import type { PageLanguage } from './layout.js';

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
  readonly accountHolder: string;
  readonly iban: string;
  /** To what else is asked, by key. */
  readonly answers: Readonly<Record<string, string>>;
}

const COUNTRIES =
  'DE AT CH BE BG CY CZ DK EE ES FI FR GB GR HR HU IE IT LI LT LU LV MT NL NO PL PT RO SE SI SK US'.split(' ');

interface FieldOptions {
  readonly type?: string;
  readonly optional?: string;
  /** What is wrong with what was typed. */
  readonly problem?: string | false;
}

export const field = (
  name: string,
  label: string,
  value: string,
  autocomplete: string,
  { type = 'text', optional, problem = false }: FieldOptions = {},
): Html =>
  markup`<div class="field"><label for="${name}">${label} ${optional}</label>
<input type="${type}" id="${name}" name="${name}" value="${value}"
autocomplete="${autocomplete}" maxlength="255"${optional === undefined && markup` required`}${
    problem !== false && markup` aria-invalid="true" aria-describedby="${name}-problem"`
  }>${problem !== false && markup`<p class="problem" id="${name}-problem">${problem}</p>`}</div>`;

export function countryField(label: string, chosen: string, language: PageLanguage): Html {
  const names = new Intl.DisplayNames(language, { type: 'region' });
  // A country that nobody listed is still where the buyer is.
  const options = [...new Set([...COUNTRIES, chosen])].map(
    (code) => markup`<option value="${code}"${code === chosen && markup` selected`}>${names.of(code) ?? code}</option>`,
  );
  return markup`<div class="field"><label for="countryCode">${label}</label>
<select id="countryCode" name="countryCode" autocomplete="country">${options}</select></div>`;
}

interface BuyerFields {
  readonly form: BuyerForm;
  readonly language: PageLanguage;
  readonly forceCompany: boolean;
  readonly vatIdStatus: string | null;
}

/** Who buys. */
export function buyerFields({ form, language, forceCompany, vatIdStatus }: BuyerFields, t: CartTexts): Html {
  const { optional } = t;
  const vatState = vatIdStatus === null || form.vatId === '' ? undefined : t.vatIdStates[vatIdStatus];
  return markup`<section class="card"><h2>${t.contact}</h2>
<div class="pair">${field('email', t.email, form.email, 'email', { type: 'email' })}${field('phone', t.phone, form.phone, 'tel', { type: 'tel' })}</div>
${field('companyName', t.company, form.companyName, 'organization', forceCompany ? {} : { optional })}
<div class="pair">${field('firstName', t.firstName, form.firstName, 'given-name', { optional })}
${field('lastName', t.lastName, form.lastName, 'family-name', { optional })}</div>
<div class="pair">${field('street', t.street, form.street, 'address-line1')}${field('houseNumber', t.houseNumber, form.houseNumber, 'off', { optional })}</div>
<div class="pair short">${field('zip', t.zip, form.zip, 'postal-code')}${field('city', t.city, form.city, 'address-level2')}</div>
${countryField(t.country, form.countryCode, language)}
${field('vatId', t.vatId, form.vatId, 'off', { optional })}${vatState && markup`<p class="hint" role="status">${vatState}</p>`}</section>`;
}

/** What the seller asks beside that. */
export function askedFields(asked: readonly AskedField[], form: BuyerForm, t: CartTexts): Html | null {
  if (asked.length === 0) return null;
  const fields = asked.map(({ key, label, required }) =>
    field(`ask-${key}`, label, form.answers[key] ?? '', 'off', required ? {} : { optional: t.optional }),
  );
  return markup`<section class="card"><h2>${t.more}</h2>${fields}</section>`;
}
