import type { MailLanguage } from '../domain/mails/wording.js';
import { mailHtml, type MailFrame, smallPrint } from '../mails/mail-frame.js';
import type { MailTemplate } from '../mails/mail-template.js';

interface Words extends MailFrame {
  readonly subject: string;
  readonly facts: readonly string[];
  /** Only where somebody gives it. */
  readonly reason: string;
  readonly end: string;
}

const de: Words = {
  subject: 'Ihre Kündigung{% if seller != "" %} bei {{ seller }}{% endif %} ist eingegangen',
  headline: 'Ihre Kündigung ist eingegangen',
  opening: 'wir bestätigen, dass Ihre Kündigung am {{ receivedAt }} eingegangen ist. Das haben Sie erklärt:',
  facts: [
    'Name: {{ name }}',
    'Vertrag: {{ contract }}',
    'Art der Kündigung: {% if isExtraordinary %}außerordentlich{% else %}ordentlich{% endif %}',
    'Zu welchem Tag: {{ wantedOn }}',
  ],
  reason: 'Grund: {{ reason }}',
  end: 'Wann der Vertrag endet, schreiben wir an die Adresse, die zum Vertrag gehört.',
  regards: 'Mit freundlichen Grüßen',
  questions:
    'Fragen? Antworten Sie einfach auf diese E-Mail{% if contactPhone %} oder rufen Sie uns an: {{ contactPhone }}{% endif %}.',
};

const en: Words = {
  subject: 'Your cancellation{% if seller != "" %} at {{ seller }}{% endif %} has arrived',
  headline: 'We have received your cancellation',
  opening: 'we confirm that your cancellation arrived on {{ receivedAt }}. This is what you declared:',
  facts: [
    'Name: {{ name }}',
    'Contract: {{ contract }}',
    'Kind: {% if isExtraordinary %}extraordinary{% else %}ordinary{% endif %}',
    'To which day: {{ wantedOn }}',
  ],
  reason: 'Reason: {{ reason }}',
  end: 'When the contract ends, we write to the address that belongs to the contract.',
  regards: 'Kind regards',
  questions: 'Questions? Just reply to this e-mail{% if contactPhone %} or call us: {{ contactPhone }}{% endif %}.',
};

const factsOf = ({ facts, reason }: Words, newLine: string): string =>
  `${facts.join(newLine)}{% if reason != "" %}${newLine}${reason}{% endif %}`;

const templateOf = (words: Words, language: MailLanguage): MailTemplate => ({
  subject: words.subject,
  text: `{{ greeting }}

${words.opening}

${factsOf(words, '\n')}

${words.end}

${words.regards}
{{ seller }}

${words.questions}
`,
  html: mailHtml(
    words,
    language,
    `<p style="margin:0;font-size:15px;line-height:23px">${factsOf(words, '<br>')}</p>${smallPrint(words.end)}`,
  ),
});

/** The mail that confirms what was declared on the cancellation page, by language. @see § 312k (4) BGB */
export const NOTICE_TEMPLATES: Readonly<Record<MailLanguage, MailTemplate>> = {
  de: templateOf(de, 'de'),
  en: templateOf(en, 'en'),
};
