import { autoTopUpDisabledV1, type EventOf } from '@kontor/contracts';
import { Consume, EventConsumer } from '@kontor/messaging';
import { Replicas, type TenantTx } from '@kontor/persistence';
import { TOP_UP_DISABLED_TEMPLATES } from './top-up-template.js';
import { writeNoticeMail } from '../mails/write-notice-mail.js';

/** Informs a customer that automatic top-ups were switched off. */
@EventConsumer()
export class OnAutoTopUpDisabled {
  constructor(private readonly replicas: Replicas) {}

  @Consume(autoTopUpDisabledV1)
  handle({ payload, aggregateSeq }: EventOf<typeof autoTopUpDisabledV1>, tx: TenantTx): Promise<void> {
    return writeNoticeMail(tx, this.replicas, {
      kind: 'auto_top_up_disabled',
      // A rule may be switched on and off again: each time gets its mail.
      reference: `${payload.ruleId}:${aggregateSeq}`,
      customerId: payload.customerId,
      templates: TOP_UP_DISABLED_TEMPLATES,
      model: () => ({
        currencyCode: payload.currencyCode,
        failures: payload.consecutiveFailures,
        reason: payload.failureReason ?? '',
      }),
    });
  }
}
