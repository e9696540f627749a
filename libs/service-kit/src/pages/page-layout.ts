import { createHash } from 'node:crypto';

/** Languages of the public pages. */
export type PageLanguage = 'de' | 'en';

/** Text in HTML, in elements and in quoted attributes. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);

const STYLE = `
:root{color-scheme:light dark;--ink:#121a29;--soft:#5d6675;--line:#d5dbe5;--card:#fff;--ground:#f3f5f9;\
--accent:#1a4a87;--on-accent:#fff;--bad:#b3261e;--bad-ground:#fdeceb;--good:#1b7f4d}
@media (prefers-color-scheme:dark){:root{--ink:#e9edf4;--soft:#a3adbd;--line:#38414f;--card:#1a212c;--ground:#10151d;\
--accent:#8db8f2;--on-accent:#0c1a2c;--bad:#ffb4ab;--bad-ground:#3b1a18;--good:#74d3a2}}
*,*::before{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--ink);font:16px/1.5 -apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif;-webkit-text-size-adjust:100%}
.wrap{max-width:520px;margin:0 auto;padding:24px 16px 48px}
header{display:flex;justify-content:space-between;align-items:baseline;gap:16px;margin-bottom:16px}
.seller{font-weight:600;overflow-wrap:anywhere}
a{color:var(--accent)}
header a,footer{font-size:14px}
h1{font-size:26px;line-height:1.25;margin:0 0 8px;letter-spacing:-.01em}
.lead{color:var(--soft);margin:0 0 20px}
.note,.error{border-radius:10px;padding:12px 14px;margin:0 0 16px;font-size:15px}
.note{border:1px dashed var(--line);color:var(--soft)}
.error{background:var(--bad-ground);color:var(--bad)}
.way{background:var(--card);border:1px solid var(--line);border-radius:14px;margin-bottom:12px;overflow:hidden}
.way>summary,.way>.head{display:flex;align-items:center;gap:12px;padding:16px;min-height:56px;font-weight:600;list-style:none}
.way>summary{cursor:pointer}
.way>summary::-webkit-details-marker{display:none}
.way>summary::before{content:"";flex:none;width:20px;height:20px;border:2px solid var(--soft);border-radius:50%}
.way[open]>summary::before{border:6px solid var(--accent)}
.way>summary:focus-visible,input:focus-visible,button:focus-visible,a:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
.body{padding:0 16px 16px}
.hint{color:var(--soft);font-size:15px;margin:0 0 16px}
label{display:block;font-size:14px;font-weight:600;margin:0 0 6px}
.field{margin:0 0 16px}
input[type=text],input[type=email],input[type=password]{width:100%;min-height:48px;padding:10px 12px;border:1px solid var(--line);border-radius:10px;\
background:var(--card);color:var(--ink);font:inherit;font-size:17px}
input.iban{font-variant-numeric:tabular-nums;letter-spacing:.04em;text-transform:uppercase}
input[aria-invalid=true]{border-color:var(--bad);border-width:2px}
.field .hint{margin:6px 0 0}
.problem{color:var(--bad);font-size:14px;margin:6px 0 0}
.mandate{border:1px solid var(--line);border-radius:10px;padding:14px;font-size:14px;margin:0 0 16px}
.mandate h2{font-size:15px;margin:0 0 10px}
dl{margin:0 0 12px;display:grid;gap:8px}
dt{color:var(--soft);font-size:13px}
dd{margin:0;overflow-wrap:anywhere}
.mandate p{margin:0 0 10px}
.mandate p:last-child{margin:0}
.check{display:flex;gap:12px;align-items:flex-start;font-weight:400;font-size:15px}
.check input{flex:none;width:22px;height:22px;margin:1px 0 0;accent-color:var(--accent)}
button,.button{display:block;width:100%;min-height:50px;border:0;border-radius:10px;background:var(--accent);\
color:var(--on-accent);font:inherit;font-weight:600;cursor:pointer;text-align:center;text-decoration:none;padding:13px}
.second{background:none;border:1px solid var(--line);color:var(--ink)}
.body>dl{padding-top:16px}
iframe{border:0}
.points{margin:0;padding:16px 0 0 20px}
.body>h2{font-size:17px;margin:0;padding:16px 0 8px}
.body>p{margin:0 0 12px}
.rows{list-style:none;margin:0 0 12px;padding:0}
.rows li{border-top:1px solid var(--line);padding:12px 0}
.rows p{margin:0 0 8px;font-size:15px;overflow-wrap:anywhere}
code{font:15px/1.6 ui-monospace,SFMono-Regular,Menlo,monospace;overflow-wrap:anywhere}
.qr{background:#fff;width:200px;max-width:100%;margin:0 0 12px;border-radius:10px;padding:8px}
.qr svg{display:block;width:100%;height:auto}
.result{background:var(--card);border:1px solid var(--line);border-radius:14px;padding:32px 24px;text-align:center}
.result svg{width:56px;height:56px;margin-bottom:12px}
.good{color:var(--good)}.bad{color:var(--bad)}.soft{color:var(--soft)}
.result p{margin:0 0 12px}
footer{color:var(--soft);margin-top:20px}
`;

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

const hashSource = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/**
 * What a browser may do on these pages: nothing from elsewhere, no scripts but those that are named, no frame around them. Forms may lead to
 * the provider or back to the seller, wherever their https is; in a sandbox also to the payer's machine.
 */
const contentSecurityPolicy = (sandbox: boolean, frames: readonly string[], scripts: readonly string[]): string =>
  [
    "default-src 'none'",
    `style-src 'sha256-${STYLE_HASH}'`,
    ...(scripts.length > 0 ? [`script-src ${scripts.map(hashSource).join(' ')}`] : []),
    ...(frames.length > 0 ? [`frame-src ${frames.join(' ')}`] : []),
    `form-action 'self' https:${sandbox ? ' http://127.0.0.1:* http://localhost:*' : ''}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

export interface PageFrame {
  readonly language: PageLanguage;
  readonly title: string;
  /** Empty when nobody is known, as for a link that never was. */
  readonly seller: string;
  /** Address of the same page in the other language, and its name. */
  readonly other: { readonly href: string; readonly label: string } | null;
}

/** A whole page around `body`, which is HTML. */
export function layout({ language, title, seller, other }: PageFrame, body: string): string {
  const switchLanguage = other ? `<a href="${escapeHtml(other.href)}">${escapeHtml(other.label)}</a>` : '';
  return `<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">
<title>${escapeHtml(seller === '' ? title : `${title} – ${seller}`)}</title><style>${STYLE}</style></head>
<body><div class="wrap"><header><span class="seller">${escapeHtml(seller)}</span>${switchLanguage}</header>
<main>${body}</main></div></body></html>
`;
}

/**
 * Who has the address can use it: it goes into no cache, no log of another site, and no frame. `frames`: origins that it may frame;
 * `scripts`: texts of the scripts that it has.
 */
export const publicPageHeaders = (
  sandbox: boolean,
  frames: readonly string[] = [],
  scripts: readonly string[] = [],
): Record<string, string> => ({
  'content-security-policy': contentSecurityPolicy(sandbox, frames, scripts),
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
});

/** The page's own choice, else the customer's, else the browser's language. */
export function languageFor(
  chosen: string | undefined,
  customers: string | undefined,
  accepted: string | undefined,
): PageLanguage {
  const first = chosen ?? customers ?? accepted?.slice(0, 2).toLowerCase();
  return first === 'de' ? 'de' : 'en';
}
