import { cartReminderDueV1, type EventOf } from '@kontor/contracts';
import { Consume, EventConsumer } from '@kontor/messaging';
import { Replicas, type TenantTx } from '@kontor/persistence';
import { dayText, languageOf } from '../domain/mails/wording.js';
import { linkMail, type LinkMailWords } from '../mails/link-mail.js';
import { writeMail } from '../mails/write-notice-mail.js';

const de: LinkMailWords = {
  subject: 'Ihre Bestellung{% if seller != "" %} bei {{ seller }}{% endif %} wartet',
  headline: 'Ihre Bestellung wartet auf Sie',
  opening: 'Sie haben eine Bestellung begonnen und nicht abgeschlossen. Hier können Sie weitermachen:',
  button: 'Zur Bestellung',
  until: 'Der Warenkorb gilt bis {{ validUntil }}. Daran erinnern wir Sie nur dieses eine Mal.',
  safety: 'Der Link ist nur für Sie bestimmt.',
  regards: 'Mit freundlichen Grüßen',
  questions:
    'Fragen? Antworten Sie einfach auf diese E-Mail{% if contactPhone %} oder rufen Sie uns an: {{ contactPhone }}{% endif %}.',
};

const en: LinkMailWords = {
  subject: 'Your order{% if seller != "" %} at {{ seller }}{% endif %} is waiting',
  headline: 'Your order is waiting for you',
  opening: 'you have begun an order and not finished it. You can go on here:',
  button: 'Go to the order',
  until: 'The cart is valid until {{ validUntil }}. We remind you of it this one time only.',
  safety: 'The link is meant for you only.',
  regards: 'Kind regards',
  questions: 'Questions? Just reply to this e-mail{% if contactPhone %} or call us: {{ contactPhone }}{% endif %}.',
};

const CART_REMINDER_TEMPLATES = linkMail({ de, en });

/** Reminds a buyer of a cart, once. */
@EventConsumer()
export class OnCartReminderDue {
  constructor(private readonly replicas: Replicas) {}

  @Consume(cartReminderDueV1)
  handle({ payload }: EventOf<typeof cartReminderDueV1>, tx: TenantTx): Promise<void> {
    const language = languageOf(payload.language);
    return writeMail(tx, this.replicas, {
      kind: 'cart_reminder',
      reference: payload.cartId,
      customerId: payload.customerId,
      recipient: payload.email,
      language,
      templates: CART_REMINDER_TEMPLATES,
      values: {
        greeting: language === 'de' ? 'Guten Tag,' : 'Hello,',
        link: payload.link,
        validUntil: dayText(payload.expiresAt, language, payload.timeZone),
      },
    });
  }
}
