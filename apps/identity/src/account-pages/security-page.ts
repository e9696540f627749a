import { escapeHtml as e, type PageLanguage } from '@kontor/service-kit';
import type { Passkey } from '../accounts/passkeys.js';
import type { PersonSession } from '../accounts/person-sessions.js';
import { fullName } from '../accounts/person.js';
import { deviceName } from '../domain/device-name.js';
import type { TenantOfPerson } from '../users/sign-in.js';
import { ACCOUNT_TEXTS } from './account-texts.js';
import type { Visitor } from './browser.js';
import { type AccountPage, button, errorNote, field, form, frame, head, hidden, section } from './page-parts.js';

/** A second factor that is being set up. */
export interface TotpSetup {
  readonly token: string;
  /** As people type it. */
  readonly key: string;
  /** The picture that an app reads, as SVG. */
  readonly qrCode: string;
}

export interface SecurityState {
  readonly visitor: Visitor;
  readonly tenants: readonly TenantOfPerson[];
  readonly sessions: readonly PersonSession[];
  readonly recoveryCodesLeft: number;
  readonly passkeys: readonly Passkey[];
  /** Form with which a passkey is added; empty where none can be. */
  readonly passkeyForm: string;
  readonly notice: string | null;
  readonly error: string | null;
  /** Shown this once. */
  readonly recoveryCodes: readonly string[];
  readonly totpSetup: TotpSetup | null;
}

/** What somebody signs in with, and where. */
export function securityPage(page: AccountPage, state: SecurityState): string {
  const t = ACCOUNT_TEXTS[page.language];
  const { person, csrf } = state.visitor;
  const action = (name: string, inner: string): string =>
    form(page, hidden('csrf', csrf) + hidden('action', name) + inner);
  const work =
    state.tenants.length > 0 ? `${t.worksFor} ${state.tenants.map(({ name }) => name).join(', ')}.` : t.worksForNobody;
  const parts = [
    head(fullName(person), person.email),
    state.notice ? `<p class="note" role="status">${e(state.notice)}</p>` : '',
    errorNote(state.error),
    recoveryCodes(state, page.language),
    `<p class="hint">${e(work)}</p>`,
    section(t.twoSteps, twoSteps(state, page.language, action)),
    section(t.passkeys, passkeys(state, page.language, action)),
    section(t.changePassword, passwordForm(state, page.language, action)),
    section(t.changeName, nameForm(state, page.language, action)),
    section(t.changeEmail, emailForm(page.language, action)),
    section(t.sessions, sessions(state, page.language, action)),
    section(t.deleteAccount, deleteForm(state, page.language, action)),
    action('sign_out', button(t.signOut)),
  ];
  return frame(page, t.account, parts.join('\n'));
}

type Action = (name: string, inner: string) => string;

function recoveryCodes({ recoveryCodes: codes }: SecurityState, language: PageLanguage): string {
  if (codes.length === 0) return '';
  const t = ACCOUNT_TEXTS[language];
  const list = codes.map((code) => `<li><code>${e(code)}</code></li>`).join('');
  return section(t.recovery, `<p>${e(t.recoveryText)}</p><ul class="points">${list}</ul>`);
}

function twoSteps(
  { visitor, totpSetup, recoveryCodesLeft }: SecurityState,
  language: PageLanguage,
  action: Action,
): string {
  const t = ACCOUNT_TEXTS[language];
  if (visitor.person.totpSecret !== null)
    return (
      `<p>${e(t.totpOn)} ${e(t.recoveryLeft(recoveryCodesLeft))}</p>` +
      `<div class="field">${action('recovery_new', button(t.recoveryNew, { look: 'second' }))}</div>` +
      action('totp_end', button(t.totpEnd, { look: 'second' }))
    );
  if (!totpSetup) return `<p>${e(t.totpOff)}</p>${action('totp_start', button(t.totpSetUp, { look: 'second' }))}`;
  const key = totpSetup.key.match(/.{1,4}/g)!.join(' ');
  const fields =
    hidden('setup', totpSetup.token) +
    field({ name: 'code', label: t.code, autocomplete: 'one-time-code', inputMode: 'numeric' });
  return (
    `<p>${e(t.totpScan)}</p><div class="qr">${totpSetup.qrCode}</div>` +
    `<dl><div><dt>${e(t.totpKey)}</dt><dd><code>${e(key)}</code></dd></div></dl>` +
    action('totp_confirm', fields + button(t.goOn))
  );
}

function passkeys({ passkeys: known, passkeyForm }: SecurityState, language: PageLanguage, action: Action): string {
  const t = ACCOUNT_TEXTS[language];
  const list = known.map(
    ({ id, name, createdAt }) =>
      `<li><p>${e(name)}<br><span class="soft">${e(dayOf(createdAt, language))}</span></p>` +
      `${action('passkey_remove', hidden('id', id) + button(t.passkeyRemove, { look: 'second' }))}</li>`,
  );
  return `<p>${e(t.passkeysText)}</p>${list.length > 0 ? `<ul class="rows">${list.join('')}</ul>` : ''}${passkeyForm}`;
}

function passwordForm({ visitor }: SecurityState, language: PageLanguage, action: Action): string {
  const t = ACCOUNT_TEXTS[language];
  const present =
    visitor.person.passwordHash === null
      ? ''
      : field({ name: 'password', label: t.presentPassword, type: 'password', autocomplete: 'current-password' });
  const next = field({
    name: 'newPassword',
    label: t.newPassword,
    type: 'password',
    autocomplete: 'new-password',
    hint: t.passwordHint,
  });
  return action('change_password', present + next + button(t.save, { look: 'second' }));
}

function nameForm({ visitor }: SecurityState, language: PageLanguage, action: Action): string {
  const t = ACCOUNT_TEXTS[language];
  const { firstName, lastName } = visitor.person;
  const fields =
    field({ name: 'firstName', label: t.firstName, value: firstName, autocomplete: 'given-name' }) +
    field({ name: 'lastName', label: t.lastName, value: lastName, autocomplete: 'family-name' });
  return action('change_name', fields + button(t.nameSave, { look: 'second' }));
}

/** Asks for all that the person signs in with: an open browser is not enough. */
function deleteForm({ visitor }: SecurityState, language: PageLanguage, action: Action): string {
  const t = ACCOUNT_TEXTS[language];
  const password = field(
    { name: 'password', label: t.deletePassword, type: 'password', autocomplete: 'current-password' },
    'delete-',
  );
  const code = field({ name: 'code', label: t.deleteCode, autocomplete: 'one-time-code' }, 'delete-');
  const fields =
    (visitor.person.passwordHash === null ? '' : password) + (visitor.person.totpSecret === null ? '' : code);
  return `<p>${e(t.deleteText)}</p>${action('delete_account', fields + button(t.deleteAccount, { look: 'second' }))}`;
}

function emailForm(language: PageLanguage, action: Action): string {
  const t = ACCOUNT_TEXTS[language];
  const fields = field({ name: 'email', label: t.newEmail, type: 'email', autocomplete: 'email' });
  return action('change_email', fields + button(t.sendLink, { look: 'second' }));
}

function sessions({ sessions: open, visitor }: SecurityState, language: PageLanguage, action: Action): string {
  const t = ACCOUNT_TEXTS[language];
  const rows = open.map((session) => {
    const isThis = session.id === visitor.session.id;
    const where = [deviceName(session.userAgent ?? ''), session.address].filter(Boolean).join(', ');
    const when = `${t.lastUsed}: ${timeOf(session.lastUsedAt, language)}${isThis ? ` (${t.thisSession})` : ''}`;
    const end = isThis
      ? ''
      : action('end_session', hidden('id', session.id) + button(t.endSession, { look: 'second' }));
    return `<li><p>${e(where)}<br><span class="soft">${e(when)}</span></p>${end}</li>`;
  });
  const others = open.length > 1 ? action('end_others', button(t.endOthers, { look: 'second' })) : '';
  return `<ul class="rows">${rows.join('')}</ul>${others}`;
}

const localeOf = (language: PageLanguage): string => (language === 'de' ? 'de-DE' : 'en-GB');

const dayOf = (at: Date, language: PageLanguage): string =>
  new Intl.DateTimeFormat(localeOf(language), { dateStyle: 'long', timeZone: 'UTC' }).format(at);

const timeOf = (at: Date, language: PageLanguage): string =>
  `${new Intl.DateTimeFormat(localeOf(language), { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' }).format(at)} UTC`;
