import { type EventOf, offerReminderDueV1 } from '@kontor/contracts';
import { Consume, EventConsumer } from '@kontor/messaging';
import { Replicas, type TenantTx } from '@kontor/persistence';
import { dayText, languageOf } from '../domain/mails/wording.js';
import { linkMail, type LinkMailWords } from '../mails/link-mail.js';
import { writeNoticeMail } from '../mails/write-notice-mail.js';
import { recipientGreeting } from './recipient-greeting.js';
import { contactValues, QUESTIONS } from './contact-values.js';

const de: LinkMailWords = {
  subject: 'Unser Angebot {{ number }} gilt noch bis {{ validUntil }}',
  headline: 'Ihr Angebot {{ number }} wartet auf Sie',
  opening:
    'unser Angebot{% if name != "" %} „{{ name }}“{% endif %} läuft bald ab. Hier lesen Sie es und können es annehmen:',
  button: 'Angebot ansehen',
  until: 'Das Angebot gilt bis {{ validUntil }}.',
  safety: 'Der Link ist nur für Sie bestimmt. Bitte leiten Sie diese E-Mail nicht weiter.',
  regards: 'Mit freundlichen Grüßen',
  questions: QUESTIONS.de,
};

const en: LinkMailWords = {
  subject: 'Our offer {{ number }} is valid until {{ validUntil }}',
  headline: 'Your offer {{ number }} is waiting for you',
  opening: 'our offer{% if name != "" %} “{{ name }}”{% endif %} ends soon. You can read and accept it here:',
  button: 'View the offer',
  until: 'The offer is valid until {{ validUntil }}.',
  safety: 'The link is meant for you only. Please do not forward this e-mail.',
  regards: 'Kind regards',
  questions: QUESTIONS.en,
};

const REMINDER_TEMPLATES = linkMail({ de, en });

/** Reminds a recipient of an offer that ends soon; one mail for each reminder. */
@EventConsumer()
export class OnOfferReminderDue {
  constructor(private readonly replicas: Replicas) {}

  @Consume(offerReminderDueV1)
  handle({ payload }: EventOf<typeof offerReminderDueV1>, tx: TenantTx): Promise<void> {
    return writeNoticeMail(tx, this.replicas, {
      kind: 'offer_reminder',
      reference: `${payload.recipientId} ${payload.dueAt}`,
      customerId: payload.customerId,
      recipient: payload.email,
      ...(payload.language !== null && { language: languageOf(payload.language) }),
      replyTo: payload.contactPerson?.email ?? null,
      templates: REMINDER_TEMPLATES,
      model: (language, customer) => ({
        greeting: recipientGreeting(payload, customer, language),
        ...contactValues(payload.contactPerson),
        link: payload.link,
        number: payload.number,
        name: payload.name ?? '',
        validUntil: dayText(payload.validUntil, language, customer.timeZone),
      }),
    });
  }
}
