import type { MailLanguage } from '../domain/mails/wording.js';

const FONT = "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";

/** What surrounds the lines of every mail. */
export interface MailFrame {
  readonly headline: string;
  readonly opening: string;
  readonly regards: string;
  readonly questions: string;
}

/** A paragraph under the main part. */
export const smallPrint = (text: string): string =>
  `<p style="margin:24px 0 0;font-size:14px;line-height:21px;color:#5d6675">${text}</p>`;

/**
 * The HTML of a mail: greeting, opening, the lines of `body`, regards; the seller above, how to ask questions below.
 */
export const mailHtml = (frame: MailFrame, language: MailLanguage, body: string): string => `<!doctype html>
<html lang="${language}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${frame.headline}</title></head>
<body style="margin:0;padding:0;background:#f3f5f9;${FONT};color:#121a29">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="background:#f3f5f9"><tr>
<td align="center" style="padding:32px 16px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:560px">
<tr><td style="padding:0 4px 16px;font-size:15px;font-weight:600">{{ seller }}</td></tr>
<tr><td style="background:#ffffff;border-radius:12px;padding:32px">
<div style="width:32px;height:4px;background:#1a4a87;margin-bottom:20px"></div>
<h1 style="margin:0 0 16px;font-size:22px;line-height:28px;font-weight:600">${frame.headline}</h1>
<p style="margin:0 0 6px;font-size:15px;line-height:23px">{{ greeting }}</p>
<p style="margin:0 0 24px;font-size:15px;line-height:23px">${frame.opening}</p>
${body}
<p style="margin:24px 0 0;font-size:15px;line-height:23px">${frame.regards}<br>{{ seller }}</p>
</td></tr>
<tr><td style="padding:16px 4px;font-size:12px;line-height:18px;color:#666e7d">${frame.questions}</td></tr>
</table></td></tr></table>
</body>
</html>
`;

/** The HTML of a mail whose text is all of it. */
export const plainHtml = (language: MailLanguage, body: string): string => `<!doctype html>
<html lang="${language}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"></head>
<body style="margin:0;padding:0;background:#f3f5f9;${FONT};color:#121a29">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="background:#f3f5f9"><tr>
<td align="center" style="padding:32px 16px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:560px">
<tr><td style="padding:0 4px 16px;font-size:15px;font-weight:600">{{ seller }}</td></tr>
<tr><td style="background:#ffffff;border-radius:12px;padding:32px;font-size:15px;line-height:23px">
<div style="width:32px;height:4px;background:#1a4a87;margin-bottom:20px"></div>
${body}
</td></tr></table></td></tr></table>
</body>
</html>
`;
