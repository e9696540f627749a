import { defineService } from '@kontor/service-kit';
import { NotificationsModule } from './app.module.js';
import { InvoiceToSendRow } from './invoice-mail/invoice-to-send.row.js';
import { MailRow } from './mails/mail.row.js';
import { notificationsMigrations } from './db/migrations.js';

/** Mails to customers. */
export const notificationsService = defineService({
  name: 'notifications',
  module: NotificationsModule,
  migrations: notificationsMigrations,
  rows: [MailRow, InvoiceToSendRow],
  replicas: ['tenant', 'customer', 'settings'],
});
