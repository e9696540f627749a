import type { OfferItemJson } from '../offers/offer.schema.js';
import { type Html, markup } from './html.js';
import type { PageLanguage } from './layout.js';
import { intervalText, quantityText, unitPriceText } from './money.js';
import type { OfferTexts } from './offer-texts.js';

/** Names of the form's fields, by item. */
export const TICKED = 'selected.';
export const QUANTITY = 'quantity.';
/** Says that the options were shown: a box that is not ticked is not sent. */
export const OPTIONS_SHOWN = 'optionsShown';
/** The form in which the buyer decides. */
export const DECISION_FORM = 'decision';
const INSIDE = markup` form="${DECISION_FORM}"`;

const isFree = ({ minQuantity, maxQuantity }: OfferItemJson): boolean => minQuantity !== null || maxQuantity !== null;

/** Items about which the buyer may say something. */
export const optionsOf = (items: readonly OfferItemJson[]): OfferItemJson[] =>
  items.filter((item) => item.optional || isFree(item));

/** What can be ticked and how many; sent by the button, as pages have no scripts. */
export const optionFields = (items: readonly OfferItemJson[], t: OfferTexts, language: PageLanguage): Html =>
  markup`<input type="hidden" name="${OPTIONS_SHOWN}" value="yes"${INSIDE}>${optionsOf(items).map((item) => optionField(item, t, language))}`;

function optionField(item: OfferItemJson, t: OfferTexts, language: PageLanguage): Html {
  const name = item.name ?? item.id;
  const { unitPrice, billingInterval } = item;
  const price =
    unitPrice &&
    `${unitPriceText(unitPrice, language)}${billingInterval === null ? '' : ` ${intervalText(billingInterval, language)}`}`;
  const label = markup`<span><strong>${name}</strong>${price && markup` <span class="hint">${price}</span>`}${
    item.description && markup`<br><span class="hint">${item.description}</span>`
  }</span>`;
  return markup`<div class="option">${
    item.optional
      ? markup`<label class="check"><input type="checkbox"${INSIDE} name="${TICKED}${item.id}" value="yes"${item.selected && markup` checked`}>${label}</label>`
      : markup`<p class="check">${label}</p>`
  }${isFree(item) && quantityField(item, name, t, language)}</div>`;
}

function quantityField(item: OfferItemJson, name: string, t: OfferTexts, language: PageLanguage): Html {
  const [min, max] = [item.minQuantity, item.maxQuantity].map((bound) => bound && quantityText(bound, language));
  const id = `quantity-${item.id}`;
  return markup`<div class="field"><label for="${id}">${t.quantityOf(name)}</label>
<input class="quantity" type="text"${INSIDE} inputmode="decimal" id="${id}" name="${QUANTITY}${item.id}" maxlength="20" value="${quantityText(
    item.quantity,
    language,
  )}" aria-describedby="${id}-hint"><span class="hint" id="${id}-hint"> ${t.bounds(min ?? null, max ?? null)}</span></div>`;
}
