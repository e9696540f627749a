import { escapeHtml as e } from '@kontor/service-kit';
import type { OpenInvitation } from '../users/accept-invitation.js';
import { ACCOUNT_PATH, SIGN_IN_PATH } from '../users/account-paths.js';
import { ACCOUNT_TEXTS } from './account-texts.js';
import { COMPANY_TEXTS } from './company-texts.js';
import { type AccountPage, button, errorNote, field, form, frame, head, hidden } from './page-parts.js';

const apart = (inner: string): string => `<div class="field">${inner}</div>`;
const FORGOT = `${ACCOUNT_PATH}/forgot-password`;

/** Asks for the address and the password. `more`: other ways in. */
export function signInPage(
  page: AccountPage,
  { email, next, error, more = '' }: { email: string; next: string; error: string | null; more?: string },
): string {
  const t = ACCOUNT_TEXTS[page.language];
  const fields =
    hidden('next', next) +
    field({ name: 'email', label: t.email, type: 'email', value: email, autocomplete: 'username webauthn' }) +
    field({ name: 'password', label: t.password, type: 'password', autocomplete: 'current-password' });
  const byCompany = button(COMPANY_TEXTS[page.language].byCompany, { look: 'second', name: 'company', value: 'yes' });
  const forgot = `<footer><a href="${FORGOT}?lang=${page.language}">${e(t.forgot)}</a></footer>`;
  return frame(
    page,
    t.signIn,
    head(t.signIn, t.signInLead) +
      errorNote(error) +
      form(page, fields + apart(button(t.signIn)) + apart(byCompany)) +
      more +
      forgot,
  );
}

/** Asks for the second factor. `pending`: the sign-in that waits for it. */
export function codePage(
  page: AccountPage,
  { pending, next, error }: { pending: string; next: string; error: string | null },
): string {
  const t = ACCOUNT_TEXTS[page.language];
  const fields =
    hidden('pending', pending) +
    hidden('next', next) +
    field({ name: 'code', label: t.code, autocomplete: 'one-time-code', problem: error });
  const back = `<footer><a href="${SIGN_IN_PATH}?lang=${page.language}">${e(t.back)}</a></footer>`;
  return frame(page, t.codeTitle, head(t.codeTitle, t.codeLead) + form(page, fields + button(t.goOn)) + back);
}

export function forgotPage(page: AccountPage, { email, isRefused }: { email: string; isRefused: boolean }): string {
  const t = ACCOUNT_TEXTS[page.language];
  const problem = isRefused ? t.emailProblem : null;
  const fields = field({
    name: 'email',
    label: t.email,
    type: 'email',
    value: email,
    autocomplete: 'username',
    problem,
  });
  return frame(page, t.forgotTitle, head(t.forgotTitle, t.forgotLead) + form(page, fields + button(t.sendLink)));
}

export function resetPage(page: AccountPage, problem: string | null): string {
  const t = ACCOUNT_TEXTS[page.language];
  const fields = field({
    name: 'password',
    label: t.newPassword,
    type: 'password',
    autocomplete: 'new-password',
    hint: t.passwordHint,
    problem,
  });
  return frame(page, t.reset, head(t.reset, t.resetLead) + form(page, fields + button(t.save)));
}

export function confirmEmailPage(page: AccountPage, email: string): string {
  const t = ACCOUNT_TEXTS[page.language];
  return frame(page, t.confirmEmail, head(t.confirmEmail, t.confirmEmailLead(email)) + form(page, button(t.confirm)));
}

export interface NewAccount {
  readonly firstName: string;
  readonly lastName: string;
  readonly problems: Partial<Record<'firstName' | 'lastName' | 'password', string>>;
}

/** For somebody without an account: asks for a name and a password. */
export function invitationPage(page: AccountPage, { tenant, invitation }: OpenInvitation, filled: NewAccount): string {
  const t = ACCOUNT_TEXTS[page.language];
  const { firstName, lastName, problems } = filled;
  const fields =
    field({
      name: 'firstName',
      label: t.firstName,
      value: firstName,
      autocomplete: 'given-name',
      problem: problems.firstName ?? null,
    }) +
    field({
      name: 'lastName',
      label: t.lastName,
      value: lastName,
      autocomplete: 'family-name',
      problem: problems.lastName ?? null,
    }) +
    `<input type="hidden" name="email" value="${e(invitation.email)}" autocomplete="username">` +
    field({
      name: 'password',
      label: t.password,
      type: 'password',
      autocomplete: 'new-password',
      hint: t.passwordHint,
      problem: problems.password ?? null,
    });
  return frame(
    page,
    t.invitation,
    head(t.invitation, t.invitationLead(tenant.name)) + form(page, fields + button(t.accept)),
  );
}

/** For somebody with an account: signed in with it, or not yet. */
export function joinPage(
  page: AccountPage,
  { tenant, invitation }: OpenInvitation,
  visitor: { readonly name: string; readonly csrf: string; readonly isMeant: boolean } | null,
): string {
  const t = ACCOUNT_TEXTS[page.language];
  const signIn = `<p><a class="button" href="${SIGN_IN_PATH}?lang=${page.language}&amp;next=${e(page.path)}">${e(t.signIn)}</a></p>`;
  // A company's word opens that company's tenant alone, and whoever has an account of it may have no password.
  const noPassword = `<p class="hint">${e(t.noPassword)} <a href="${FORGOT}?lang=${page.language}">${e(t.reset)}</a></p>`;
  const way = visitor?.isMeant
    ? form(page, hidden('csrf', visitor.csrf) + button(t.joinAs(visitor.name)))
    : `<p class="hint">${e(visitor ? t.otherAccount(invitation.email) : t.knownText(invitation.email))}</p>${signIn}${noPassword}`;
  return frame(page, t.invitation, head(t.invitation, t.invitationLead(tenant.name)) + way);
}
