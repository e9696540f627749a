import { QUESTIONS } from './contact-values.js';
import { linkMail, type LinkMailWords } from '../mails/link-mail.js';

const de: LinkMailWords = {
  subject: 'Angebot {{ number }}{% if name != "" %}: {{ name }}{% endif %}',
  headline: 'Ihr Angebot {{ number }}',
  opening: 'über den folgenden Link lesen Sie unser Angebot und können es annehmen.',
  button: 'Angebot ansehen',
  until: '{% if validUntil != "" %}Das Angebot gilt bis {{ validUntil }}.{% endif %}',
  safety: 'Der Link ist nur für Sie bestimmt. Bitte leiten Sie diese E-Mail nicht weiter.',
  regards: 'Mit freundlichen Grüßen',
  questions: QUESTIONS.de,
};

const en: LinkMailWords = {
  subject: 'Offer {{ number }}{% if name != "" %}: {{ name }}{% endif %}',
  headline: 'Your offer {{ number }}',
  opening: 'please use the following link to read our offer, and to accept it.',
  button: 'View the offer',
  until: '{% if validUntil != "" %}The offer is valid until {{ validUntil }}.{% endif %}',
  safety: 'The link is meant for you only. Please do not forward this e-mail.',
  regards: 'Kind regards',
  questions: QUESTIONS.en,
};

/** The mail with the link to an offer, by language. */
export const OFFER_TEMPLATES = linkMail({ de, en });
