import { linkMail, type LinkMailWords } from '../mails/link-mail.js';

const de: LinkMailWords = {
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

const en: LinkMailWords = {
  subject: 'Please add a payment method{% if seller != "" %} for {{ seller }}{% endif %}',
  headline: 'Add a payment method',
  opening: 'please use the following link to choose how you would like to pay your invoices. It takes about a minute.',
  button: 'Add a payment method',
  until: 'The link is valid until {{ validUntil }} and can be used once.',
  safety: 'It is meant for you only. Please do not forward this e-mail.',
  regards: 'Kind regards',
  questions: 'Questions? Just reply to this e-mail{% if contactPhone %} or call us: {{ contactPhone }}{% endif %}.',
};

/** The mail that asks a customer to add a payment method, by language. */
export const METHOD_LINK_TEMPLATES = linkMail({ de, en });
