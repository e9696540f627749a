import { escapeHtml as e } from '@kontor/service-kit';
import type { Refused } from '../company-sign-in/company-sign-in.js';
import { fullName } from '../accounts/person.js';
import { COMPANY_PATH, SIGN_IN_PATH } from '../users/account-paths.js';
import { ACCOUNT_TEXTS } from './account-texts.js';
import type { Visitor } from './browser.js';
import { COMPANY_TEXTS } from './company-texts.js';
import { type AccountPage, button, errorNote, form, frame, head, hidden, messagePage } from './page-parts.js';

/** The companies whose people have addresses like the one that was given. */
export function companiesPage(
  page: AccountPage,
  companies: readonly { readonly id: string; readonly name: string }[],
  next: string,
): string {
  const t = COMPANY_TEXTS[page.language];
  const way = (id: string): string => `${COMPANY_PATH}/${id}?lang=${page.language}&next=${encodeURIComponent(next)}`;
  const ways = companies.map(({ id, name }) => `<p><a class="button" href="${e(way(id))}">${e(t.at(name))}</a></p>`);
  const back = `<footer><a href="${SIGN_IN_PATH}?lang=${page.language}">${e(ACCOUNT_TEXTS[page.language].back)}</a></footer>`;
  const body = ways.length > 0 ? ways.join('') : errorNote(t.nobody);
  return frame(page, t.byCompany, head(t.byCompany, ways.length > 0 ? t.byCompanyLead : '') + body + back);
}

const TEXTS = {
  unknown: ['unknown', 'unknownText'],
  failed: ['failed', 'failedText'],
  refused: ['refused', 'refusedText'],
  second_factor_missing: ['missing', 'missingText'],
} as const satisfies Record<Refused, readonly [string, string]>;

export function companyRefusedPage(page: AccountPage, refused: Refused): string {
  const t = COMPANY_TEXTS[page.language];
  const [title, text] = TEXTS[refused];
  const link = { href: `${SIGN_IN_PATH}?lang=${page.language}`, label: t.again };
  return messagePage(page, t[title], t[text], link);
}

/** For somebody whom a company has named: its word is not enough to change the account. */
export function companyAccountPage(page: AccountPage, { person, csrf }: Visitor, company: string): string {
  const t = COMPANY_TEXTS[page.language];
  return frame(
    page,
    ACCOUNT_TEXTS[page.language].account,
    head(fullName(person), person.email) +
      `<p class="note" role="status">${e(t.signedInBy(company))}</p><p class="hint">${e(t.changedThere)}</p>` +
      form(
        page,
        hidden('csrf', csrf) + button(ACCOUNT_TEXTS[page.language].signOut, { name: 'action', value: 'sign_out' }),
      ),
  );
}
