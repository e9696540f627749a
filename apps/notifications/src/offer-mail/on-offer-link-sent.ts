import { type EventOf, offerLinkSentV1 } from '@kontor/contracts';
import { Consume, EventConsumer } from '@kontor/messaging';
import { Replicas, type TenantTx } from '@kontor/persistence';
import { dayText, languageOf } from '../domain/mails/wording.js';
import { writeNoticeMail } from '../mails/write-notice-mail.js';
import { recipientGreeting } from './recipient-greeting.js';
import { contactValues } from './contact-values.js';
import { OFFER_TEMPLATES } from './offer-template.js';

/** Mails a recipient the link to an offer. */
@EventConsumer()
export class OnOfferLinkSent {
  constructor(private readonly replicas: Replicas) {}

  @Consume(offerLinkSentV1)
  handle({ payload }: EventOf<typeof offerLinkSentV1>, tx: TenantTx): Promise<void> {
    return writeNoticeMail(tx, this.replicas, {
      kind: 'offer',
      reference: payload.recipientId,
      customerId: payload.customerId,
      recipient: payload.email,
      ...(payload.language !== null && { language: languageOf(payload.language) }),
      replyTo: payload.contactPerson?.email ?? null,
      templates: OFFER_TEMPLATES,
      model: (language, customer) => ({
        greeting: recipientGreeting(payload, customer, language),
        ...contactValues(payload.contactPerson),
        link: payload.link,
        number: payload.number,
        name: payload.name ?? '',
        validUntil: payload.validUntil === null ? '' : dayText(payload.validUntil, language, customer.timeZone),
      }),
    });
  }
}
