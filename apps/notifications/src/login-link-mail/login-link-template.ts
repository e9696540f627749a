import { linksMail, type LinkMailWords } from '../mails/link-mail.js';

const de: LinkMailWords = {
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

const en: LinkMailWords = {
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

/** The mail with the links to log in, by language. */
export const LOGIN_LINK_TEMPLATES = linksMail({ de, en });
