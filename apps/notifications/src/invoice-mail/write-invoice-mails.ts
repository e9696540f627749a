import { Injectable } from '@nestjs/common';
import type { CustomerState, InvoiceState } from '@kontor/contracts';
import { newUuid } from '@kontor/kernel';
import { Replicas, scheduleDueMany, type TenantTx } from '@kontor/persistence';
import { MailRow } from '../db/mail.row.js';
import { invoiceMailModel, type MailSeller } from '../domain/invoice-mail.js';
import type { MailAttachment } from '../domain/mail.js';
import { renderTemplate } from '../mails/render-template.js';
import { INVOICE_TEMPLATES } from '../mails/templates.js';

/** Due work: one mail to send, on real time. */
export const MAIL_TO_SEND = 'notifications.mail';

/** A finalized document and its file. */
export interface SendableInvoice {
  readonly invoiceId: string;
  readonly state: InvoiceState;
  readonly media: MailAttachment;
}

/** Writes the mails of documents whose file exists: once each, as rows to be sent after the commit. */
@Injectable()
export class WriteInvoiceMails {
  constructor(private readonly replicas: Replicas) {}

  async execute(tx: TenantTx, invoices: readonly SendableInvoice[]): Promise<void> {
    if (invoices.length === 0) return;
    const customers = await this.replicas.getMany<CustomerState>(tx, 'customer', invoices.map((invoice) => invoice.state.customerId)); // prettier-ignore
    const settings = await this.replicas.get<{ seller?: MailSeller }>(tx, 'settings', tx.tenantId);
    const mails = invoices.flatMap((invoice) => {
      const customer = customers.get(invoice.state.customerId);
      return customer ? [mailOf(tx, invoice, customer, settings?.seller)] : [];
    });
    if (mails.length === 0) return;
    await tx.manager.insert(MailRow, mails as object[]);
    await tx.query(
      `UPDATE invoice_to_send i SET mail_id = m.mail_id FROM unnest($2::uuid[], $3::uuid[]) AS m (invoice_id, mail_id)
       WHERE i.tenant_id = $1 AND i.invoice_id = m.invoice_id`,
      [tx.tenantId, mails.map((mail) => mail.reference), mails.map((mail) => mail.id)],
    );
    const dueAt = new Date();
    await scheduleDueMany(tx, mails.map((mail) => ({ kind: MAIL_TO_SEND, ref: mail.id, dueAt, wall: true }))); // prettier-ignore
  }
}

function mailOf(
  tx: TenantTx,
  { invoiceId, state, media }: SendableInvoice,
  customer: CustomerState,
  seller: MailSeller | undefined,
): MailRow {
  const model = invoiceMailModel(state, customer, seller);
  return Object.assign(new MailRow(), renderTemplate(INVOICE_TEMPLATES[model.language], model), {
    tenantId: tx.tenantId,
    id: newUuid(),
    kind: 'invoice',
    reference: invoiceId,
    status: 'pending',
    senderName: model.seller,
    replyTo: model.contactEmail,
    recipient: customer.invoiceEmail ?? customer.email,
    language: model.language,
    attachments: [media],
    attempts: 0,
    lastError: null,
    createdAt: tx.now,
    sentAt: null,
  });
}
