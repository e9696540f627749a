import type { IncomingHttpHeaders } from 'node:http';
import { languageFor, type PageLanguage } from './page-language.js';
import { layout, publicPageHeaders } from './page-layout.js';

/** What no page can say itself, as it is refused before, or fails on the way, and will pass. */
const NOT_NOW = new Set([429, 500, 503, 504, 507]);

const WORDS: Record<PageLanguage, Record<'busy' | 'away', readonly [string, string]>> = {
  de: {
    busy: ['Zu viele Anfragen', 'Bitte warten Sie eine Minute und versuchen Sie es dann noch einmal.'],
    away: ['Das geht im Moment nicht', 'Bitte versuchen Sie es in ein paar Minuten noch einmal.'],
  },
  en: {
    busy: ['Too many requests', 'Please wait for a minute, and try again then.'],
    away: ['This is not possible at the moment', 'Please try again in a few minutes.'],
  },
};

export interface AnswerPage {
  readonly html: string;
  readonly headers: Record<string, string>;
}

/** For people in front of a browser in place of a problem that is written for programs; null where the asker is none, or the problem stays. */
export function notNowPage(
  status: number,
  { url, headers }: { readonly url: string; readonly headers: IncomingHttpHeaders },
): AnswerPage | null {
  if (!NOT_NOW.has(status) || !headers.accept?.includes('text/html')) return null;
  const chosen = /[?&]lang=(de|en)\b/.exec(url)?.[1];
  const language = languageFor(chosen, undefined, headers['accept-language']);
  const [title, advice] = WORDS[language][status === 429 ? 'busy' : 'away'];
  return {
    html: layout({ language, title, seller: '', other: null }, `<h1>${title}</h1><p>${advice}</p>`),
    // Nothing can be done on it, and a cart may be in a frame of its seller's site.
    headers: { ...publicPageHeaders({ framedBy: ['*'] }), 'content-type': 'text/html; charset=utf-8' },
  };
}
