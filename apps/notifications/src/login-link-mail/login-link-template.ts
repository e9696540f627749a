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
  subject: 'Ihr Link zum Anmelden{% if seller != "" %} bei {{ seller }}{% endif %}',
  headline: 'Anmelden',
  opening:
    'mit {% if links.size > 1 %}einem der folgenden Links{% else %}dem folgenden Link{% endif %} melden Sie sich an.',
  button: 'Als {{ entry.name }} anmelden',
  until: 'Ein Link gilt 15 Minuten und kann einmal benutzt werden.',
  safety: 'Sie haben das nicht angefordert? Dann müssen Sie nichts tun.',
  regards: 'Mit freundlichen Grüßen',
  questions:
    'Fragen? Antworten Sie einfach auf diese E-Mail{% if contactPhone %} oder rufen Sie uns an: {{ contactPhone }}{% endif %}.',
};

const en: Words = {
  subject: 'Your link to log in{% if seller != "" %} at {{ seller }}{% endif %}',
  headline: 'Log in',
  opening:
    'please use {% if links.size > 1 %}one of the following links{% else %}the following link{% endif %} to log in.',
  button: 'Log in as {{ entry.name }}',
  until: 'A link is valid for 15 minutes and can be used once.',
  safety: 'You did not ask for this? Then there is nothing you need to do.',
  regards: 'Kind regards',
  questions: 'Questions? Just reply to this e-mail{% if contactPhone %} or call us: {{ contactPhone }}{% endif %}.',
};

const text = (words: Words): string => `{{ greeting }}

${words.opening}
{% for entry in links %}
${words.button}:
{{ entry.link }}
{% endfor %}
${words.until} ${words.safety}

${words.regards}
{{ seller }}

${words.questions}
`;

const LINK_STYLE =
  'display:inline-block;padding:14px 28px;font-size:16px;font-weight:600;color:#ffffff;text-decoration:none';

const buttons = (
  words: Words,
): string => `{% for entry in links %}<table role="presentation" cellpadding="0" cellspacing="0"><tr>
<td style="background:#1a4a87;border-radius:10px">
<a href="{{ entry.link }}" target="_blank" rel="noreferrer" style="${LINK_STYLE}">${words.button}</a></td></tr>
<tr><td height="12"></td></tr></table>{% endfor %}`;

const html = (words: Words, language: MailLanguage): string =>
  mailHtml(words, language, `${buttons(words)}\n${smallPrint(`${words.until} ${words.safety}`)}`);

/** The mail with the links to log in, by language. */
export const LOGIN_LINK_TEMPLATES: Readonly<Record<MailLanguage, MailTemplate>> = {
  de: { subject: de.subject, text: text(de), html: html(de, 'de') },
  en: { subject: en.subject, text: text(en), html: html(en, 'en') },
};
