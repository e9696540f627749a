import { type EventOf, offerApprovalRequestedV1 } from '@kontor/contracts';
import { Consume, EventConsumer } from '@kontor/messaging';
import { Replicas, type TenantTx } from '@kontor/persistence';
import { dayText, languageOf } from '../domain/mails/wording.js';
import { writeMail } from '../mails/write-notice-mail.js';
import { APPROVAL_TEMPLATES } from './approval-template.js';

/** Mails a user for whose approval an offer waits; one mail for each request. */
@EventConsumer()
export class OnOfferApprovalRequested {
  constructor(private readonly replicas: Replicas) {}

  @Consume(offerApprovalRequestedV1)
  handle({ payload }: EventOf<typeof offerApprovalRequestedV1>, tx: TenantTx): Promise<void> {
    const { userName, validUntil, timeZone } = payload;
    const language = languageOf(payload.language);
    return writeMail(tx, this.replicas, {
      kind: 'offer_approval',
      reference: `${payload.offerId} ${payload.userId} ${payload.requestedAt}`,
      customerId: payload.customerId,
      recipient: payload.email,
      language,
      templates: APPROVAL_TEMPLATES,
      values: {
        greeting: language === 'de' ? `Guten Tag ${userName},` : `Dear ${userName},`,
        number: payload.number,
        name: payload.name ?? '',
        customerName: payload.customerName ?? '',
        requestedBy: payload.requestedBy ?? '',
        validUntil: validUntil === null ? '' : dayText(validUntil, language, timeZone),
      },
    });
  }
}
