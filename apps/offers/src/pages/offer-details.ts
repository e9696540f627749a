import { countryField, field } from './buyer-form-fields.js';
import { type Html, markup } from './html.js';
import type { PageLanguage } from './layout.js';
import type { OfferProblem, OfferTexts } from './offer-texts.js';

/** What is typed about where the invoices go. */
export interface DetailsForm {
  readonly companyName: string;
  readonly street: string;
  readonly houseNumber: string;
  readonly zip: string;
  readonly city: string;
  readonly countryCode: string;
  readonly vatId: string;
  readonly poNumber: string;
  readonly leitwegId: string;
}

/** Where the invoices of a signed offer go. */
export function detailsFields(
  form: DetailsForm,
  t: OfferTexts,
  { language, problem }: { language: PageLanguage; problem: OfferProblem | null },
): Html {
  const { optional } = t;
  const missing = (value: string): string | false => problem === 'address' && value === '' && t.missing;
  const { street, zip, city, vatId } = form;
  return markup`${field('companyName', t.company, form.companyName, 'organization', { optional })}
<div class="pair">${field('street', t.street, street, 'address-line1', { problem: missing(street) })}
${field('houseNumber', t.houseNumber, form.houseNumber, 'off', { optional })}</div>
<div class="pair short">${field('zip', t.zip, zip, 'postal-code', { problem: missing(zip) })}
${field('city', t.city, city, 'address-level2', { problem: missing(city) })}</div>
${countryField(t.country, form.countryCode, language)}
${field('vatId', t.vatId, vatId, 'off', { optional, problem: problem === 'vatId' && t.problems.vatId })}
${field('poNumber', t.poNumber, form.poNumber, 'off', { optional })}
${field('leitwegId', t.leitwegId, form.leitwegId, 'off', { optional: t.ofAuthorities, problem: problem === 'leitwegId' && t.problems.leitwegId })}`;
}
