import type { OfferItemJson } from '../offers/offer.schema.js';
import { type Html, markup } from './html.js';
import { layout, type PageLanguage } from './layout.js';
import { dayText } from './money.js';
import { optionFields, optionsOf } from './offer-options.js';
import { OFFER_TEXTS, type OfferProblem, type OfferTexts } from './offer-texts.js';
import { priceTable, type PriceTable } from './price-table.js';

/** What the page of an offer shows. */
export interface OfferPage extends PriceTable {
  readonly language: PageLanguage;
  readonly path: string;
  readonly seller: string;
  readonly sandbox: boolean;
  readonly timeZone: string;
  readonly number: string;
  readonly name: string | null;
  readonly status: string;
  readonly acceptanceMode: string;
  readonly versionHash: string;
  readonly validUntil: Date | null;
  readonly signedAt: Date | null;
  readonly sections: readonly Readonly<Record<string, unknown>>[];
  readonly buyer: string;
  readonly items: readonly OfferItemJson[];
  readonly recipient: { readonly name: string; readonly canSign: boolean; readonly hasSigned: boolean };
}

/** The offer, and what its recipient can do with it. */
export function offerPage(page: OfferPage, problem: OfferProblem | null = null): string {
  const t = OFFER_TEXTS[page.language];
  const title = page.name ?? `${t.offer} ${page.number}`;
  const body = markup`<h1>${title}</h1><p class="lead">${t.lead(page.seller)}</p>
${page.sandbox && markup`<p class="note">${t.sandbox}</p>`}
${problem && markup`<p class="error" role="alert">${t.problems[problem]}</p>`}
<div class="columns"><div>
<section class="card"><p class="hint"><a href="${page.path}/document">${t.asPdf}</a></p>
<p class="hint">${t.offer} ${page.number}${page.buyer && ` · ${page.buyer}`}</p>
${page.sections.map(section)}
${(page.lines.length > 0 || page.totals !== null) && markup`<h2>${t.firstInvoice}</h2>${priceTable(page, t, page.language)}`}
</section></div>
<div class="side">${options(page, t)}${decision(page, t)}</div></div>
${page.validUntil && page.status !== 'signed' && markup`<footer>${t.validUntil(dayText(page.validUntil, page.language, page.timeZone))}</footer>`}`;
  return layout({ language: page.language, title, seller: page.seller, path: page.path }, body);
}

const text = (value: unknown): string | null => (typeof value === 'string' && value.trim() !== '' ? value : null);

function section(block: Readonly<Record<string, unknown>>): Html {
  const [title, content] = [text(block['title']), text(block['text'])];
  return markup`${title && markup`<h2>${title}</h2>`}${content && markup`<p class="text">${content}</p>`}`;
}

/** Until the first signature. */
function options(page: OfferPage, t: OfferTexts): Html | false {
  const { status, recipient, items, language } = page;
  if (status !== 'open' || !recipient.canSign || optionsOf(items).length === 0) return false;
  return markup`<section class="card"><h2>${t.optionsTitle}</h2><p class="hint">${t.optionsHint}</p>
${form(page, 'choose')}${optionFields(items, t, language)}<button class="second" type="submit">${t.updateOptions}</button></form></section>`;
}

function decision(page: OfferPage, t: OfferTexts): Html {
  const { recipient } = page;
  if (page.status === 'signed')
    return markup`<section class="card"><h2 class="good">${t.signedTitle}</h2><p>${t.signedText(
      dayText(page.signedAt ?? new Date(0), page.language, page.timeZone),
    )}</p></section>`;
  if (!recipient.canSign) return markup`<section class="card"><p>${t.readerHint}</p></section>`;
  if (page.status === 'awaiting_invoice_details') return details(page, t);
  if (recipient.hasSigned) return markup`<section class="card"><p>${t.waitsForOthers}</p></section>`;
  if (page.acceptanceMode === 'print')
    return markup`<section class="card"><h2>${t.decide}</h2><p>${t.printHint}</p></section>`;
  const signs = page.acceptanceMode === 'esignature';
  return markup`<section class="card"><h2>${t.decide}</h2><p class="hint">${signs ? t.signHint : t.clickHint}</p>
${form(page, signs ? 'sign' : 'accept')}
${signs && field('name', t.name, recipient.name, 'name')}
<label class="check"><input type="checkbox" name="consent" value="yes" required><span>${
    signs ? t.signConsent(page.number) : t.clickConsent(page.number)
  }</span></label>
<button type="submit">${signs ? t.sign : t.accept}</button></form></section>`;
}

const form = (page: OfferPage, action: string): Html =>
  markup`<form method="post" action="${page.path}?lang=${page.language}"><input type="hidden" name="action" value="${action}">
<input type="hidden" name="versionHash" value="${page.versionHash}">`;

const field = (name: string, label: string, value: string, autocomplete: string, optional = ''): Html =>
  markup`<div class="field"><label for="${name}">${label} ${optional}</label>
<input type="text" id="${name}" name="${name}" value="${value}" autocomplete="${autocomplete}" maxlength="255"${optional === '' && markup` required`}></div>`;

const details = (page: OfferPage, t: OfferTexts): Html =>
  markup`<section class="card"><h2>${t.detailsTitle}</h2><p class="hint">${t.detailsHint}</p>${form(page, 'details')}
${field('companyName', t.company, '', 'organization', t.optional)}
${field('street', t.street, '', 'address-line1')}${field('houseNumber', t.houseNumber, '', 'off', t.optional)}
<div class="pair short">${field('zip', t.zip, '', 'postal-code')}${field('city', t.city, '', 'address-level2')}</div>
${field('vatId', t.vatId, '', 'off', t.optional)}${field('poNumber', t.poNumber, '', 'off', t.optional)}
<button type="submit">${t.saveDetails}</button></form></section>`;

/** Where there is no offer to show. */
export function noOfferPage(kind: 'expired' | 'gone', language: PageLanguage): string {
  const t = OFFER_TEXTS[language];
  const [title, content] = kind === 'expired' ? [t.expiredTitle, t.expiredText] : [t.goneTitle, t.goneText];
  const body = markup`<section class="card result"><h1>${title}</h1><p>${content}</p></section>`;
  return layout({ language, title, seller: '', path: null, narrow: true }, body);
}
