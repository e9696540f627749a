import type { MailLanguage } from '../domain/mails/wording.js';
import { mailHtml, type MailFrame, smallPrint } from '../mails/mail-frame.js';
import type { MailTemplate } from '../mails/mail-template.js';

interface ApprovalWords extends MailFrame {
  readonly subject: string;
  readonly how: string;
}

const de: ApprovalWords = {
  subject: 'Angebot {{ number }} wartet auf Ihre Freigabe',
  headline: 'Angebot {{ number }} wartet auf Sie',
  opening:
    'das Angebot {{ number }}{% if name != "" %} „{{ name }}“{% endif %}{% if customerName != "" %} für {{ customerName }}{% endif %} ' +
    'wird erst veröffentlicht, wenn Sie es freigegeben haben.' +
    '{% if requestedBy != "" %} Darum bittet {{ requestedBy }}.{% endif %}' +
    '{% if validUntil != "" %} Es soll bis {{ validUntil }} gelten.{% endif %}',
  how: 'Bitte melden Sie sich an, lesen Sie das Angebot, und geben Sie es frei oder lehnen Sie es mit einer Begründung ab.',
  regards: 'Mit freundlichen Grüßen',
  questions: 'Diese E-Mail wurde automatisch verschickt.',
};

const en: ApprovalWords = {
  subject: 'Offer {{ number }} waits for your approval',
  headline: 'Offer {{ number }} is waiting for you',
  opening:
    'offer {{ number }}{% if name != "" %} “{{ name }}”{% endif %}{% if customerName != "" %} for {{ customerName }}{% endif %} ' +
    'is published only when you have approved it.' +
    '{% if requestedBy != "" %} {{ requestedBy }} asks you to.{% endif %}' +
    '{% if validUntil != "" %} It is meant to be valid until {{ validUntil }}.{% endif %}',
  how: 'Please sign in, read the offer, and approve it, or reject it and say why.',
  regards: 'Kind regards',
  questions: 'This e-mail was sent automatically.',
};

const templateOf = (words: ApprovalWords, language: MailLanguage): MailTemplate => ({
  subject: words.subject,
  text: `{{ greeting }}\n\n${words.opening}\n\n${words.how}\n\n${words.regards}\n{{ seller }}\n\n${words.questions}\n`,
  html: mailHtml(words, language, smallPrint(words.how)),
});

/** The mail to somebody whose approval an offer needs, by language. */
export const APPROVAL_TEMPLATES: Readonly<Record<MailLanguage, MailTemplate>> = {
  de: templateOf(de, 'de'),
  en: templateOf(en, 'en'),
};
