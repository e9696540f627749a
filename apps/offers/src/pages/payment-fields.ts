import { type BuyerForm } from './buyer-form-fields.js';
import type { CartTexts } from './cart-texts.js';
import { type Html, markup } from './html.js';

/** A mandate as its payer reads it before it is given. */
export interface ShownMandate {
  readonly creditorLines: readonly string[];
  readonly creditorIdentifier: string;
  readonly reference: string;
  readonly title: string;
  readonly paragraphs: readonly string[];
  readonly consent: string;
}

interface PaymentFields {
  readonly gateways: readonly string[];
  readonly mandate: ShownMandate | null;
  readonly form: BuyerForm;
}

/** How to pay; the mandate is seen where direct debit is chosen. */
export function paymentFields({ gateways, mandate, form }: PaymentFields, t: CartTexts, problem: string | null): Html {
  const chosen = gateways.includes(form.gateway) ? form.gateway : gateways[0];
  const ways = gateways.map(
    (gateway) =>
      markup`<label class="check"><input type="radio" name="gateway" value="${gateway}"${gateway === chosen && markup` checked`}>
<span>${t.ways[gateway] ?? gateway}</span></label>${gateway === 'sepa_debit' && mandate !== null && mandateFields(mandate, form, t, problem)}`,
  );
  return markup`<section class="card"><fieldset><legend><h2>${t.pay}</h2></legend>${ways}</fieldset></section>`;
}

const mandateFields = (mandate: ShownMandate, form: BuyerForm, t: CartTexts, problem: string | null): Html =>
  markup`<div class="mandate"><div class="field"><label for="accountHolder">${t.accountHolder}</label>
<input type="text" id="accountHolder" name="accountHolder" value="${form.accountHolder}" autocomplete="name" maxlength="70"></div>
<div class="field"><label for="iban">IBAN</label><input type="text" id="iban" name="iban" value="${form.iban}"
autocomplete="off" autocapitalize="characters" spellcheck="false" maxlength="42"${
    problem === 'iban' && markup` aria-invalid="true" aria-describedby="iban-problem"`
  }>${problem === 'iban' && markup`<p class="problem" id="iban-problem">${t.problems['iban']}</p>`}</div>
<h3>${mandate.title}</h3><p>${mandate.creditorLines.join(', ')}<br>${t.creditorIdentifier}: ${mandate.creditorIdentifier}
<br>${t.mandateReference}: ${mandate.reference}</p>
${mandate.paragraphs.map((paragraph) => markup`<p>${paragraph}</p>`)}
<label class="check"><input type="checkbox" name="mandate" value="yes"><span>${mandate.consent}</span></label></div>`;
