import type { MailLanguage } from '../domain/mails/wording.js';
import { mailHtml, type MailFrame, smallPrint } from '../mails/mail-frame.js';
import type { MailTemplate } from '../mails/mail-template.js';

interface Words extends MailFrame {
  readonly subject: string;
  readonly reason: string;
  readonly next: string;
}

const de: Words = {
  subject: 'Automatische Aufladung abgeschaltet{% if seller != "" %} bei {{ seller }}{% endif %}',
  headline: 'Automatische Aufladung abgeschaltet',
  opening:
    'Ihr Guthaben in {{ currencyCode }} konnten wir {% if failures > 1 %}{{ failures }}-mal in Folge {% endif %}nicht automatisch aufladen. ' +
    'Damit nichts weiter versucht wird, haben wir die automatische Aufladung abgeschaltet.',
  reason:
    '{% if reason == "payment_method_required" %}Es ist keine Zahlungsart hinterlegt, die dafür benutzt werden kann.' +
    '{% else %}Die Zahlung wurde {% if failures > 1 %}jedes Mal {% endif %}abgelehnt.{% endif %}',
  next:
    'Bitte hinterlegen Sie eine andere Zahlungsart und schalten Sie die Aufladung danach wieder ein. ' +
    'Ihr vorhandenes Guthaben bleibt erhalten.',
  regards: 'Mit freundlichen Grüßen',
  questions:
    'Fragen? Antworten Sie einfach auf diese E-Mail{% if contactPhone %} oder rufen Sie uns an: {{ contactPhone }}{% endif %}.',
};

const en: Words = {
  subject: 'Automatic top-up switched off{% if seller != "" %} at {{ seller }}{% endif %}',
  headline: 'Automatic top-up switched off',
  opening:
    'we could not top up your credit in {{ currencyCode }} automatically{% if failures > 1 %}, {{ failures }} times in a row{% endif %}. ' +
    'So that nothing more is tried, the automatic top-up is now switched off.',
  reason:
    '{% if reason == "payment_method_required" %}There is no payment method that can be used for it.' +
    '{% else %}The payment was declined{% if failures > 1 %} each time{% endif %}.{% endif %}',
  next: 'Please add another payment method and switch the top-up on again. The credit that you have is not affected.',
  regards: 'Kind regards',
  questions: 'Questions? Just reply to this e-mail{% if contactPhone %} or call us: {{ contactPhone }}{% endif %}.',
};

const text = (words: Words): string => `{{ greeting }}

${words.opening}

${words.reason} ${words.next}

${words.regards}
{{ seller }}

${words.questions}
`;

const html = (words: Words, language: MailLanguage): string =>
  mailHtml(words, language, smallPrint(`${words.reason} ${words.next}`));

/** The mail about automatic top-ups that were switched off, by language. */
export const TOP_UP_DISABLED_TEMPLATES: Readonly<Record<MailLanguage, MailTemplate>> = {
  de: { subject: de.subject, text: text(de), html: html(de, 'de') },
  en: { subject: en.subject, text: text(en), html: html(en, 'en') },
};
