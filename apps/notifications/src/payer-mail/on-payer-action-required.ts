import { type EventOf, payerActionRequiredV1 } from '@kontor/contracts';
import { Consume, EventConsumer } from '@kontor/messaging';
import { Replicas, type TenantTx } from '@kontor/persistence';
import { amountText } from '../domain/mails/wording.js';
import { writeNoticeMail } from '../mails/write-notice-mail.js';
import { PAYER_TEMPLATES } from './payer-template.js';

/** Mails a customer that a payment waits for them. */
@EventConsumer()
export class OnPayerActionRequired {
  constructor(private readonly replicas: Replicas) {}

  @Consume(payerActionRequiredV1)
  handle({ payload }: EventOf<typeof payerActionRequiredV1>, tx: TenantTx): Promise<void> {
    return writeNoticeMail(tx, this.replicas, {
      kind: 'payer_action',
      reference: payload.transactionId,
      customerId: payload.customerId,
      templates: PAYER_TEMPLATES,
      model: (language) => ({
        link: payload.link,
        document: payload.documentNumber,
        amount: amountText(payload.amount, language),
      }),
    });
  }
}
