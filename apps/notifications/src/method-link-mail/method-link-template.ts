import type { MailLanguage } from '../domain/mails/wording.js';
import { mailHtml, type MailFrame, smallPrint } from '../mails/mail-frame.js';
import type { MailTemplate } from '../mails/mail-template.js';

interface Words extends MailFrame {
  readonly subject: string;
  readonly button: string;
  readonly until: string;
  readonly safety: string;
}

const de: Words = {
  subject: 'Bitte hinterlegen Sie eine Zahlungsart{% if seller != "" %} bei {{ seller }}{% endif %}',
  headline: 'Zahlungsart hinterlegen',
  opening:
    'über den folgenden Link hinterlegen Sie, wie Sie Ihre Rechnungen bezahlen möchten. Das dauert etwa eine Minute.',
  button: 'Zahlungsart hinzufügen',
  until: 'Der Link gilt bis {{ validUntil }} und kann einmal benutzt werden.',
  safety: 'Er ist nur für Sie bestimmt. Bitte leiten Sie diese E-Mail nicht weiter.',
  regards: 'Mit freundlichen Grüßen',
  questions:
    'Fragen? Antworten Sie einfach auf diese E-Mail{% if contactPhone %} oder rufen Sie uns an: {{ contactPhone }}{% endif %}.',
};

const en: Words = {
  subject: 'Please add a payment method{% if seller != "" %} for {{ seller }}{% endif %}',
  headline: 'Add a payment method',
  opening: 'please use the following link to choose how you would like to pay your invoices. It takes about a minute.',
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

const LINK_STYLE =
  'display:inline-block;padding:14px 28px;font-size:16px;font-weight:600;color:#ffffff;text-decoration:none';

const button = (words: Words): string => `<table role="presentation" cellpadding="0" cellspacing="0"><tr>
<td style="background:#1a4a87;border-radius:10px">
<a href="{{ link }}" target="_blank" rel="noreferrer" style="${LINK_STYLE}">${words.button}</a></td></tr></table>`;

const html = (words: Words, language: MailLanguage): string =>
  mailHtml(words, language, `${button(words)}\n${smallPrint(`${words.until} ${words.safety}`)}`);

/** The mail that asks a customer to add a payment method, by language. */
export const METHOD_LINK_TEMPLATES: Readonly<Record<MailLanguage, MailTemplate>> = {
  de: { subject: de.subject, text: text(de), html: html(de, 'de') },
  en: { subject: en.subject, text: text(en), html: html(en, 'en') },
};
