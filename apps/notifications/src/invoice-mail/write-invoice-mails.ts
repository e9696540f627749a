import { Injectable } from '@nestjs/common';
import type { CustomerState, InvoiceState } from '@kontor/contracts';
import { newUuid } from '@kontor/kernel';
import { Replicas, type TenantTx } from '@kontor/persistence';
import type { MailRow } from '../mails/mail.row.js';
import { invoiceMailModel } from '../domain/invoice-mail/invoice-mail-model.js';
import { type MailSeller } from '../domain/mails/wording.js';
import type { MailAttachment } from '../domain/mails/mail.js';
import { OwnTemplates } from '../mails/own-templates.js';
import { saveMails } from '../mails/save-mails.js';
import { INVOICE_TEMPLATES } from './invoice-template.js';

/** A finalized document and its file. */
export interface SendableInvoice {
  readonly invoiceId: string;
  readonly state: InvoiceState;
  readonly media: MailAttachment;
}

/** A mail that somebody asked for. */
export interface RequestedMail {
  readonly invoice: SendableInvoice;
  readonly recipient: string;
  /** Names the request: one mail for each. */
  readonly reference: string;
}

/** Which of the tenant's templates is for which document. */
const MAIL_KINDS = {
  invoice: 'invoice',
  credit: 'invoice',
  cancel: 'invoice',
  cancelled_credit: 'invoice',
  refund: 'invoice',
  reminder: 'reminder',
  dunning: 'dunning',
} as const;

/** Writes the mails of documents whose file exists: once each, as rows to be sent after the commit. */
@Injectable()
export class WriteInvoiceMails {
  constructor(private readonly replicas: Replicas) {}

  /** Mails that somebody asked for, each once, whatever was mailed before. */
  async writeRequested(tx: TenantTx, requested: readonly RequestedMail[]): Promise<void> {
    const { customers, seller, templates } = await this.partiesOf(tx, requested);
    const written = requested.flatMap(({ invoice, recipient, reference }): MailRow[] => {
      const customer = customers.get(invoice.state.customerId);
      return customer ? [{ ...mailOf(tx, invoice, customer, { seller, templates }), recipient, reference }] : [];
    });
    await saveMails(tx, written);
  }

  async execute(tx: TenantTx, invoices: readonly SendableInvoice[]): Promise<void> {
    if (invoices.length === 0) return;
    const { customers, seller, templates } = await this.partiesOf(
      tx,
      invoices.map((invoice) => ({ invoice })),
    );
    const written = invoices.flatMap((invoice) => {
      const customer = customers.get(invoice.state.customerId);
      return customer ? [mailOf(tx, invoice, customer, { seller, templates })] : [];
    });
    if (written.length === 0) return;
    await saveMails(tx, written);
    await tx.query(
      `UPDATE invoice_to_send i SET mail_id = m.mail_id
       FROM unnest($2::uuid[], $3::uuid[]) AS m (invoice_id, mail_id)
       WHERE i.tenant_id = $1 AND i.invoice_id = m.invoice_id`,
      [tx.tenantId, written.map((mail) => mail.reference), written.map((mail) => mail.id)],
    );
  }

  private async partiesOf(tx: TenantTx, mails: readonly { readonly invoice: SendableInvoice }[]) {
    const customers = await this.replicas.getMany<CustomerState>(
      tx,
      'customer',
      mails.map(({ invoice }) => invoice.state.customerId),
    );
    const settings = await this.replicas.get<{ seller?: MailSeller }>(tx, 'settings', tx.tenantId);
    const templates = await OwnTemplates.load(tx, Object.values(MAIL_KINDS));
    return { customers, seller: settings?.seller, templates };
  }
}

function mailOf(
  tx: TenantTx,
  { invoiceId, state, media }: SendableInvoice,
  customer: CustomerState,
  { seller, templates }: { readonly seller: MailSeller | undefined; readonly templates: OwnTemplates },
): MailRow {
  const model = invoiceMailModel(state, customer, seller);
  return {
    ...templates.render(MAIL_KINDS[model.kind], model.language, {
      standard: INVOICE_TEMPLATES[model.language],
      model,
    }),
    tenantId: tx.tenantId,
    id: newUuid(),
    kind: 'invoice',
    reference: invoiceId,
    status: 'pending',
    senderName: model.seller,
    replyTo: model.contactEmail,
    customerId: state.customerId,
    recipient: customer.invoiceEmail ?? customer.email,
    language: model.language,
    attachments: [
      media,
      ...(state.xml ? [state.xml] : []),
      ...(state.dunning?.original ? [state.dunning.original] : []),
    ],
    attempts: 0,
    lastError: null,
    createdAt: tx.now,
    sentAt: null,
  };
}
