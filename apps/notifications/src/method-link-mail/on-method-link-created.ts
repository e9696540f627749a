import { type EventOf, paymentMethodLinkCreatedV1 } from '@kontor/contracts';
import { Consume, EventConsumer } from '@kontor/messaging';
import { Replicas, type TenantTx } from '@kontor/persistence';
import { dayText } from '../domain/mails/wording.js';
import { METHOD_LINK_TEMPLATES } from './method-link-template.js';
import { writeNoticeMail } from '../mails/write-notice-mail.js';

/** Mails a customer the link with which a payment method is added. */
@EventConsumer()
export class OnMethodLinkCreated {
  constructor(private readonly replicas: Replicas) {}

  @Consume(paymentMethodLinkCreatedV1)
  handle({ payload }: EventOf<typeof paymentMethodLinkCreatedV1>, tx: TenantTx): Promise<void> {
    return writeNoticeMail(tx, this.replicas, {
      kind: 'payment_method_link',
      reference: payload.linkId,
      customerId: payload.customerId,
      templates: METHOD_LINK_TEMPLATES,
      model: (language, customer) => ({
        link: payload.link,
        validUntil: dayText(payload.expiresAt, language, customer.timeZone),
      }),
    });
  }
}
