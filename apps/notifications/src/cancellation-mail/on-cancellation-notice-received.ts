import { cancellationNoticeReceivedV1, type EventOf } from '@kontor/contracts';
import { Consume, EventConsumer } from '@kontor/messaging';
import { Replicas, type TenantTx } from '@kontor/persistence';
import { dayText, languageOf, momentText } from '../domain/mails/wording.js';
import { writeMail } from '../mails/write-notice-mail.js';
import { NOTICE_TEMPLATES } from './notice-template.js';

/** Confirms a cancellation to whoever declared it, customer or not: what it says, and when it arrived. */
@EventConsumer()
export class OnCancellationNoticeReceived {
  constructor(private readonly replicas: Replicas) {}

  @Consume(cancellationNoticeReceivedV1)
  handle({ payload }: EventOf<typeof cancellationNoticeReceivedV1>, tx: TenantTx): Promise<void> {
    const language = languageOf(payload.language);
    const earliest = language === 'de' ? 'zum nächstmöglichen Zeitpunkt' : 'as early as possible';
    return writeMail(tx, this.replicas, {
      kind: 'cancellation_received',
      reference: payload.noticeId,
      customerId: null,
      recipient: payload.email,
      language,
      templates: NOTICE_TEMPLATES,
      values: {
        greeting: language === 'de' ? `Guten Tag ${payload.name},` : `Dear ${payload.name},`,
        name: payload.name,
        contract: payload.contract,
        isExtraordinary: payload.kind === 'extraordinary',
        reason: payload.reason ?? '',
        wantedOn: payload.wantedOn === null ? earliest : dayText(payload.wantedOn, language, 'UTC'),
        receivedAt: momentText(payload.receivedAt, language, payload.timeZone),
      },
    });
  }
}
