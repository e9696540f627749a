import { type EventOf, userMailRequestedV1 } from '@kontor/contracts';
import { newUuid } from '@kontor/kernel';
import { Consume, EventConsumer } from '@kontor/messaging';
import type { TenantTx } from '@kontor/persistence';
import { renderTemplate } from '../mails/render-template.js';
import { saveMails } from '../mails/save-mails.js';
import { userMailTemplate } from './user-mail-template.js';

/** Mails those who work for a tenant, or are invited to. */
@EventConsumer()
export class OnUserMailRequested {
  @Consume(userMailRequestedV1)
  async handle({ payload }: EventOf<typeof userMailRequestedV1>, tx: TenantTx): Promise<void> {
    const { mailId, kind, recipient, name, language, tenantName, link } = payload;
    const model = { seller: tenantName, greeting: greetingOf(name, language), link };
    await saveMails(tx, [
      {
        ...renderTemplate(userMailTemplate(kind, language), model),
        tenantId: tx.tenantId,
        id: newUuid(),
        kind: `user_${kind}`,
        reference: mailId,
        customerId: null,
        status: 'pending',
        senderName: tenantName,
        replyTo: null,
        recipient,
        language,
        attachments: [],
        attempts: 0,
        lastError: null,
        createdAt: tx.now,
        sentAt: null,
      },
    ]);
  }
}

function greetingOf(name: string | null, language: 'de' | 'en'): string {
  if (language === 'de') return name ? `Guten Tag ${name},` : 'Guten Tag,';
  return name ? `Dear ${name},` : 'Hello,';
}
