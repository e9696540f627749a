import type { StoredMail } from '../delivery/eml-folder.js';

const escape = (text: string): string => text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
const time = (iso: string): string => iso.slice(0, 16).replace('T', ' ');

const page = (title: string, body: string): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(title)}</title>
<style>
:root { color-scheme: light; color: #121a29; background: #f3f5f9; }
:root { font: 15px/1.5 -apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif; }
body { max-width: 960px; margin: 0 auto; padding: 32px 20px; }
h1 { font-size: 24px; margin: 0 0 4px; } .hint { color: #666e7d; margin: 0 0 24px; }
a { color: #1a4a87; text-decoration: none; } a:hover { text-decoration: underline; }
.card { background: #fff; border-radius: 12px; overflow: hidden; box-shadow: 0 1px 3px rgb(18 26 41 / 8%); }
table { width: 100%; border-collapse: collapse; }
th { text-align: left; font-size: 12px; font-weight: 600; color: #666e7d; }
th { padding: 12px 16px; border-bottom: 1px solid #dbe0e8; }
td { padding: 12px 16px; border-bottom: 1px solid #eef1f5; vertical-align: top; } tr:last-child td { border-bottom: 0; }
td.time { white-space: nowrap; color: #666e7d; font-variant-numeric: tabular-nums; }
td .to { color: #666e7d; font-size: 13px; } .empty { padding: 48px; text-align: center; color: #666e7d; }
dl { display: grid; grid-template-columns: 90px 1fr; gap: 4px 12px; margin: 0; padding: 20px 24px; }
dl { border-bottom: 1px solid #eef1f5; } dt { color: #666e7d; } dd { margin: 0; overflow-wrap: anywhere; }
iframe { width: 100%; height: 640px; border: 0; display: block; }
.file { display: inline-block; background: #f3f5f9; border-radius: 6px; padding: 2px 10px; margin-right: 8px; }
</style></head><body>${body}</body></html>
`;

/** All mails that were written instead of sent, the newest first. */
export function listPage(mails: readonly StoredMail[], total: number): string {
  const rows = mails.map(rowOf);
  const table =
    rows.length === 0
      ? '<div class="empty">No mail yet. Finalize an invoice and reload this page.</div>'
      : `<table><thead><tr><th>Written (UTC)</th><th>Mail</th><th>Attached</th></tr></thead>
<tbody>${rows.join('\n')}</tbody></table>`;
  const shown = total > mails.length ? `, the newest ${mails.length} of them here` : '';
  return page(
    'Mails',
    `<h1>Mails</h1>
<p class="hint">${total} written as files instead of being sent${shown}. Set SMTP_URL to send them.</p>
<div class="card">${table}</div>`,
  );
}

const rowOf = (mail: StoredMail): string =>
  `<tr><td class="time">${time(mail.createdAt)}</td>
<td><a href="/dev/mails/${mail.id}">${escape(mail.subject)}</a><div class="to">${escape(mail.recipient)}</div></td>
<td>${mail.attachments.map((file) => escape(file.fileName)).join('<br>')}</td></tr>`;

/** A mail as its recipient would see it. Its HTML runs in a frame that may do nothing but open its links. */
export function mailPage(mail: StoredMail): string {
  const files = mail.attachments.map((file, i) => {
    const label = `${escape(file.fileName)} · ${Math.ceil(file.sizeBytes / 1024)} KB`;
    return `<a class="file" href="/dev/mails/${mail.id}/attachments/${i}">${label}</a>`;
  });
  return page(
    mail.subject,
    `<p class="hint"><a href="/dev/mails">← All mails</a></p>
<h1>${escape(mail.subject)}</h1><p class="hint">${time(mail.createdAt)} UTC</p>
<div class="card"><dl>
<dt>From</dt><dd>${escape(mail.senderName)} &lt;${escape(mail.from)}&gt;</dd><dt>To</dt><dd>${escape(mail.recipient)}</dd>
<dt>Attached</dt><dd>${files.join('') || '–'}</dd><dt>File</dt><dd><a href="/dev/mails/${mail.id}/eml">.eml</a></dd></dl>
<iframe sandbox="allow-popups allow-popups-to-escape-sandbox" title="Mail" srcdoc="${escape(mail.html)}"></iframe></div>`,
  );
}
