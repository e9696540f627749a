import { join } from 'node:path';
import { Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import { ServiceConfig, usableFolder } from '@kontor/service-kit';
import { OnSubscriptionCancelled } from './cancellation-mail/on-subscription-cancelled.js';
import { EmlFolder } from './delivery/eml-folder.js';
import { MailTransport } from './delivery/mail-transport.js';
import { SendMails } from './delivery/send-mails.js';
import { SmtpTransport } from './delivery/smtp.transport.js';
import { DevMailsController } from './dev/dev-mails.controller.js';
import { OnInvoiceChanged } from './invoice-mail/on-invoice-changed.js';
import { OnInvoiceSendRequested } from './invoice-mail/on-invoice-send-requested.js';
import { OnMediaReady } from './invoice-mail/on-media-ready.js';
import { WriteInvoiceMails } from './invoice-mail/write-invoice-mails.js';
import { OnLoginLinksMade } from './login-link-mail/on-login-links-made.js';
import { OnOfferLinkSent } from './offer-mail/on-offer-link-sent.js';
import { OnOfferApprovalRequested } from './offer-mail/on-offer-approval-requested.js';
import { OnOfferReminderDue } from './offer-mail/on-offer-reminder-due.js';
import { OnMethodLinkCreated } from './method-link-mail/on-method-link-created.js';
import { OnCancellationNoticeReceived } from './cancellation-mail/on-cancellation-notice-received.js';
import { OnCartReminderDue } from './order-mail/on-cart-reminder-due.js';
import { OnOrderConfirmed } from './order-mail/on-order-confirmed.js';
import { OnPayerActionRequired } from './payer-mail/on-payer-action-required.js';
import { OnTemplateChanged } from './mails/on-template-changed.js';
import { OnUserMailRequested } from './user-mail/on-user-mail-requested.js';
import { OnAutoTopUpDisabled } from './top-up-mail/on-auto-top-up-disabled.js';

const transportOf = (config: ServiceConfig): MailTransport =>
  config.smtpUrl
    ? new SmtpTransport(config.smtpUrl, config.mailFrom)
    : new EmlFolder(join(usableFolder(config.dataDir), 'mails'), config.mailFrom);

@Module({
  controllers: [
    OnInvoiceChanged,
    OnInvoiceSendRequested,
    OnMediaReady,
    OnMethodLinkCreated,
    OnPayerActionRequired,
    OnOrderConfirmed,
    OnCartReminderDue,
    OnCancellationNoticeReceived,
    OnOfferLinkSent,
    OnOfferApprovalRequested,
    OnOfferReminderDue,
    OnLoginLinksMade,
    OnUserMailRequested,
    OnAutoTopUpDisabled,
    OnSubscriptionCancelled,
    OnTemplateChanged,
    DevMailsController,
  ],
  providers: [
    WriteInvoiceMails,
    SendMails,
    { provide: MailTransport, useFactory: transportOf, inject: [ServiceConfig] },
  ],
})
export class NotificationsModule implements OnApplicationShutdown {
  constructor(@Inject(MailTransport) private readonly transport: MailTransport) {}

  onApplicationShutdown(): void {
    this.transport.close();
  }
}
