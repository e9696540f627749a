import { type CustomerState, type EventOf, paymentMethodLinkCreatedV1 } from '@kontor/contracts';
import { newUuid } from '@kontor/kernel';
import { Consume, EventConsumer } from '@kontor/messaging';
import { Replicas, scheduleDue, type TenantTx } from '@kontor/persistence';
import { MailRow } from '../db/mail.row.js';
import { dayText, greetingOf, languageOf, type MailSeller } from '../domain/invoice-mail.js';
import { MAIL_TO_SEND } from '../invoice-mail/write-invoice-mails.js';
import { METHOD_LINK_TEMPLATES } from '../mails/method-link-template.js';
import { renderTemplate } from '../mails/render-template.js';

/** Mails a customer the link with which a payment method is added. */
@EventConsumer()
export class OnMethodLinkCreated {
  constructor(private readonly replicas: Replicas) {}

  @Consume(paymentMethodLinkCreatedV1)
  async handle({ payload }: EventOf<typeof paymentMethodLinkCreatedV1>, tx: TenantTx): Promise<void> {
    const customer = await this.replicas.get<CustomerState>(tx, 'customer', payload.customerId);
    if (!customer) return;
    const settings = await this.replicas.get<{ seller?: MailSeller }>(tx, 'settings', tx.tenantId);
    const language = languageOf(customer.language);
    const model = {
      greeting: greetingOf(customer, language),
      link: payload.link,
      validUntil: dayText(payload.expiresAt, language, customer.timeZone),
      seller: settings?.seller?.company ?? '',
      contactPhone: settings?.seller?.contact?.phone ?? null,
    };
    const mail = Object.assign(new MailRow(), renderTemplate(METHOD_LINK_TEMPLATES[language], model), {
      tenantId: tx.tenantId,
      id: newUuid(),
      kind: 'payment_method_link',
      reference: payload.linkId,
      status: 'pending',
      senderName: model.seller,
      replyTo: settings?.seller?.contact?.email ?? null,
      recipient: customer.email,
      language,
      attachments: [],
      attempts: 0,
      lastError: null,
      createdAt: tx.now,
      sentAt: null,
    });
    await tx.manager.insert(MailRow, mail as object);
    await scheduleDue(tx, { kind: MAIL_TO_SEND, ref: mail.id, dueAt: new Date(), wall: true });
  }
}
