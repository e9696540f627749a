import { languageFor, type PageLanguage, publicPageHeaders } from '@kontor/service-kit';
import type { ErrorOut, KoaContextWithOIDC } from 'oidc-provider';
import { continuePage, leavingPage, messagePage, signOutPage } from './oauth-pages.js';
import { OAUTH_TEXTS } from './oauth-texts.js';

/** The sign-in that a browser shows is not known (any more). */
const EXPIRED = new Set(['SessionNotFound']);

function languageOf(ctx: KoaContextWithOIDC): PageLanguage {
  const { lang, ui_locales: locales } = ctx.query;
  const chosen = [lang, locales].find((value): value is string => typeof value === 'string');
  return languageFor(chosen?.slice(0, 2), undefined, ctx.get('accept-language') || undefined);
}

function show(ctx: KoaContextWithOIDC, html: string, frames: readonly string[] = []): void {
  ctx.set(publicPageHeaders({ sandbox: true, frames }));
  ctx.type = 'html';
  ctx.body = html;
}

/** A refusal that cannot be sent to an app, as a page for the person who sees it. */
export function renderError(ctx: KoaContextWithOIDC, out: ErrorOut, error: Error): void {
  const language = languageOf(ctx);
  const t = OAUTH_TEXTS[language];
  const { oidc } = ctx as { oidc?: KoaContextWithOIDC['oidc'] };
  if (oidc?.route === 'end_session_confirm' && !oidc.session?.accountId) {
    // Who clicks twice sends the form twice, and sees the second answer: the first click has done it.
    ctx.status = 200;
    return postLogoutSuccessSource(ctx);
  }
  if (EXPIRED.has(error.constructor.name)) return show(ctx, messagePage(language, t.expired, t.expiredText));
  const reason = [out.error, out.error_description].filter(Boolean).join(': ');
  show(ctx, messagePage(language, t.error, `${t.errorText} (${reason})`));
}

/** Asks before somebody is signed out: an app could else do so behind its back. */
export function logoutSource(ctx: KoaContextWithOIDC, form: string): void {
  const { action, fields } = formOf(form);
  const inner = Object.entries(fields).map(([name, value]) => `<input type="hidden" name="${name}" value="${value}">`);
  show(ctx, signOutPage(languageOf(ctx), new URL(action).pathname, inner.join('')));
}

export function postLogoutSuccessSource(ctx: KoaContextWithOIDC): void {
  const language = languageOf(ctx);
  const t = OAUTH_TEXTS[language];
  show(ctx, messagePage(language, t.signedOut, t.signedOutText));
}

/**
 * Puts pages of ours in the place of those that need a script, and opens the apps that hear of a logout through the browser
 * before it leads on.
 */
export async function afterwards(ctx: KoaContextWithOIDC): Promise<void> {
  const { oidc } = ctx as { oidc?: KoaContextWithOIDC['oidc'] };
  if (typeof ctx.body === 'string' && ctx.body.includes('document.forms[0].submit()')) return ask(ctx, ctx.body);
  if (oidc?.route !== 'end_session_confirm' || ctx.status !== 303 || !oidc.params?.['logout']) return;
  const frames = await framesOf(ctx);
  if (frames.length === 0) return;
  const target = ctx.response.get('location');
  ctx.remove('location');
  ctx.status = 200;
  const origins = [...new Set(frames.map((uri) => new URL(uri).origin))];
  show(ctx, leavingPage(languageOf(ctx), target, frames), origins);
}

function ask(ctx: KoaContextWithOIDC, html: string): void {
  const { action, fields } = formOf(html);
  const language = languageOf(ctx);
  const t = OAUTH_TEXTS[language];
  const words =
    ctx.oidc.route === 'resume' && 'xsrf' in fields
      ? { title: t.switchAccount, text: t.switchAccountText }
      : ctx.oidc.route === 'end_session'
        ? { title: t.signOut, text: '' }
        : { title: t.goOn, text: t.goOnLead(ctx.oidc.client?.clientName ?? '') };
  show(ctx, continuePage({ language, ...words }, action, fields));
}

/** Where a form of the library leads, and what it sends. */
function formOf(html: string): { action: string; fields: Record<string, string> } {
  const action = plain(/action="([^"]*)"/.exec(html)?.[1] ?? '');
  const inputs = html.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g);
  return { action, fields: Object.fromEntries([...inputs].map(([, name, value]) => [name!, plain(value!)])) };
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", '#x27': "'" };
const plain = (text: string): string =>
  text.replace(/&([a-z]+|#x?\d+);/g, (all, name: string) => ENTITIES[name] ?? all);

/** The addresses of apps in the session that has just ended, with what they need to know which of theirs it was. */
async function framesOf(ctx: KoaContextWithOIDC): Promise<string[]> {
  const { provider, session } = ctx.oidc;
  const frames: string[] = [];
  for (const [clientId, { sid }] of Object.entries(session?.authorizations ?? {})) {
    const client = await provider.Client.find(clientId);
    const uri = client?.['frontchannel_logout_uri'];
    if (typeof uri !== 'string' || !sid) continue;
    const url = new URL(uri);
    url.searchParams.set('iss', provider.issuer);
    url.searchParams.set('sid', sid);
    frames.push(url.href);
  }
  return frames;
}
