import { createHash } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import { Html, markup } from './html.js';

export type PageLanguage = 'de' | 'en';

const STYLE = `
:root{color-scheme:light dark;--ink:#121a29;--soft:#566070;--line:#d5dbe5;--card:#fff;--ground:#f3f5f9;\
--accent:#1a4a87;--on-accent:#fff;--bad:#b3261e;--bad-ground:#fdeceb;--good:#1b7f4d}
@media (prefers-color-scheme:dark){:root{--ink:#e9edf4;--soft:#a9b3c2;--line:#38414f;--card:#1a212c;--ground:#10151d;\
--accent:#8db8f2;--on-accent:#0c1a2c;--bad:#ffb4ab;--bad-ground:#3b1a18;--good:#74d3a2}}
*,*::before{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--ink);font:16px/1.5 -apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif;\
-webkit-text-size-adjust:100%;overflow-wrap:anywhere}
.wrap{max-width:1080px;margin:0 auto;padding:24px 16px 48px}
.narrow{max-width:640px}
header{display:flex;justify-content:space-between;align-items:baseline;gap:16px;margin-bottom:20px}
.seller{font-weight:600}
a{color:var(--accent)}
h1{font-size:26px;line-height:1.25;margin:0 0 8px;letter-spacing:-.01em}
h2{font-size:18px;line-height:1.3;margin:0 0 12px}
.lead,.hint{color:var(--soft);margin:0 0 16px}
.hint{font-size:14px}
.field .hint{margin:6px 0 0}
table+.hint{margin-top:12px}
.note,.error{border-radius:10px;padding:12px 14px;margin:0 0 16px;font-size:15px}
.note{border:1px dashed var(--line);color:var(--soft)}
.error{background:var(--bad-ground);color:var(--bad)}
.card{background:var(--card);border:1px solid var(--line);border-radius:14px;padding:20px 16px;margin:0 0 16px}
.columns{display:grid;gap:16px;align-items:start}
@media (min-width:880px){.columns{grid-template-columns:1.35fr 1fr}.card{padding:24px}.columns>.side{position:sticky;top:16px}}
table{width:100%;border-collapse:collapse;font-variant-numeric:tabular-nums}
th,td{text-align:left;padding:8px 0;vertical-align:top;border-bottom:1px solid var(--line)}
th{font-size:13px;color:var(--soft);font-weight:600}
.amount{text-align:right;white-space:nowrap;padding-left:12px}
tr.total td,tr.total th{font-weight:700;font-size:17px;color:var(--ink);border-bottom:0}
label,legend{display:block;font-size:14px;font-weight:600;margin:0 0 6px;padding:0}
fieldset{border:0;margin:0 0 8px;padding:0;min-width:0}
.field{margin:0 0 14px}
.pair{display:grid;gap:0 12px}
@media (min-width:560px){.pair{grid-template-columns:1fr 1fr}.pair.short{grid-template-columns:1fr 2fr}}
input[type=text],input[type=email],input[type=tel],input[type=date],select{width:100%;min-height:48px;padding:10px 12px;border:1px solid #8791a1;\
border-radius:10px;background:var(--card);color:var(--ink);font:inherit;font-size:17px}
input.quantity{width:96px}
input[aria-invalid=true]{border-color:var(--bad);border-width:2px}
.check{display:flex;gap:12px;align-items:flex-start;font-weight:400;font-size:15px;margin:0 0 12px;min-height:24px}
.check input{flex:none;width:24px;height:24px;margin:0;accent-color:var(--accent)}
button,.button{display:block;width:100%;min-height:50px;border:0;border-radius:10px;background:var(--accent);\
color:var(--on-accent);font:inherit;font-weight:600;cursor:pointer;text-align:center;text-decoration:none;padding:13px}
button.second{background:transparent;color:var(--accent);border:1px solid var(--accent)}
input:focus-visible,select:focus-visible,button:focus-visible,a:focus-visible,.button:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
.option{border-bottom:1px solid var(--line);margin:0 0 12px}
.text{white-space:pre-line;margin:0 0 12px}
.result{text-align:center;padding:32px 24px}
.good{color:var(--good)}
footer{color:var(--soft);margin-top:20px;font-size:14px}
footer a{margin-right:16px}
.logo{display:block;max-width:200px;max-height:48px;width:auto;height:48px;object-fit:contain;object-position:left}
.mandate{display:none;border:1px solid var(--line);border-radius:10px;padding:14px;margin:4px 0 12px;font-size:14px}
fieldset:has(input[value=sepa_debit]:checked) .mandate{display:block}
@supports not selector(:has(a)){.mandate{display:block}}
.mandate h3{font-size:15px;margin:0 0 8px}
.mandate p{margin:0 0 10px}
textarea{width:100%;min-height:96px;padding:10px 12px;border:1px solid #8791a1;border-radius:10px;background:var(--card);\
color:var(--ink);font:inherit;font-size:17px}
@media print{body{background:#fff}.card{border:0;padding:0}form,header a{display:none}.columns{display:block}}
`;

const hashOf = (style: string): string => `'sha256-${createHash('sha256').update(style).digest('base64')}'`;
const STYLE_HASH = hashOf(STYLE);

/** Nothing from elsewhere, no scripts, frames only where they are listed; forms lead here, and on to where the seller or a provider is. */
const policyOf = (styles: readonly string[], frames: readonly string[]): string =>
  [
    "default-src 'none'",
    `style-src ${styles.join(' ')}`,
    'img-src data:',
    "form-action 'self' https: http://127.0.0.1:* http://localhost:*",
    "base-uri 'none'",
    `frame-ancestors ${frames.length === 0 ? "'none'" : frames.join(' ')}`,
  ].join('; ');

/** What a seller's pages look like, and who may show them in a frame. */
export interface PageLook {
  /** A data address. */
  readonly logo: string | null;
  /** `#rrggbb`. */
  readonly accentColor: string | null;
  readonly frames: readonly string[];
}

export const PLAIN_LOOK: PageLook = { logo: null, accentColor: null, frames: [] };

/** The seller's colour, lighter where the page is dark; the text on it is black or white, whichever can be read. */
function accentStyle(accentColor: string | null): string | null {
  if (accentColor === null || !/^#[0-9a-f]{6}$/i.test(accentColor)) return null;
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const part = parseInt(accentColor.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  const luminance = 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
  const on = luminance > 0.179 ? '#121a29' : '#fff';
  const link = luminance > 0.179 ? `color-mix(in srgb,${accentColor} 45%,#000)` : accentColor;
  return (
    `:root{--accent:${accentColor};--on-accent:${on}}a,button.second{color:${link}}` +
    `@media (prefers-color-scheme:dark){a,button.second{color:color-mix(in srgb,${accentColor} 40%,#fff)}a.button{color:${on}}}a.button{color:${on}}`
  );
}

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
  readonly footer?: Html | null;
}

/** A whole page. */
export const layout = (
  { language, title, seller, path, narrow, look = PLAIN_LOOK, languages = ['de', 'en'], footer = null }: PageFrame,
  body: Html,
): string => {
  const other = language === 'de' ? 'en' : 'de';
  const label = language === 'de' ? 'English' : 'Deutsch';
  const accent = accentStyle(look.accentColor);
  const name =
    look.logo === null
      ? markup`<span class="seller">${seller}</span>`
      : markup`<img class="logo" src="${look.logo}" alt="${seller}">`;
  return markup`<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">
<title>${seller === '' ? title : `${title} – ${seller}`}</title><style>${new Html(STYLE)}</style>${
    accent !== null && markup`<style>${new Html(accent)}</style>`
  }</head>
<body><div class="wrap${narrow ? ' narrow' : ''}"><header>${name}${
    path !== null &&
    languages.includes(other) &&
    markup`<a href="${path}?lang=${other}" hreflang="${other}" lang="${other}">${label}</a>`
  }</header><main>${body}</main>${footer !== null && markup`<footer>${footer}</footer>`}</div></body></html>
`.text;
};

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

/** Who has the address can use it: it goes into no cache, no log of another site, and into no frame but those that are listed. */
function protect(reply: FastifyReply, { accentColor, frames }: PageLook): FastifyReply {
  const accent = accentStyle(accentColor);
  return reply.headers({
    'content-security-policy': policyOf([STYLE_HASH, ...(accent === null ? [] : [hashOf(accent)])], frames),
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    // Older browsers know all or nothing.
    ...(frames.length === 0 && { 'x-frame-options': 'DENY' }),
    'x-robots-tag': 'noindex, nofollow',
    'cross-origin-opener-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=()',
    vary: 'accept, accept-language',
  });
}

export function sendPage(reply: FastifyReply, status: number, page: string, look: PageLook = PLAIN_LOOK): string {
  void protect(reply, look).status(status).type('text/html; charset=utf-8');
  return page;
}

export function redirectTo(reply: FastifyReply, target: string): string {
  void protect(reply, PLAIN_LOOK).status(303).header('location', target).type('text/html; charset=utf-8');
  return '';
}
