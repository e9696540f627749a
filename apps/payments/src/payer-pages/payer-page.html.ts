import { exponentOf, formatMajor, money } from '@kontor/money';
import { escapeHtml as e, layout, NO_LOOK, type PageLanguage } from '@kontor/service-kit';
import { PAYER_TEXTS } from './payer-texts.js';
import type { OpenedPayerPage } from './open-payer-page.js';

interface Shown {
  readonly language: PageLanguage;
  readonly path: string;
}

/** What the payer has to do, or what has become of it. */
export function payerPage(opened: OpenedPayerPage, { language, path }: Shown, isUnavailable = false): string {
  const t = PAYER_TEXTS[language];
  if (opened.state !== 'action') return resultPage(opened.state, { language, path }, opened);
  const body = `<h1>${e(t.title)}</h1><p class="lead">${e(t.lead(opened.seller))}</p>${sandboxNote(opened, language)}
${isUnavailable ? `<p class="error" role="alert">${e(t.unavailable)}</p>` : ''}
<section class="way"><div class="body">${facts(opened, language)}<p class="hint">${e(t.hint)}</p>
<form method="post" action="${e(path)}?lang=${language}"><button type="submit">${e(t.goOn)}</button></form></div></section>`;
  return layout(frameOf(opened, { language, path }, t.title), body);
}

/** The page of a provider that exists for tests only. */
export function testProviderPage(opened: OpenedPayerPage, { language, path }: Shown): string {
  const t = PAYER_TEXTS[language];
  if (opened.state !== 'action') return resultPage(opened.state, { language, path }, opened);
  const button = (decision: string, label: string, kind: string): string =>
    `<button type="submit" name="decision" value="${decision}"${kind}>${e(label)}</button>`;
  const body = `<h1>${e(t.test.title)}</h1><p class="lead">${e(t.test.lead)}</p>${sandboxNote(opened, language)}
<section class="way"><div class="body">${facts(opened, language)}<form method="post" action="${e(path)}?lang=${language}">
<div class="field">${button('approve', t.test.approve, '')}</div>${button('decline', t.test.decline, ' class="second"')}</form></div></section>`;
  return layout(frameOf(opened, { language, path }, t.test.title), body);
}

/** What has become of the payment; without one: there is no such link. */
export function resultPage(
  state: keyof (typeof PAYER_TEXTS)['de']['states'],
  { language, path }: Shown,
  opened: OpenedPayerPage | null,
): string {
  const t = PAYER_TEXTS[language];
  const isUnpaid =
    state === 'open' && opened !== null && opened.intent.invoiceId !== null && opened.intent.openMinor > 0n;
  const [title, text] = t.states[isUnpaid ? 'unpaid' : state];
  const other = opened?.otherWays.length
    ? `<p>${e(t.otherWay)}</p><form method="post" action="${e(path)}/methods?lang=${language}"><button type="submit">${e(t.payOtherwise)}</button></form>`
    : '';
  const target = opened?.page.redirectUrl ?? null;
  const back = `<a class="button${other && ' second'}" href="${e(target ?? '')}">${e(t.back)}</a>`;
  const body = `<div class="result" data-state="${state}"><h1>${e(title)}</h1><p>${e(text)}</p>${other}${target === null ? '' : back}</div>`;
  const frame = opened
    ? frameOf(opened, { language, path }, title)
    : { language, title, seller: '', look: NO_LOOK, other: null };
  return layout(frame, body);
}

const sandboxNote = ({ sandbox }: OpenedPayerPage, language: PageLanguage): string =>
  sandbox ? `<p class="note">${e(PAYER_TEXTS[language].sandbox)}</p>` : '';

function facts({ intent, waiting }: OpenedPayerPage, language: PageLanguage): string {
  const t = PAYER_TEXTS[language];
  const digits = exponentOf(intent.currencyCode);
  const amount = new Intl.NumberFormat(language === 'de' ? 'de-DE' : 'en-GB', {
    style: 'currency',
    currency: intent.currencyCode,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(formatMajor(money(waiting?.amountMinor ?? intent.openMinor, intent.currencyCode)) as unknown as number);
  const row = (label: string, text: string): string => `<div><dt>${e(label)}</dt><dd>${e(text)}</dd></div>`;
  return `<dl>${row(t.document, intent.documentNumber)}${row(t.amount, amount)}</dl>`;
}

const frameOf = ({ seller, look, legal }: OpenedPayerPage, { language, path }: Shown, title: string) => ({
  language,
  title,
  seller,
  look,
  legal,
  other: {
    href: `${path}?lang=${language === 'de' ? 'en' : 'de'}`,
    label: PAYER_TEXTS[language].otherLanguage,
  },
});
