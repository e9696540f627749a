import {
  layout as pageOf,
  type LegalLinks,
  lookRights,
  NO_LOOK,
  type PageLanguage,
  redirectTo,
  type SellerLook,
  sendPage as send,
} from '@kontor/service-kit';
import type { FastifyReply } from 'fastify';
import type { Html } from './html.js';

export type { PageLanguage };

/** What a seller's pages look like, and who may show them in a frame. */
export interface PageLook extends SellerLook {
  readonly frames: readonly string[];
}

export const PLAIN_LOOK: PageLook = { ...NO_LOOK, frames: [] };

/** The status and the page, or where to go on. */
export type ShownPage =
  | { readonly status: number; readonly page: string; readonly look?: PageLook; readonly hasScript?: boolean }
  | { readonly status: 303; readonly location: string };

export interface PageFrame {
  readonly language: PageLanguage;
  readonly title: string;
  readonly seller: string;
  /** Path of the page, for the other language; null where there is none. */
  readonly path: string | null;
  readonly narrow?: boolean;
  readonly look?: PageLook;
  /** Languages that the page has; both unless given. */
  readonly languages?: readonly PageLanguage[];
  readonly legal?: LegalLinks | null;
  /** Address of the page's script, one of ours. */
  readonly script?: string | null;
}

/** A whole page. */
export function layout(
  { path, narrow = false, languages = ['de', 'en'], look = PLAIN_LOOK, ...frame }: PageFrame,
  body: Html,
): string {
  const lang = frame.language === 'de' ? 'en' : 'de';
  const label = frame.language === 'de' ? 'English' : 'Deutsch';
  const other = path !== null && languages.includes(lang) ? { href: `${path}?lang=${lang}`, label } : null;
  return pageOf({ ...frame, look, other, wide: !narrow }, body.text);
}

/** The requested language, else the document's, else the browser's, else English. */
export function languageFor(
  asked: unknown,
  known: string | null | undefined,
  accepted: string | undefined,
): PageLanguage {
  for (const language of [asked, known]) if (language === 'de' || language === 'en') return language;
  return /^\s*de\b/i.test(accepted ?? '') ? 'de' : 'en';
}

/** Whether a browser asks, which wants a page, and not a program. */
export const wantsPage = (accept: string | undefined): boolean => /\btext\/html\b/i.test(accept ?? '');

/** Buyers type what is theirs alone: who has opened the page learns nothing of it. */
const OWN_WINDOW = { 'cross-origin-opener-policy': 'same-origin', vary: 'accept, accept-language' };

export function sendPage(
  reply: FastifyReply,
  { status, page, look = PLAIN_LOOK, hasScript = false }: Exclude<ShownPage, { readonly location: string }>,
): string {
  return send(reply.headers(OWN_WINDOW), status, page, {
    ...lookRights(look),
    sandbox: true,
    pictures: true,
    framedBy: look.frames,
    ownScripts: hasScript,
  });
}

/** Where a page leads on to, or the page. */
export const answer = (reply: FastifyReply, shown: ShownPage): string =>
  'location' in shown ? redirectTo(reply, shown.location) : sendPage(reply, shown);
