import type { LegalLinks } from '@kontor/service-kit';
import { type CancellationTexts, CANCELLATION_TEXTS } from './cancellation-texts.js';
import { type Html, markup } from './html.js';
import { layout, type PageLanguage, type PageLook } from './layout.js';

/** What was typed. */
export interface CancellationForm {
  /** Made with the second page: its form counts once. */
  readonly key: string;
  readonly name: string;
  readonly email: string;
  readonly contract: string;
  readonly kind: 'ordinary' | 'extraordinary';
  readonly reason: string;
  readonly wantedOn: string;
}

interface Around {
  readonly language: PageLanguage;
  readonly path: string;
  readonly seller: string;
  readonly look: PageLook;
  readonly legal: LegalLinks;
}

const pageOf = ({ language, path, seller, look, legal }: Around, title: string, body: Html): string =>
  layout({ language, title, seller, path, narrow: true, look, legal }, body);

/** The first step: who cancels what, and to when. @see § 312k (2) BGB */
export function cancellationPage(around: Around, form: CancellationForm, isIncomplete = false): string {
  const t = CANCELLATION_TEXTS[around.language];
  const field = (name: keyof CancellationForm, label: string, more: Html, hint = ''): Html =>
    markup`<div class="field"><label for="${name}">${label}</label><input id="${name}" name="${name}" value="${form[name]}" ${more}>${
      hint !== '' && markup`<p class="hint">${hint}</p>`
    }</div>`;
  const kindOf = (kind: CancellationForm['kind'], label: string): Html =>
    markup`<label class="check"><input type="radio" name="kind" value="${kind}"${form.kind === kind && markup` checked`}><span>${label}</span></label>`;
  return pageOf(
    around,
    t.title,
    markup`<h1>${t.title}</h1><p class="lead">${t.lead(around.seller)}</p>
${isIncomplete && markup`<p class="error" role="alert">${t.problem}</p>`}
<form method="post" action="${around.path}?lang=${around.language}"><section class="card">
${field('name', t.name, markup`type="text" autocomplete="name" maxlength="255" required`)}
${field('email', t.email, markup`type="email" autocomplete="email" maxlength="320" required`, t.emailHint)}
${field('contract', t.contract, markup`type="text" autocomplete="off" maxlength="255" required`, t.contractHint)}
<fieldset><legend>${t.kind}</legend>${kindOf('ordinary', t.ordinary)}${kindOf('extraordinary', t.extraordinary)}</fieldset>
<div class="field"><label for="reason">${t.reason}</label><textarea id="reason" name="reason" maxlength="800">${form.reason}</textarea></div>
${field('wantedOn', `${t.wantedOn} ${t.optional}`, markup`type="date"`, t.wantedHint)}
<button type="submit" name="action" value="check">${t.goOn}</button></section></form>`,
  );
}

/** The second step: what was entered, and the button that declares it. */
export function confirmCancellationPage(around: Around, form: CancellationForm): string {
  const t = CANCELLATION_TEXTS[around.language];
  const hidden = Object.entries(form).map(
    ([name, value]) => markup`<input type="hidden" name="${name}" value="${String(value)}">`,
  );
  return pageOf(
    around,
    t.checkTitle,
    markup`<h1>${t.checkTitle}</h1><p class="lead">${t.checkLead}</p><section class="card">${facts(form, around.language, t)}
<form method="post" action="${around.path}?lang=${around.language}">${hidden}
<div class="field"><button type="submit" name="action" value="cancel">${t.cancelNow}</button></div>
<button class="second" type="submit" name="action" value="change">${t.change}</button></form></section>`,
  );
}

/** What has arrived, and when. @see § 312k (4) BGB */
export function cancellationReceivedPage(around: Around, form: CancellationForm, receivedAt: string): string {
  const t = CANCELLATION_TEXTS[around.language];
  return pageOf(
    { ...around },
    t.receivedTitle,
    markup`<section class="card"><h1 class="good">${t.receivedTitle}</h1><p><strong>${t.received(receivedAt)}</strong></p>
${facts(form, around.language, t)}<p class="hint">${t.receivedHint(form.email)}</p></section>`,
  );
}

export function noCancellationPage(around: Around): string {
  const t = CANCELLATION_TEXTS[around.language];
  return pageOf(
    around,
    t.goneTitle,
    markup`<section class="card result"><h1>${t.goneTitle}</h1><p>${t.goneText}</p></section>`,
  );
}

function facts(form: CancellationForm, language: PageLanguage, t: CancellationTexts): Html {
  const day = new Intl.DateTimeFormat(language === 'de' ? 'de-DE' : 'en-GB', { dateStyle: 'long', timeZone: 'UTC' });
  const row = (label: string, text: string): Html => markup`<tr><th scope="row">${label}</th><td>${text}</td></tr>`;
  return markup`<table><tbody>${row(t.name, form.name)}${row(t.email, form.email)}${row(t.contract, form.contract)}
${row(t.kind, t[form.kind])}${form.reason !== '' && row(t.reason.replace(/ \(.*/, ''), form.reason)}
${row(t.wantedOn, form.wantedOn === '' ? t.earliest : day.format(new Date(`${form.wantedOn}T00:00:00Z`)))}</tbody></table>`;
}
