import type { CustomerState } from '@kontor/contracts';
import { escapeHtml as e, layout, type PageLanguage } from '@kontor/service-kit';
import { customerName } from '../login-links/customer-name.js';
import type { OpenedLogin } from '../login-links/open-login-link.js';
import { AREA_TEXTS } from './area-texts.js';
import { AREA_PATH, type Visitor } from './customer-area.js';

const otherThan = (language: PageLanguage, path: string) => ({
  href: `${path}?lang=${language === 'de' ? 'en' : 'de'}`,
  label: AREA_TEXTS[language].otherLanguage,
});

/** Behind a login link, before the click that uses it. */
export function loginPage(opened: OpenedLogin, path: string, language: PageLanguage): string {
  const t = AREA_TEXTS[language];
  const body = [
    `<h1>${e(t.logIn)}</h1><p class="lead">${e(t.logInHint)}</p>`,
    opened.sandbox ? `<p class="note">${e(t.sandbox)}</p>` : '',
    `<form method="post" action="${e(path)}?lang=${language}"><button type="submit">${e(t.logInAs(customerName(opened.customer)))}</button></form>`,
    `<footer>${e(t.once)}</footer>`,
  ];
  return layout({ language, title: t.logIn, seller: opened.seller, other: otherThan(language, path) }, body.join('\n'));
}

/** The customer area. */
export function areaPage(visitor: Visitor, language: PageLanguage): string {
  const t = AREA_TEXTS[language];
  const { customer } = visitor;
  const row = (label: string, lines: readonly string[]): string =>
    lines.length > 0 ? `<div><dt>${e(label)}</dt><dd>${lines.map(e).join('<br>')}</dd></div>` : '';
  const rows = [
    row(t.number, [customer.customerNumber]),
    row(t.email, [customer.email]),
    row(t.address, addressLines(customer)),
  ];
  const body = [
    `<h1>${e(customerName(customer))}</h1><p class="lead">${e(t.area)}</p>`,
    visitor.sandbox ? `<p class="note">${e(t.sandbox)}</p>` : '',
    `<section class="way"><div class="body"><dl>${rows.join('')}</dl></div></section>`,
    `<form method="post" action="/public/customer/sign-out?lang=${language}"><button type="submit">${e(t.signOut)}</button></form>`,
  ];
  const frame = { language, title: t.area, seller: visitor.seller, other: otherThan(language, AREA_PATH) };
  return layout(frame, body.join('\n'));
}

const message = (language: PageLanguage, title: string, text: string): string =>
  layout(
    { language, title, seller: '', other: null },
    `<section class="result"><h1>${e(title)}</h1><p>${e(text)}</p></section>`,
  );

export const gonePage = (language: PageLanguage): string =>
  message(language, AREA_TEXTS[language].gone, AREA_TEXTS[language].goneText);

export const signedOutPage = (language: PageLanguage): string =>
  message(language, AREA_TEXTS[language].signedOut, AREA_TEXTS[language].signedOutText);

function addressLines({ addresses }: CustomerState): string[] {
  const address = addresses.find(({ type, default: isDefault }) => isDefault && type === 'TYPE_DEFAULT');
  if (!address) return [];
  const words = (...parts: (string | null)[]): string => parts.filter(Boolean).join(' ');
  const lines = [
    words(address.companyName),
    words(address.street, address.houseNumber),
    words(address.addition),
    words(address.zip, address.city),
  ];
  return lines.filter((line) => line !== '');
}
