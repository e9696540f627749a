import { escapeHtml as e } from '@kontor/service-kit';
import { ACCOUNT_TEXTS } from './account-texts.js';
import { type AccountPage, button, field, form, hidden } from './page-parts.js';

/**
 * Asks the browser for a passkey and sends its answer with the form that it belongs to, once, however often somebody clicks: a challenge counts
 * once. Who comes back to the page needs another one. Without scripts the form is not shown.
 */
export const PASSKEY_SCRIPT = `
for (const form of document.querySelectorAll('form')) {
  const holder = form.querySelector('[data-passkey]');
  if (!holder || !window.PublicKeyCredential || !PublicKeyCredential.parseCreationOptionsFromJSON) continue;
  holder.hidden = false;
  const problem = holder.querySelector('[role=alert]');
  let isBusy = false;
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    if (isBusy) return;
    isBusy = true;
    problem.hidden = true;
    const options = JSON.parse(holder.dataset.passkey);
    try {
      const made = holder.dataset.kind === 'create'
        ? await navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) })
        : await navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) });
      form.querySelector('[name=passkey]').value = JSON.stringify(made.toJSON());
      form.submit();
    } catch {
      isBusy = false;
      problem.hidden = false;
    }
  });
}
addEventListener('pageshow', (event) => { if (event.persisted) location.reload(); });
`;

export interface AskedPasskey {
  readonly challenge: string;
  readonly options: object;
}

const passkeyForm = (
  page: AccountPage,
  kind: 'create' | 'get',
  { challenge, options }: AskedPasskey,
  inner: string,
): string => {
  const failed = `<p class="problem" role="alert" hidden>${e(ACCOUNT_TEXTS[page.language].passkeyFailed)}</p>`;
  const holder = `<div hidden data-kind="${kind}" data-passkey="${e(JSON.stringify(options))}">${inner}${failed}</div>`;
  return form(page, hidden('challenge', challenge) + hidden('passkey', '') + holder);
};

/** The form with which somebody who is signed in adds a passkey. */
export function passkeyAddForm(page: AccountPage, csrf: string, asked: AskedPasskey): string {
  const t = ACCOUNT_TEXTS[page.language];
  const name = field(
    { name: 'name', label: t.passkeyName, value: t.passkeyDefaultName, autocomplete: 'off' },
    'passkey-',
  );
  const fields = hidden('csrf', csrf) + hidden('action', 'passkey_add');
  return passkeyForm(page, 'create', asked, fields + name + button(t.passkeyAdd, { look: 'second' }));
}

/** The form with which somebody signs in by a passkey. */
export const passkeySignInForm = (page: AccountPage, next: string, asked: AskedPasskey): string =>
  passkeyForm(
    page,
    'get',
    asked,
    hidden('next', next) + button(ACCOUNT_TEXTS[page.language].passkeySignIn, { look: 'second' }),
  );

/** At the end of pages with such forms. */
export const PASSKEY_SCRIPT_TAG = `<script>${PASSKEY_SCRIPT}</script>`;
