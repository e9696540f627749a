import type { MailLanguage } from '../domain/mails/wording.js';
import { type MailFrame, mailHtml, smallPrint } from '../mails/mail-frame.js';
import type { MailTemplate } from '../mails/mail-template.js';

interface Words extends MailFrame {
  readonly subject: string;
  readonly button: string;
  readonly until: string;
  readonly safety: string;
}

const de: Words = {
  subject: 'Angebot {{ number }}{% if name != "" %}: {{ name }}{% endif %}',
  headline: 'Ihr Angebot {{ number }}',
  opening: 'über den folgenden Link lesen Sie unser Angebot und können es annehmen.',
  button: 'Angebot ansehen',
  until: '{% if validUntil != "" %}Das Angebot gilt bis {{ validUntil }}.{% endif %}',
  safety: 'Der Link ist nur für Sie bestimmt. Bitte leiten Sie diese E-Mail nicht weiter.',
  regards: 'Mit freundlichen Grüßen',
  questions:
    'Fragen? Antworten Sie einfach auf diese E-Mail{% if contactPhone %} oder rufen Sie uns an: {{ contactPhone }}{% endif %}.',
};

const en: Words = {
  subject: 'Offer {{ number }}{% if name != "" %}: {{ name }}{% endif %}',
  headline: 'Your offer {{ number }}',
  opening: 'please use the following link to read our offer, and to accept it.',
  button: 'View the offer',
  until: '{% if validUntil != "" %}The offer is valid until {{ validUntil }}.{% endif %}',
  safety: 'The link is meant for you only. Please do not forward this e-mail.',
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

/** The mail with the link to an offer, by language. */
export const OFFER_TEMPLATES: Readonly<Record<MailLanguage, MailTemplate>> = {
  de: { subject: de.subject, text: text(de), html: html(de, 'de') },
  en: { subject: en.subject, text: text(en), html: html(en, 'en') },
};
