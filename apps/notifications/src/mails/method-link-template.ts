import type { MailLanguage } from '../domain/invoice-mail.js';
import type { MailTemplate } from './templates.js';

interface Words {
  readonly subject: string;
  readonly headline: string;
  readonly opening: string;
  readonly button: string;
  readonly until: string;
  readonly safety: string;
  readonly regards: string;
  readonly questions: string;
}

const de: Words = {
  subject: 'Bitte hinterlegen Sie eine Zahlungsart{% if seller != "" %} bei {{ seller }}{% endif %}',
  headline: 'Zahlungsart hinterlegen',
  opening: 'über den folgenden Link hinterlegen Sie, wie Sie Ihre Rechnungen bezahlen möchten. Das dauert etwa eine Minute.',
  button: 'Zahlungsart hinzufügen',
  until: 'Der Link gilt bis {{ validUntil }} und kann einmal benutzt werden.',
  safety: 'Er ist nur für Sie bestimmt. Bitte leiten Sie diese E-Mail nicht weiter.',
  regards: 'Mit freundlichen Grüßen',
  questions: 'Fragen? Antworten Sie einfach auf diese E-Mail{% if contactPhone %} oder rufen Sie uns an: {{ contactPhone }}{% endif %}.',
};

const en: Words = {
  subject: 'Please add a payment method{% if seller != "" %} for {{ seller }}{% endif %}',
  headline: 'Add a payment method',
  opening: 'please use the following link to tell us how you would like to pay your invoices. It takes about a minute.',
  button: 'Add a payment method',
  until: 'The link is valid until {{ validUntil }} and can be used once.',
  safety: 'It is meant for you only. Please do not forward this e-mail.',
  regards: 'Kind regards',
  questions: 'Questions? Just reply to this e-mail{% if contactPhone %} or call us: {{ contactPhone }}{% endif %}.',
};

const text = (words: Words): string => `{{ greeting }}

${words.opening}

{{ link }}

${words.until} ${words.safety}

${words.regards}
{{ seller }}

${words.questions}
`;

const FONT = "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";

const html = (words: Words, language: MailLanguage): string => `<!doctype html>
<html lang="${language}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${words.headline}</title></head>
<body style="margin:0;padding:0;background:#f3f5f9;${FONT};color:#121a29">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="background:#f3f5f9"><tr><td align="center" style="padding:32px 16px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:560px">
<tr><td style="padding:0 4px 16px;font-size:15px;font-weight:600">{{ seller }}</td></tr>
<tr><td style="background:#ffffff;border-radius:12px;padding:32px">
<div style="width:32px;height:4px;background:#1a4a87;margin-bottom:20px"></div>
<h1 style="margin:0 0 16px;font-size:22px;line-height:28px;font-weight:600">${words.headline}</h1>
<p style="margin:0 0 6px;font-size:15px;line-height:23px">{{ greeting }}</p>
<p style="margin:0 0 24px;font-size:15px;line-height:23px">${words.opening}</p>
<table role="presentation" cellpadding="0" cellspacing="0"><tr><td style="background:#1a4a87;border-radius:10px">
<a href="{{ link }}" target="_blank" rel="noreferrer" style="display:inline-block;padding:14px 28px;font-size:16px;font-weight:600;color:#ffffff;text-decoration:none">${words.button}</a></td></tr></table>
<p style="margin:24px 0 0;font-size:14px;line-height:21px;color:#5d6675">${words.until} ${words.safety}</p>
<p style="margin:24px 0 0;font-size:15px;line-height:23px">${words.regards}<br>{{ seller }}</p>
</td></tr>
<tr><td style="padding:16px 4px;font-size:12px;line-height:18px;color:#666e7d">${words.questions}</td></tr>
</table></td></tr></table>
</body>
</html>
`;

/** The mail that asks a customer to add a payment method, by language. */
export const METHOD_LINK_TEMPLATES: Readonly<Record<MailLanguage, MailTemplate>> = {
  de: { subject: de.subject, text: text(de), html: html(de, 'de') },
  en: { subject: en.subject, text: text(en), html: html(en, 'en') },
};
