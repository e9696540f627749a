import type { LegalLinks } from '@kontor/service-kit';
import type { ContactPerson } from '../domain/offers/offer.js';
import type { OfferItemJson } from '../offers/offer.schema.js';
import { type Html, markup } from './html.js';
import { layout, type PageLanguage, type PageLook, PLAIN_LOOK } from './layout.js';
import { dayText } from './money.js';
import { field } from './buyer-form-fields.js';
import { type DetailsForm, detailsFields } from './offer-details.js';
import { DECISION_FORM, optionFields, optionsOf } from './offer-options.js';
import { OFFER_TEXTS, type OfferProblem, type OfferTexts } from './offer-texts.js';
import { priceTable, type PriceTable } from './price-table.js';
import { signatureFields } from './signature-fields.js';
import { SCRIPTS_PATH, SIGNATURE_SCRIPT_NAME } from './signature-script.js';

/** What the page of an offer shows. */
export interface OfferPage extends PriceTable {
  readonly language: PageLanguage;
  readonly path: string;
  readonly seller: string;
  readonly look: PageLook;
  readonly legal: LegalLinks;
  readonly sandbox: boolean;
  /** For those who write and approve it: nothing can be decided there. */
  readonly isPreview: boolean;
  readonly timeZone: string;
  readonly number: string;
  readonly name: string | null;
  readonly status: string;
  readonly acceptanceMode: string;
  readonly versionHash: string;
  readonly validUntil: Date | null;
  readonly signedAt: Date | null;
  readonly sections: readonly Readonly<Record<string, unknown>>[];
  readonly contactPerson: ContactPerson | null;
  readonly buyer: string;
  readonly items: readonly OfferItemJson[];
  readonly details: DetailsForm;
  readonly recipient: { readonly name: string; readonly canSign: boolean; readonly hasSigned: boolean };
}

/** Where the page says what became of a decision: below the whole offer, on a telephone. */
export const NEXT_PLACE = 'next';

/** The offer, and what its recipient can do with it. */
export function offerPage(page: OfferPage, problem: OfferProblem | null = null): string {
  const t = OFFER_TEXTS[page.language];
  const title = page.name ?? `${t.offer} ${page.number}`;
  const body = markup`<h1>${title}</h1><p class="lead">${t.lead(page.seller)}</p>
${page.isPreview && markup`<p class="note">${t.preview}</p>`}${page.sandbox && markup`<p class="note">${t.sandbox}</p>`}
${problem && markup`<p class="error" role="alert">${t.problems[problem]}</p>`}
<div class="columns"><div>
<section class="card">${!page.isPreview && markup`<p class="hint"><a href="${page.path}/document">${t.asPdf}</a></p>`}
<p class="hint">${t.offer} ${page.number}${page.buyer && ` · ${page.buyer}`}${
    page.validUntil &&
    page.status !== 'signed' &&
    markup`<br>${t.validUntil(dayText(page.validUntil, page.language, page.timeZone))}`
  }</p>
${blocks(page, t)}
</section></div>
<div class="side" id="${NEXT_PLACE}">${options(page, t)}${decision(page, t, problem)}${contact(page, t)}</div></div>
`;
  const { language, seller, path, look, legal } = page;
  const script = canDraw(page) ? `${SCRIPTS_PATH}/${SIGNATURE_SCRIPT_NAME}` : null;
  return layout({ language, title, seller, path: page.isPreview ? null : path, look, legal, script }, body);
}

/** Whether the page has a script: one with which a signature is drawn. */
export const canDraw = ({ isPreview, status, acceptanceMode, recipient }: OfferPage): boolean =>
  !isPreview &&
  acceptanceMode === 'esignature' &&
  (status === 'open' || status === 'signing') &&
  recipient.canSign &&
  !recipient.hasSigned;

const text = (value: unknown): string | null => (typeof value === 'string' && value.trim() !== '' ? value : null);

function section(block: Readonly<Record<string, unknown>>): Html {
  const [title, content] = [text(block['title']), text(block['text'])];
  return markup`${title && markup`<h2>${title}</h2>`}${content && markup`<p class="text">${content}</p>`}`;
}

/** Prices follow the first block that is about items, else all blocks. */
function blocks(page: OfferPage, t: OfferTexts): Html {
  const place = page.sections.findIndex(({ type }) => type === 'items');
  const isBelowTitle = place >= 0 && text(page.sections[place]?.['title']) !== null;
  const heading = isBelowTitle ? markup`<h3>${t.firstInvoice}</h3>` : markup`<h2>${t.firstInvoice}</h2>`;
  const prices =
    (page.lines.length > 0 || page.totals !== null) && markup`${heading}${priceTable(page, t, page.language)}`;
  return markup`${page.sections.map((block, n) => markup`${section(block)}${n === place && prices}`)}${place < 0 && prices}`;
}

/**
 * Until the first signature. The fields belong to the form that decides: whoever changed them and accepts at once has said so, and is shown
 * the new price before anything is agreed.
 */
function options(page: OfferPage, t: OfferTexts): Html | false {
  const { status, recipient, items, language, isPreview } = page;
  if (status !== 'open' || !recipient.canSign || optionsOf(items).length === 0) return false;
  // What is signed on paper has no other form.
  const isAlone = page.acceptanceMode === 'print';
  return markup`<section class="card"${isPreview && markup` inert`}><h2>${t.optionsTitle}</h2><p class="hint">${t.optionsHint}</p>
${isAlone && decisionForm(page)}${optionFields(items, t, language)}
<button class="second" form="${DECISION_FORM}" name="action" value="choose" formnovalidate>${
    t.updateOptions
  }</button>${isAlone && markup`</form>`}</section>`;
}

function decision(page: OfferPage, t: OfferTexts, problem: OfferProblem | null): Html {
  const { recipient } = page;
  if (page.status === 'signed')
    return markup`<section class="card"><h2 class="good">${t.signedTitle}</h2><p>${t.signedText(
      dayText(page.signedAt ?? new Date(0), page.language, page.timeZone),
    )}</p></section>`;
  if (!recipient.canSign) return markup`<section class="card"><p>${t.readerHint}</p></section>`;
  if (page.status === 'awaiting_invoice_details') return details(page, t, problem);
  if (recipient.hasSigned) return markup`<section class="card"><p>${t.waitsForOthers}</p></section>`;
  if (page.acceptanceMode === 'print')
    return markup`<section class="card"><h2>${t.decide}</h2><p>${t.printHint}</p></section>`;
  const signs = page.acceptanceMode === 'esignature';
  return markup`<section class="card"><h2>${t.decide}</h2><p class="hint">${signs ? t.signHint : t.clickHint}</p>
${decisionForm(page)}
${signs && field('name', t.name, recipient.name, 'name')}${signs && signatureFields(t)}
<label class="check"><input type="checkbox" name="consent" value="yes" required><span>${
    signs ? t.signConsent(page.number) : t.clickConsent(page.number)
  }</span></label>
<button type="submit" name="action" value="${signs ? 'sign' : 'accept'}">${signs ? t.sign : t.accept}</button></form></section>`;
}

function contact({ contactPerson }: OfferPage, t: OfferTexts): Html | false {
  if (!contactPerson) return false;
  const { firstName, lastName, role, email, phone } = contactPerson;
  return markup`<section class="card"><h2>${t.contact}</h2><p class="text">${[firstName, lastName].filter(Boolean).join(' ')}${
    role && markup`<br><span class="hint">${role}</span>`
  }${phone && markup`<br><a href="tel:${phone.replaceAll(/[^+\d]/g, '')}">${phone}</a>`}${
    email && markup`<br><a href="mailto:${email}">${email}</a>`
  }</p></section>`;
}

const form = (page: OfferPage, attributes: Html | false): Html =>
  markup`<form${page.isPreview && markup` inert`}${attributes} method="post" action="${page.path}?lang=${page.language}">
<input type="hidden" name="versionHash" value="${page.versionHash}">`;

const decisionForm = (page: OfferPage): Html =>
  form(page, markup` id="${DECISION_FORM}"${page.acceptanceMode === 'esignature' && markup` data-signature`}`);

const details = (page: OfferPage, t: OfferTexts, problem: OfferProblem | null): Html =>
  markup`<section class="card"><h2>${t.detailsTitle}</h2><p class="hint">${t.detailsHint}</p>${form(page, false)}
${detailsFields(page.details, t, { language: page.language, problem })}
<button type="submit" name="action" value="details">${t.saveDetails}</button></form></section>`;

/** Where there is no offer to show. */
export function noOfferPage(
  kind: 'expired' | 'gone',
  language: PageLanguage,
  around: Pick<OfferPage, 'seller' | 'look' | 'legal'> | null = null,
): string {
  const t = OFFER_TEXTS[language];
  const [title, content] = kind === 'expired' ? [t.expiredTitle, t.expiredText] : [t.goneTitle, t.goneText];
  const body = markup`<section class="card result"><h1>${title}</h1><p>${content}</p></section>`;
  const { seller, look, legal } = around ?? { seller: '', look: PLAIN_LOOK, legal: null };
  return layout({ language, title, seller, path: null, narrow: true, look, legal }, body);
}
