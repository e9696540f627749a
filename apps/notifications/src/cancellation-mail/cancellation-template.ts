import type { MailLanguage } from '../domain/mails/wording.js';
import { mailHtml, type MailFrame, smallPrint } from '../mails/mail-frame.js';
import type { MailTemplate } from '../mails/mail-template.js';

interface Words extends MailFrame {
  readonly subject: string;
  readonly end: string;
}

const de: Words = {
  subject: 'Bestätigung Ihrer Kündigung{% if seller != "" %} bei {{ seller }}{% endif %}',
  headline: 'Ihre Kündigung ist eingegangen',
  opening:
    'wir bestätigen die Kündigung Ihres Abonnements {% if name != "" %}{{ name }} {% endif %}(Nr. {{ number }}) vom {{ cancelledOn }}.',
  end: 'Der Vertrag endet am {{ endsOn }}.',
  regards: 'Mit freundlichen Grüßen',
  questions:
    'Fragen? Antworten Sie einfach auf diese E-Mail{% if contactPhone %} oder rufen Sie uns an: {{ contactPhone }}{% endif %}.',
};

const en: Words = {
  subject: 'Your cancellation{% if seller != "" %} at {{ seller }}{% endif %} is confirmed',
  headline: 'We have received your cancellation',
  opening:
    'we confirm that your subscription {% if name != "" %}{{ name }} {% endif %}(no. {{ number }}) was cancelled on {{ cancelledOn }}.',
  end: 'The contract ends on {{ endsOn }}.',
  regards: 'Kind regards',
  questions: 'Questions? Just reply to this e-mail{% if contactPhone %} or call us: {{ contactPhone }}{% endif %}.',
};

const text = (words: Words): string => `{{ greeting }}

${words.opening}

${words.end}

${words.regards}
{{ seller }}

${words.questions}
`;

const html = (words: Words, language: MailLanguage): string => mailHtml(words, language, smallPrint(words.end));

/** The mail that confirms a cancellation, by language. @see § 312k (4) BGB */
export const CANCELLATION_TEMPLATES: Readonly<Record<MailLanguage, MailTemplate>> = {
  de: { subject: de.subject, text: text(de), html: html(de, 'de') },
  en: { subject: en.subject, text: text(en), html: html(en, 'en') },
};
