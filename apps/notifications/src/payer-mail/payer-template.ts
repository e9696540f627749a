import { linkMail, type LinkMailWords } from '../mails/link-mail.js';

const de: LinkMailWords = {
  subject: 'Bitte bestätigen Sie Ihre Zahlung{% if seller != "" %} an {{ seller }}{% endif %}',
  headline: 'Zahlung bestätigen',
  opening: 'Ihre Zahlung von {{ amount }} für {{ document }} wartet auf Ihre Bestätigung beim Zahlungsanbieter.',
  button: 'Zahlung bestätigen',
  until: 'Sie haben schon bestätigt? Dann müssen Sie nichts tun.',
  safety: 'Der Link ist nur für Sie bestimmt. Bitte leiten Sie diese E-Mail nicht weiter.',
  regards: 'Mit freundlichen Grüßen',
  questions:
    'Fragen? Antworten Sie einfach auf diese E-Mail{% if contactPhone %} oder rufen Sie uns an: {{ contactPhone }}{% endif %}.',
};

const en: LinkMailWords = {
  subject: 'Please confirm your payment{% if seller != "" %} to {{ seller }}{% endif %}',
  headline: 'Confirm the payment',
  opening: 'your payment of {{ amount }} for {{ document }} waits for your confirmation at the payment provider.',
  button: 'Confirm the payment',
  until: 'You have confirmed it already? Then there is nothing you need to do.',
  safety: 'The link is meant for you only. Please do not forward this e-mail.',
  regards: 'Kind regards',
  questions: 'Questions? Just reply to this e-mail{% if contactPhone %} or call us: {{ contactPhone }}{% endif %}.',
};

/** The mail that asks a payer to confirm a payment, by language. */
export const PAYER_TEMPLATES = linkMail({ de, en });
