import { storableText } from '@kontor/kernel';
import { escapeHtml as e, layout, type PageLanguage } from '@kontor/service-kit';
import { ACCOUNT_TEXTS } from './account-texts.js';

/** What every page of an account shows. */
export interface AccountPage {
  readonly language: PageLanguage;
  /** Path of the page, which is the address of its form as well. */
  readonly path: string;
  /** Name of a tenant, where it is about one. */
  readonly seller?: string;
}

export const frame = (page: AccountPage, title: string, body: string): string => {
  const other = page.language === 'de' ? 'en' : 'de';
  return layout(
    {
      language: page.language,
      title,
      seller: page.seller ?? 'Kontor',
      other: { href: `${page.path}?lang=${other}`, label: ACCOUNT_TEXTS[page.language].otherLanguage },
    },
    body,
  );
};

export const head = (title: string, lead: string): string =>
  `<h1>${e(title)}</h1>${lead ? `<p class="lead">${e(lead)}</p>` : ''}`;

export const errorNote = (text: string | null): string => (text ? `<p class="error" role="alert">${e(text)}</p>` : '');

export const hidden = (name: string, value: string): string =>
  `<input type="hidden" name="${name}" value="${e(value)}">`;

export const form = (page: AccountPage, inner: string, path = page.path): string =>
  `<form method="post" action="${e(path)}?lang=${page.language}" novalidate>${inner}</form>`;

export const button = (label: string, { look = '', name = '', value = '' } = {}): string =>
  `<button type="submit"${look ? ` class="${look}"` : ''}${name ? ` name="${name}" value="${e(value)}"` : ''}>${e(label)}</button>`;

export interface Field {
  readonly name: string;
  readonly label: string;
  readonly type?: 'text' | 'email' | 'password';
  readonly value?: string;
  readonly autocomplete: string;
  readonly hint?: string;
  /** What is wrong with it. */
  readonly problem?: string | null;
  readonly inputMode?: 'numeric';
}

/** Where several forms of a page ask for the same, `prefix` keeps their fields apart. */
export function field(given: Field, prefix = ''): string {
  const { name, label, type = 'text', value = '', autocomplete, hint, problem, inputMode } = given;
  const id = prefix + name;
  const described = [hint ? `${id}-hint` : '', problem ? `${id}-problem` : ''].filter(Boolean).join(' ');
  const attributes = [
    `type="${type}" id="${id}" name="${name}" autocomplete="${autocomplete}" maxlength="${type === 'email' ? 254 : 200}"`,
    value ? ` value="${e(value)}"` : '',
    inputMode ? ` inputmode="${inputMode}"` : '',
    problem ? ' aria-invalid="true"' : '',
    described ? ` aria-describedby="${described}"` : '',
  ];
  return (
    `<div class="field"><label for="${id}">${e(label)}</label><input ${attributes.join('')}>` +
    (hint ? `<p class="hint" id="${id}-hint">${e(hint)}</p>` : '') +
    (problem ? `<p class="problem" id="${id}-problem">${e(problem)}</p>` : '') +
    '</div>'
  );
}

export const section = (title: string, body: string): string =>
  `<section class="way"><div class="body"><h2>${e(title)}</h2>${body}</div></section>`;

/** Says something that needs no answer. */
export const messagePage = (
  page: AccountPage,
  title: string,
  text: string,
  link?: { href: string; label: string },
): string =>
  frame(
    page,
    title,
    `<section class="result"><h1>${e(title)}</h1><p>${e(text)}</p>${
      link ? `<p><a class="button" href="${e(link.href)}">${e(link.label)}</a></p>` : ''
    }</section>`,
  );

const MAX_NAME = 100;

/** A name as somebody wrote it in a form. */
export const nameIn = (form: URLSearchParams, field: string): string =>
  storableText((form.get(field) ?? '').replace(/\p{C}/gu, '').trim(), MAX_NAME);
