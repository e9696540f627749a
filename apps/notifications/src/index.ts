import { defineService } from '@kontor/service-kit';
import { NotificationsModule } from './app.module.js';
import { InvoiceToSendRow } from './invoice-mail/invoice-to-send.row.js';
import { MailTemplateRow } from './mails/mail-template.row.js';
import { MailRow } from './mails/mail.row.js';
import { notificationsMigrations } from './db/migrations.js';
import { customerData } from './customer-data.js';

/** Mails to customers. */
export const notificationsService = defineService({
  name: 'notifications',
  module: NotificationsModule,
  migrations: notificationsMigrations,
  rows: [MailRow, InvoiceToSendRow, MailTemplateRow],
  replicas: ['tenant', 'customer', 'settings'],
  customerData,
  // Those to customers go with them.
  retention: () => [{ table: 'mail', ids: 'uuid', days: 30, where: `t.customer_id IS NULL AND t.status <> 'pending'` }],
});
