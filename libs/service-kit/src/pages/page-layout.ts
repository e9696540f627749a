import { createHash } from 'node:crypto';
import { escapeHtml } from './escape-html.js';
import { type LegalLinks, legalFooter } from './legal-footer.js';
import type { PageLanguage } from './page-language.js';
import { accentStyle, NO_LOOK, type SellerLook } from './page-look.js';
import { PAGE_STYLE } from './page-style.js';

const hashSource = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** What a browser may do on a page, beside showing it: nothing from elsewhere but what is named. */
export interface PageRights {
  /** Forms may lead to the payer's own machine, too. */
  readonly sandbox?: boolean;
  /** Origins that it may frame. */
  readonly frames?: readonly string[];
  /** Origins that may frame it. */
  readonly framedBy?: readonly string[];
  /** It has pictures, as data. */
  readonly pictures?: boolean;
  /** Texts of the scripts that it has. */
  readonly scripts?: readonly string[];
  /** It has script files of ours. */
  readonly ownScripts?: boolean;
  /** Texts of its style sheets. */
  readonly styles?: readonly string[];
}

/** Forms may lead to the provider or back to the seller, wherever their https is. */
function contentSecurityPolicy(rights: PageRights): string {
  const {
    sandbox = false,
    frames = [],
    framedBy = [],
    scripts = [],
    ownScripts = false,
    styles = [PAGE_STYLE],
  } = rights;
  const scriptSources = [...(ownScripts ? ["'self'"] : []), ...scripts.map(hashSource)];
  return [
    "default-src 'none'",
    `style-src ${styles.map(hashSource).join(' ')}`,
    ...(rights.pictures ? ['img-src data:'] : []),
    ...(scriptSources.length > 0 ? [`script-src ${scriptSources.join(' ')}`] : []),
    ...(frames.length > 0 ? [`frame-src ${frames.join(' ')}`] : []),
    `form-action 'self' https:${sandbox ? ' http://127.0.0.1:* http://localhost:*' : ''}`,
    "base-uri 'none'",
    `frame-ancestors ${framedBy.length === 0 ? "'none'" : framedBy.join(' ')}`,
  ].join('; ');
}

export interface PageFrame {
  readonly language: PageLanguage;
  readonly title: string;
  /** Empty when nobody is known, as for a link that never was. */
  readonly seller: string;
  /** Address of the same page in the other language, and its name. */
  readonly other: { readonly href: string; readonly label: string } | null;
  readonly look?: SellerLook;
  /** Two columns, where there is room. */
  readonly wide?: boolean;
  /** Linked below everything. */
  readonly legal?: LegalLinks | null;
  /** Address of the page's script, one of ours. */
  readonly script?: string | null;
}

/** What a browser needs to be allowed to show a look. */
export function lookRights({ logo, accentColor }: SellerLook): Pick<PageRights, 'pictures' | 'styles'> {
  const accent = accentStyle(accentColor);
  return { pictures: logo !== null, styles: accent === null ? [PAGE_STYLE] : [PAGE_STYLE, accent] };
}

/** A whole page around `body`, which is HTML. */
export function layout(
  { language, title, seller, other, look = NO_LOOK, wide = false, legal = null, script = null }: PageFrame,
  body: string,
): string {
  const accent = accentStyle(look.accentColor);
  const name =
    look.logo === null
      ? `<span class="seller">${escapeHtml(seller)}</span>`
      : `<img class="logo" src="${escapeHtml(look.logo)}" alt="${escapeHtml(seller)}">`;
  const to = language === 'de' ? 'en' : 'de';
  const switchLanguage = other
    ? `<a href="${escapeHtml(other.href)}" hreflang="${to}" lang="${to}">${escapeHtml(other.label)}</a>`
    : '';
  return `<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">
<title>${escapeHtml(seller === '' ? title : `${title} – ${seller}`)}</title><style>${PAGE_STYLE}</style>${accent === null ? '' : `<style>${accent}</style>`}${
    script === null ? '' : `<script src="${escapeHtml(script)}" defer></script>`
  }</head>
<body><div class="wrap${wide ? ' wide' : ''}"><header>${name}${switchLanguage}</header>
<main>${body}</main>${legalFooter(legal, language)}</div></body></html>
`;
}

/** Who has the address can use it: it goes into no cache, no log of another site, and no frame but those that are named. */
export const publicPageHeaders = (rights: PageRights = {}): Record<string, string> => ({
  'content-security-policy': contentSecurityPolicy(rights),
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  // Older browsers know all or nothing.
  ...(!rights.framedBy?.length && { 'x-frame-options': 'DENY' }),
  'x-robots-tag': 'noindex, nofollow',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
});
