import { escapeHtml as e, layout, type PageLanguage } from '@kontor/service-kit';
import { OAUTH_TEXTS } from './oauth-texts.js';

/** What every page of one sign-in shows. */
export interface SignInPage {
  readonly language: PageLanguage;
  readonly app: string;
  readonly seller: string;
  readonly sandbox: boolean;
  /** Path of the page, which is the address of its form as well. */
  readonly path: string;
}

const frameOf = (page: SignInPage, title: string) => ({
  language: page.language,
  title,
  seller: page.seller,
  other: {
    href: `${page.path}?lang=${page.language === 'de' ? 'en' : 'de'}`,
    label: OAUTH_TEXTS[page.language].otherLanguage,
  },
});

const head = (page: SignInPage, title: string, lead: string): string =>
  `<h1>${e(title)}</h1><p class="lead">${e(lead)}</p>${
    page.sandbox ? `<p class="note">${e(OAUTH_TEXTS[page.language].sandbox)}</p>` : ''
  }`;

const form = (page: SignInPage, inner: string): string =>
  `<form method="post" action="${e(page.path)}?lang=${page.language}" novalidate>${inner}</form>`;

const button = (label: string, value = '', look = ''): string =>
  `<button type="submit"${look ? ` class="${look}"` : ''}${value ? ` name="answer" value="${value}"` : ''}>${e(label)}</button>`;

/** Asks for the e-mail address. */
export function signInPage(page: SignInPage, { email, isRefused }: { email: string; isRefused: boolean }): string {
  const t = OAUTH_TEXTS[page.language];
  const invalid = isRefused ? ' aria-invalid="true" aria-describedby="email-problem"' : '';
  const problem = isRefused ? `<p class="problem" id="email-problem">${e(t.emailProblem)}</p>` : '';
  const field =
    `<div class="field"><label for="email">${e(t.email)}</label><input type="email" id="email" name="email" value="${e(email)}" ` +
    `autocomplete="email" maxlength="254"${invalid}>${problem}</div>`;
  return layout(
    frameOf(page, t.signIn),
    head(page, t.signIn, t.signInLead(page.app)) + form(page, field + button(t.sendLink)),
  );
}

/** The same for addresses that nobody has. */
export function mailSentPage(page: SignInPage, email: string): string {
  const t = OAUTH_TEXTS[page.language];
  const text = `<p>${e(t.mailSentText(email))}</p><p>${e(t.mailSentHint)}</p>`;
  return layout(frameOf(page, t.mailSent), `<section class="result"><h1>${e(t.mailSent)}</h1>${text}</section>`);
}

/** Behind the link in the mail, before the click that uses it. */
export function linkPage(page: SignInPage, name: string): string {
  const t = OAUTH_TEXTS[page.language];
  return layout(
    frameOf(page, t.signIn),
    head(page, t.signIn, t.goOnLead(page.app)) + form(page, button(t.goOnAs(name))),
  );
}

/** Asks whether an app may have what it asks for. */
export function consentPage(page: SignInPage, scopes: readonly string[]): string {
  const t = OAUTH_TEXTS[page.language];
  const known = scopes.filter((scope): scope is keyof typeof t.scopes => scope in t.scopes);
  const points = known.map((scope) => `<li>${e(t.scopes[scope])}</li>`).join('');
  const list = `<section class="way"><div class="body"><ul class="points">${points}</ul></div></section>`;
  const answers = `<p>${button(t.allow, 'allow')}</p><p>${button(t.deny, 'deny', 'second')}</p>`;
  const title = t.consent(page.app);
  return layout(
    frameOf(page, title),
    head(page, title, t.consentLead(page.app, page.seller)) + list + form(page, answers),
  );
}

/** Says something that needs no answer. */
export function messagePage(language: PageLanguage, title: string, text: string, more = ''): string {
  const body = `<section class="result"><h1>${e(title)}</h1><p>${e(text)}</p>${more}</section>`;
  return layout({ language, title, seller: '', other: null }, body);
}

/** Asks whether to sign out; `inner` is the form's hidden fields. */
export function signOutPage(language: PageLanguage, action: string, inner: string): string {
  const t = OAUTH_TEXTS[language];
  const answers =
    `<form method="post" action="${e(action)}">${inner}<p><button type="submit" name="logout" value="yes">${e(t.signOut)}</button></p>` +
    `<p><button type="submit" class="second">${e(t.stay)}</button></p></form>`;
  const body = `<h1>${e(t.signOut)}</h1><p class="lead">${e(t.signOutLead)}</p>${answers}`;
  return layout({ language, title: t.signOut, seller: '', other: null }, body);
}

/** Sends what would else be sent by a script, with a click instead. */
export function continuePage(
  { language, title, text }: { readonly language: PageLanguage; readonly title: string; readonly text: string },
  action: string,
  fields: Readonly<Record<string, string>>,
): string {
  const hidden = Object.entries(fields).map(
    ([name, value]) => `<input type="hidden" name="${e(name)}" value="${e(value)}">`,
  );
  const body =
    `<h1>${e(title)}</h1><p class="lead">${e(text)}</p>` +
    `<form method="post" action="${e(action)}">${hidden.join('')}${button(OAUTH_TEXTS[language].goOn)}</form>`;
  return layout({ language, title, seller: '', other: null }, body);
}

/** Reports a logout to apps by frames that the browser opens, and goes on by itself after a moment. */
export function leavingPage(language: PageLanguage, target: string, frames: readonly string[]): string {
  const t = OAUTH_TEXTS[language];
  const hidden = frames.map((uri) => `<iframe src="${e(uri)}" title="" width="0" height="0"></iframe>`).join('');
  const more = `<p><a class="button" href="${e(target)}">${e(t.goOn)}</a></p>${hidden}`;
  return goesOn(messagePage(language, t.signedOut, t.leaving, more), target, 3);
}

/**
 * Leads on at once. Who clicks twice drops what the first click brought until this page is there, and it has nothing to click: the sign-in
 * does not go on before. With a redirection it would be over when the second click comes.
 */
export function goOnPage(language: PageLanguage, target: string): string {
  const t = OAUTH_TEXTS[language];
  return goesOn(messagePage(language, t.signIn, t.oneMoment), target, 0);
}

const goesOn = (page: string, target: string, seconds: number): string =>
  page.replace('<head>', () => `<head><meta http-equiv="refresh" content="${seconds};url=${e(target)}">`);
